"""What a learner has to do in classes: the assignments of a learner, with the rules that hold."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

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
    places = {one.cohort_id: one for one in memberships_of(learner)}
    if not places:
        return []
    later = [f"exercise__current__{name}" for name in LATER]
    rows = Assignment.objects.filter(cohort__in=places, is_visible=True, **which)
    rows = rows.order_by("cohort", "place", "pk")
    assigned = list(rows.select_related("quiz", "exercise__current", "lesson").defer(*later))
    return with_rules(assigned, places)


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
