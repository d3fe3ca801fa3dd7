"""What a learner has to do in classes: the assignments of a learner, with the rules that hold."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet

from quizzes.assessment.models import Attempt
from quizzes.classes.marks.reader import LATER
from quizzes.classes.models import Assignment, AssignmentException, Membership
from quizzes.classes.rules import Rule
from quizzes.learners.models import Learner


@dataclass(frozen=True)
class OwnWork:
    """An assignment of a class that a learner is in."""

    assignment: Assignment
    membership: Membership
    rule: Rule


def memberships_of(learner: Learner | None) -> QuerySet[Membership]:
    """Return the places of a learner as a student of classes that are not archived."""
    if learner is None or learner.user_id is None:
        return Membership.objects.none()
    return Membership.objects.filter(
        user=learner.user_id,
        state=Membership.State.ACTIVE,
        role=Membership.Role.STUDENT,
        cohort__archived_at=None,
    ).select_related("cohort")


def own_work(learner: Learner | None, **which: object) -> list[OwnWork]:
    """Return the visible assignments of a learner's classes; `which` filters assignments.

    Three queries at most, one for a learner that is in no class, none without an account.
    """
    places = {membership.cohort_id: membership for membership in memberships_of(learner)}
    if not places:
        return []
    rows = Assignment.objects.filter(cohort__in=places, is_visible=True, **which)
    return with_rules(_with_things(rows), places)


def is_assigned(learner: Learner, thing: Model) -> bool:
    """Return whether a class of a learner has a quiz, an exercise or a lesson to do. One query."""
    kind, places = thing._meta.model_name, memberships_of(learner)
    rows = Assignment.objects.filter(is_visible=True, cohort__in=places.values("cohort"))
    return rows.filter(**{str(kind): thing}).exists()


def assignments_open_since(at: datetime) -> dict[int, int]:
    """Count the assignments of each exercise, by its key, that were open at `at` or later.

    An exception may keep one open, and an archived class closes all
    of its own. One query.
    """
    longer = AssignmentException.objects.filter(assignment=OuterRef("pk"), closes_at__gte=at)
    rows = Assignment.objects.filter(
        Q(closes_at=None) | Q(closes_at__gte=at) | Exists(longer),
        Q(cohort__archived_at=None) | Q(cohort__archived_at__gte=at),
        exercise__isnull=False,
        is_visible=True,
    )
    counted = rows.order_by().values_list("exercise").annotate(Count("pk"))
    return dict(counted)


def _with_things(rows: QuerySet[Assignment]) -> QuerySet[Assignment]:
    later = [f"exercise__current__{name}" for name in LATER]
    ordered = rows.order_by("cohort", "place", "pk")
    return ordered.select_related("cohort", "quiz", "exercise__current", "lesson").defer(*later)


def held_back_work(learner: Learner | None) -> list[OwnWork]:
    """Return the assignments whose answers and marks may have to stay hidden from a learner.

    Those of `own_work`, and those that a learner has handed something in for, although the class
    was archived, the person removed from it or the assignment hidden meanwhile: a mistaken click
    shows nobody the answers of an exam. Three queries at most, as `own_work`.
    """
    if learner is None or learner.user_id is None:
        return []
    rows = Membership.objects.filter(
        user=learner.user_id,
        state__in=[Membership.State.ACTIVE, Membership.State.REMOVED],
        role=Membership.Role.STUDENT,
    ).select_related("cohort")
    places = {row.cohort_id: row for row in rows}
    if not places:
        return []
    now = {pk for pk, one in places.items() if is_student_now(one)}
    begun = Attempt.objects.filter(learner=learner, sitting=OuterRef("pk")).order_by()
    found = Assignment.objects.filter(cohort__in=places)
    found = found.filter(Q(cohort__in=now, is_visible=True) | Exists(begun))
    return with_rules(_with_things(found), places)


def is_student_now(place: Membership) -> bool:
    """Return whether a place lets its person work in the class."""
    return place.state == Membership.State.ACTIVE and place.cohort.archived_at is None


def with_rules(assigned: Iterable[Assignment], places: dict[int, Membership]) -> list[OwnWork]:
    """Return assignments with the rules that hold for the member by class. One query."""
    rows = list(assigned)
    if not rows:
        return []
    own = {
        one.assignment_id: one
        for one in AssignmentException.objects.filter(
            assignment__in=[one.pk for one in rows], membership__in=places.values()
        )
    }
    return [
        OwnWork(one, place, one.rule_for(own.get(one.pk), place.extra_time_percent))
        for one in rows
        if (place := places.get(one.cohort_id)) is not None
    ]
