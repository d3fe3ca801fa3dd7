"""One member's due dates moved together: everything due between two days, by some days."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from quizzes.classes.assignments import set_exceptions
from quizzes.classes.dates import days_later
from quizzes.classes.marks.reader import assignments_of
from quizzes.classes.models import Assignment, AssignmentException, Cohort, Membership
from quizzes.classes.rules import NEVER, Rule, below_class
from quizzes.content_files.typed_text import isolate
from quizzes.learners.models import User


@dataclass(frozen=True)
class MemberDates:
    """An assignment as it holds for one member, and the member's exception where there is one."""

    assignment: Assignment
    rule: Rule
    own: AssignmentException | None

    @property
    def rule_is_on_purpose(self) -> bool:
        """Return whether what is earlier or less than the class has was meant so."""
        return self.own is not None and self.own.earlier_on_purpose


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
    work is taken as long as before; one of the year 9999 stays. All or nothing: raises
    ValidationError, which names the assignment, and OverflowError beyond the calendar.
    """
    moved = []
    for dates in dates_of_member(member.cohort, member):
        due, closes = dates.rule.due_at, dates.rule.closes_at
        zone = dates.assignment.zone
        if due is None or not first <= due.astimezone(zone).date() <= last:
            continue
        values: dict[str, Any] = {"due_at": days_later(due, days, zone), "note": note}
        if closes is not None and closes < NEVER:
            values["closes_at"] = days_later(closes, days, zone)
        own = AssignmentException(due_at=values["due_at"], closes_at=values.get("closes_at"))
        # What is on purpose stays so for as long as it is earlier than the class's.
        if dates.rule_is_on_purpose and below_class(dates.assignment, own):
            values["earlier_on_purpose"] = True
        try:
            set_exceptions(assignment=dates.assignment, members=[member], values=values, by=by)
        except ValidationError as error:
            title = isolate(dates.assignment.title)
            raise ValidationError([f"“{title}”: {words}" for words in error.messages]) from error
        moved.append((dates.assignment, values["due_at"]))
    return moved
