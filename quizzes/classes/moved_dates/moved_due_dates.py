"""One member's due dates moved together: everything due between two days, by some days."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction

from quizzes.classes.assignments import set_exceptions
from quizzes.classes.dates import days_later
from quizzes.classes.marks.reader import assignments_of
from quizzes.classes.models import Assignment, AssignmentException, Cohort, Membership
from quizzes.classes.rules import Rule
from quizzes.learners.models import User


@dataclass(frozen=True)
class MemberDates:
    """An assignment as it holds for one member, and the member's exception where there is one."""

    assignment: Assignment
    rule: Rule
    own: AssignmentException | None


def dates_of_member(cohort: Cohort, member: Membership) -> list[MemberDates]:
    """Return all assignments of a class as they hold for a member, hidden ones too. Two queries."""
    own = {
        row.assignment_id: row
        for row in AssignmentException.objects.filter(
            membership=member, assignment__cohort=cohort
        ).select_related("made_by")
    }
    return [
        MemberDates(row, row.rule_for(own.get(row.pk), member.extra_time_percent), own.get(row.pk))
        for row in assignments_of(cohort, hidden_too=True)
    ]


@transaction.atomic
def move_due_dates(
    *, member: Membership, first: date, last: date, days: int, note: str, by: User | None
) -> list[tuple[Assignment, datetime]]:
    """Move what is due to a member between two days, both included, on the clock of the class.

    Return the assignments with the new due dates. A closing date moves by the same days, so late
    work is taken as long as before. All or nothing: raises ValidationError as `set_exceptions`.
    """
    moved = []
    for dates in dates_of_member(member.cohort, member):
        due, closes = dates.rule.due_at, dates.rule.closes_at
        zone = dates.assignment.zone
        if due is None or not first <= due.astimezone(zone).date() <= last:
            continue
        values: dict[str, Any] = {"due_at": days_later(due, days, zone), "note": note}
        if dates.own is not None and dates.own.earlier_on_purpose:
            values["earlier_on_purpose"] = True
        if closes is not None:
            values["closes_at"] = days_later(closes, days, zone)
        set_exceptions(assignment=dates.assignment, members=[member], values=values, by=by)
        moved.append((dates.assignment, values["due_at"]))
    return moved
