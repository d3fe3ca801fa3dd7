"""The counts that stand next to the pages of a class: its people, its open work, what failed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import CharField, Count, Q, QuerySet, Value

from quizzes.classes.access import submissions_seen
from quizzes.classes.members import LISTED
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.exercises.models import Submission
from quizzes.grader.api import Verdict


@dataclass(frozen=True)
class Badges:
    """`people`: those that their page lists when it is opened, staff and invited ones too.

    `open_work`: assignments that take work now. `not_graded`: submissions, without checks.
    """

    people: int
    open_work: int
    not_graded: int


def badges_of(cohort: Cohort, now: datetime) -> Badges:
    """Return the counts of a class. One query.

    An archived class takes no work. The condition is that of `Rule.is_open`, to whose window both
    ends belong; a test compares them.
    """
    open_now = Q(opens_at__lte=now) & (Q(closes_at=None) | Q(closes_at__gte=now))
    work = Assignment.objects.filter(
        open_now, cohort=cohort, is_visible=True, cohort__archived_at=None
    )
    failed = submissions_seen(cohort).filter(
        kind=Submission.Kind.SUBMIT, verdict=Verdict.NOT_GRADED.value
    )
    people = Membership.objects.filter(cohort=cohort, state__in=LISTED)
    rows = _count("people", people).union(
        _count("open_work", work),
        _count("not_graded", failed),
        all=True,
    )
    return Badges(**dict(rows))


def _count(name: str, rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    """Return a query for one line: the name and the number of the rows, 0 where there are none."""
    named = rows.order_by().annotate(badge=Value(name, output_field=CharField()))
    counted: QuerySet[Any, Any] = named.values("badge").annotate(number=Count("pk"))
    return counted.values_list("badge", "number")
