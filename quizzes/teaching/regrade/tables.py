"""The tables that both pages of regrades show: changes by member, and earlier regrades."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from quizzes.assessment.models import Regrade
from quizzes.classes.models import Cohort, Membership
from quizzes.exercises.models import CodeRegrade
from quizzes.regrades.plan import Change, Plan
from quizzes.regrades.scope import Scope
from quizzes.teaching.people.members import members_by_learner

MOST_NAMED = 300  # members in one table
C = TypeVar("C", bound=Change)


@dataclass(frozen=True)
class MemberChange:
    """One work of a member that counts differently: its title and address, before and after."""

    member: Membership
    title: str
    address: str
    was: str
    now: str


def changes_by_member(
    cohort: Cohort | None, plan: Plan[C], describe: Callable[[C], tuple[str, str, str, str]]
) -> list[MemberChange]:
    """Return the changes of a class's members, by name; nobody outside of a class.

    `describe` returns all of a row except the member.
    """
    if cohort is None:
        return []
    members = members_by_learner(cohort, plan.learners)
    rows = [
        MemberChange(members[change.learner], *describe(change))
        for change in plan.changes
        if change.learner in members
    ]
    return sorted(rows, key=lambda row: (row.member.label, row.title))[:MOST_NAMED]


@dataclass(frozen=True)
class EarlierRegrade:
    """A regrade that is applied or undone; `count` is of the works that this page may show."""

    regrade: Regrade | CodeRegrade
    count: int
    may_undo: bool
    may_decline: bool


def earlier_regrade(regrade: Regrade | CodeRegrade, scope: Scope, count: int) -> EarlierRegrade:
    """Return a regrade with the buttons that this page has for it."""
    owns, is_applied = scope.owns(regrade), regrade.undone_at is None
    return EarlierRegrade(
        regrade, count, owns and is_applied, not owns and is_applied and count > 0
    )


def count_works(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
