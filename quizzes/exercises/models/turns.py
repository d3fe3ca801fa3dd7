"""Whose turn it is: the order in which workers take waiting submissions.

`due_at` is worked out once, at the door: a Check leads a little, and each submission that its
learner has waiting already costs it some seconds. So a second one lets everybody's first pass, and
nothing waits for ever. Two rules more: a learner has one submission in work at a time, and code
known to be slow comes after all that is quick, one at a time.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Case, Exists, IntegerField, OuterRef, Q, Value, When

from quizzes.exercises.compiled import Moment

if TYPE_CHECKING:
    from quizzes.exercises.models.submission import Submission

Time = datetime | Moment

MAX_LEASES = 3
CHECK_LEADS = timedelta(seconds=3)
TURN_COSTS = timedelta(seconds=5)
SLOW_WAITS = timedelta(seconds=30)  # longer than that slow code gets its share of a busy queue


def due(*, submitted_at: datetime, is_check: bool, waiting: int) -> datetime:
    """Return when a submission is due whose learner has `waiting` others."""
    lead = CHECK_LEADS if is_check else timedelta(0)
    return submitted_at - lead + waiting * TURN_COSTS


class Turns(models.QuerySet["Submission"]):
    """Submissions as a queue."""

    def ungraded(self) -> Self:
        return self.filter(graded_at=None)

    def graded(self) -> Self:
        return self.filter(graded_at__isnull=False)

    def free(self, now: Time) -> Self:
        """Return what no living worker holds. A lease lapses with its worker."""
        return self.ungraded().filter(Q(leased_until=None) | Q(leased_until__lt=now))

    def held(self, now: Time) -> Self:
        """Return what a living worker has in work."""
        return self.ungraded().filter(leased_until__gte=now)

    def may_be_leased(self, now: Time) -> Self:
        """Return what may be graded now: its learner has nothing in work; one slow row at a time.

        No joins: as the condition of an UPDATE it is asked again of a row that changed meanwhile.
        """
        in_work = self.model._default_manager.all().held(now)
        return self.free(now).filter(
            Q(slow=False) | ~Exists(in_work.filter(slow=True)),
            ~Exists(in_work.filter(learner=OuterRef("learner"))),
            attempts__lt=MAX_LEASES,
        )

    def waiting(self, now: Time, *, slow_too: bool = False) -> Self:
        """Return what may be graded now, in fair order; `slow_too` as in `in_turn`."""
        ready = self.may_be_leased(now).filter(exercise_version__verification="ok")
        return ready.in_turn(now, slow_too=slow_too)

    def in_turn(self, now: Time, *, slow_too: bool = False) -> Self:
        """Order rows as workers take them: quick ones, then slow ones, each as they are due.

        With `slow_too` a slow one that has waited long comes before all.
        """
        if not slow_too:
            return self.order_by("slow", "due_at", "pk")
        patient = When(slow=True, submitted_at__lt=now - SLOW_WAITS, then=Value(0))
        quick = When(slow=False, then=Value(1))
        lane = Case(patient, quick, default=Value(2), output_field=IntegerField())
        return self.annotate(lane=lane).order_by("lane", "due_at", "pk")

    def before(self, row: "Submission", now: Time) -> Self:
        """Return the free rows that workers take before this one."""
        earlier = Q(due_at__lt=row.due_at) | Q(due_at=row.due_at, pk__lt=row.pk)
        sooner = Q(slow=row.slow) & earlier
        return self.free(now).filter(sooner | Q(slow=False) if row.slow else sooner)

    def used_up(self, now: Time) -> Self:
        """Return what was leased as often as may be and is held by nobody."""
        return self.free(now).filter(attempts=MAX_LEASES)
