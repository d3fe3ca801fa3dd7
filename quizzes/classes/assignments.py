"""What staff do with the work of a class: assign it, make exceptions, set a mark by hand.

Every act is written into the audit log in its own transaction, and moves the deadlines of attempts
that are under way.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Max, Q
from django.utils import timezone

from quizzes.assessment.models import Attempt, Question, Quiz, QuizQuestion
from quizzes.classes.dates import on_the_wall
from quizzes.classes.log import record_for_class
from quizzes.classes.marks.lesson_steps import steps_of
from quizzes.classes.marks.reader import learner_key
from quizzes.classes.models import (
    Assignment,
    AssignmentException,
    Cohort,
    MarkOverride,
    Membership,
)
from quizzes.classes.rules import DATES, LIMITS, below_class, date_fault
from quizzes.content_files.typed_text import isolate
from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner, User

ENOUGH_NUMBERS = 12  # drawn for each generated question before a class may see its quiz
OWN_RULES = (*DATES, *LIMITS, "is_excused")
EXCEPTION_FIELDS = (*OWN_RULES, "earlier_on_purpose", "note")
ON_PURPOSE = "Allow earlier dates and lower limits"


class StaleAssignmentError(Exception):
    """Somebody else has changed the assignment since the form was opened."""


@transaction.atomic
def save_assignment(
    *, assignment: Assignment, by: User | None, revision: int | None = None
) -> list[AssignmentException]:
    """Store a new or changed assignment. Raises ValidationError with the field of each fault.

    Return the exceptions that give less than the class by what was changed.
    `revision`: the one that the form was opened with; raises StaleAssignmentError for an older one.
    """
    is_new = assignment.pk is None
    changed: set[str] = set()
    if not is_new:
        held = Assignment.objects.select_for_update().get(pk=assignment.pk)
        if revision is not None and revision != held.revision:
            raise StaleAssignmentError(f"{assignment}: revision {revision} is not {held.revision}")
        assignment.revision = held.revision + 1
        assignment.steps = held.steps  # a load may have renamed some since the row was read
        for name in (*DATES, *LIMITS):
            if getattr(held, name) != getattr(assignment, name):
                changed.add(name)
    elif not assignment.place:
        last = Assignment.objects.filter(cohort=assignment.cohort_id).aggregate(last=Max("place"))
        assignment.place = (last["last"] or 0) + 1
    rows = [] if is_new else list(assignment.exceptions.select_related("membership__user"))
    _check(assignment, rows)
    if assignment.lesson_id is not None and (is_new or timezone.now() < assignment.opens_at):
        assignment.steps = steps_of(assignment.lesson_id, deeper=assignment.includes_deeper)
    assignment.save()
    move_deadlines(assignment)
    act = "assigned" if is_new else "changed an assignment"
    _record(assignment, by, act)
    return [own for own in rows if not changed.isdisjoint(below_class(assignment, own))]


def _check(assignment: Assignment, rows: Iterable[AssignmentException]) -> None:
    fault = date_fault(assignment.opens_at, assignment.due_at, assignment.closes_at)
    if fault is not None:
        raise ValidationError({fault[0]: f"The assignment {fault[1]}."})
    if assignment.is_visible and assignment.quiz_id is not None:
        lacking = questions_without_numbers(assignment.quiz_id)
        if lacking:
            raise ValidationError({"is_visible": [one.words for one in lacking]})
    assignment.full_clean(validate_unique=False)
    # With somebody's own dates they may be in the wrong order.
    for own in rows:
        rule = assignment.rule_for(own)
        fault = date_fault(rule.opens_at, rule.due_at, rule.closes_at)
        if fault is not None:
            who = isolate(own.membership.label)
            words = f"Under the exception for {who}, the assignment {fault[1]}."
            raise ValidationError({fault[0]: words})


@dataclass(frozen=True)
class LackingQuestion:
    """A generated question that a class cannot be asked yet."""

    slug: str
    there: int
    problem: str

    @property
    def words(self) -> str:
        why = f"generate.py fails: {self.problem}" if self.problem else "a worker is drawing more"
        return (
            f"The question {self.slug} has only {self.there} of the {ENOUGH_NUMBERS} sets of"
            f" numbers needed ({why}). The assignment stays hidden until the question has them all."
        )


def questions_without_numbers(quiz: int) -> list[LackingQuestion]:
    """Return the generated questions of a quiz, and of its pools, with too few drawn numbers."""
    places = QuizQuestion.objects.filter(quiz=quiz)
    tags = set(places.exclude(tag="").values_list("tag", flat=True))
    course = Quiz.objects.values_list("course", flat=True).get(pk=quiz)
    asked = Question.objects.available().filter(course=course).exclude(current__generator={})
    fixed = set(places.filter(question__isnull=False).values_list("question", flat=True))
    rows = asked.annotate(there=Count("current__instances"))
    return [
        LackingQuestion(slug, there, problem)
        for pk, slug, there, problem, own in rows.values_list(
            "pk", "slug", "there", "current__problem", "current__tags"
        )
        if there < ENOUGH_NUMBERS and (pk in fixed or not tags.isdisjoint(own))
    ]


@transaction.atomic
def remove_assignment(*, assignment: Assignment, by: User | None) -> bool:
    """Delete an assignment that nobody has begun; False, with nothing changed, for another."""
    held = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if has_begun(held):
        return False
    _record(held, by, "removed an assignment")
    held.delete()
    return True


def has_begun(assignment: Assignment) -> bool:
    """Return whether there is work, or a mark set by hand, that would be lost with it."""
    if assignment.exercise_id is None:
        begun = Attempt.objects.filter(sitting=assignment.sitting).exists()
    else:
        begun = _handed_in_by(assignment) > 0
    kept = assignment.overrides.exists() or assignment.frozen_marks.exists()
    is_open = assignment.is_visible and assignment.opens_at <= timezone.now()
    return begun or kept or (is_open and assignment.quiz_id is None)


@transaction.atomic
def set_exceptions(
    *,
    assignment: Assignment,
    members: Collection[Membership],
    values: Mapping[str, Any],
    by: User | None,
    clear: Collection[str] = (),
) -> list[Membership]:
    """Change the exceptions of members; return those for whom something changed.

    `values`: fields of EXCEPTION_FIELDS. An empty one leaves what a member has, and `clear` names
    fields to empty. A member whose exception has no rule any more goes by those of the class.
    All or nothing: raises ValidationError for what is earlier or less than the class has, unless
    the values say that it is on purpose, and where somebody's dates would be in the wrong order.
    """
    held = Assignment.objects.select_for_update().get(pk=assignment.pk)
    typed = {name: value for name in EXCEPTION_FIELDS if (value := values.get(name))}
    asked = _below_unasked(held, typed)
    own = {
        exception.membership_id: exception
        for exception in held.exceptions.filter(membership__in=members)
    }
    rows = [_changed(held, member, own.get(member.pk), typed, clear) for member in members]
    changed = [row for row in rows if _differs(row, own.get(row.membership_id))]
    for row in changed:
        _check_order(held, row, is_on_purpose=bool(asked))
    if asked:
        raise ValidationError(asked)
    if changed:
        _store(held, changed, by)
        act = f"made an exception for {len(changed)} member{'' if len(changed) == 1 else 's'}"
        _record(held, by, act, [row.membership for row in changed])
    return [row.membership for row in changed]


@transaction.atomic
def lift_exceptions(
    *, assignment: Assignment, members: Collection[Membership], by: User | None
) -> list[Membership]:
    """Lift rules that give members less than the class, and no others; return the changed members.

    Deadlines of attempts under way stay or get later.
    """
    held = Assignment.objects.select_for_update().get(pk=assignment.pk)
    lifted = [
        _changed(held, own.membership, own, {}, [*names, "earlier_on_purpose"])
        for own in held.exceptions.filter(membership__in=members).select_related("membership__user")
        if (names := below_class(held, own))
    ]
    if lifted:
        _store(held, lifted, by)
        act = f"lifted {len(lifted)} exception{'' if len(lifted) == 1 else 's'}"
        _record(held, by, act, [row.membership for row in lifted])
    return [row.membership for row in lifted]


def _below_unasked(held: Assignment, typed: Mapping[str, Any]) -> dict[str, str]:
    """Return by field the question about values that are earlier or lower than the class's.

    Where the class has no date or no limit nothing is asked: there is nothing to compare with.
    Raises ValidationError for values that no exception can have.
    """
    row = AssignmentException(assignment=held, **typed)
    row.clean_fields(exclude=["assignment", "membership", "made_by"])
    if row.earlier_on_purpose:
        return {}
    asked, now = {}, timezone.now()
    for name in below_class(held, row):
        common = getattr(held, name)
        if isinstance(common, datetime):
            less = f"earlier than the class’s {on_the_wall(common, held.zone, now)}"
        elif common is not None:
            less = f"less than the class’s {common}"
        else:
            continue
        asked[name] = f"This is {less}. Tick “{ON_PURPOSE}” to apply it anyway."
    return asked


def _changed(
    held: Assignment,
    member: Membership,
    own: AssignmentException | None,
    typed: Mapping[str, Any],
    clear: Collection[str],
) -> AssignmentException:
    """Return the exception that a member has after a change, not stored."""
    row = AssignmentException(assignment=held, membership=member)
    for name in EXCEPTION_FIELDS:
        if name in typed:
            setattr(row, name, typed[name])
        elif own is not None and name not in clear:
            setattr(row, name, getattr(own, name))
    if "earlier_on_purpose" not in typed and not below_class(held, row):
        row.earlier_on_purpose = False  # what it was said of is gone
    return row


def _differs(row: AssignmentException, own: AssignmentException | None) -> bool:
    """Return whether a change would be stored: a note or a purpose without a rule is not."""
    if own is None:
        return _has_rules(row)
    return any(getattr(row, name) != getattr(own, name) for name in EXCEPTION_FIELDS)


def _has_rules(row: AssignmentException) -> bool:
    return any(getattr(row, name) for name in OWN_RULES)


def _check_order(held: Assignment, row: AssignmentException, *, is_on_purpose: bool) -> None:
    """Refuse dates in the wrong order, those that count and those of the exception alone.

    `is_on_purpose`: as if what is earlier than the class's counted.
    """
    who, was_on_purpose = isolate(row.membership.label), row.earlier_on_purpose
    row.earlier_on_purpose = was_on_purpose or is_on_purpose
    rule = held.rule_for(row)
    row.earlier_on_purpose = was_on_purpose
    fault = date_fault(rule.opens_at, rule.due_at, rule.closes_at)
    if fault is not None:
        raise ValidationError({fault[0]: f"For {who}, the assignment {fault[1]}."})
    fault = date_fault(row.opens_at, row.due_at, row.closes_at)
    if fault is not None:
        words = f"With the dates for {who}, the assignment {fault[1]}."
        words += " Change or clear the other date too."
        raise ValidationError({fault[0]: words})


def _store(held: Assignment, rows: Collection[AssignmentException], by: User | None) -> None:
    """Write exceptions, delete those that have no rule, and move the deadlines of attempts."""
    now, kept = timezone.now(), [row for row in rows if _has_rules(row)]
    for row in kept:
        row.made_by, row.made_at = by, now
    AssignmentException.objects.bulk_create(
        kept,
        update_conflicts=True,
        unique_fields=["assignment", "membership"],
        update_fields=[*EXCEPTION_FIELDS, "made_by", "made_at"],
        batch_size=200,
    )
    gone = [row.membership for row in rows if not _has_rules(row)]
    held.exceptions.filter(membership__in=gone).delete()
    move_deadlines(held, [row.membership for row in rows])


@transaction.atomic
def remove_exceptions(
    *, assignment: Assignment, members: Collection[Membership], by: User | None
) -> list[Membership]:
    """Apply the rules of the class to members again; return the members with rules of their own.

    Deadlines of attempts under way stay or get later.
    """
    held = Assignment.objects.select_for_update().get(pk=assignment.pk)
    rows = held.exceptions.filter(membership__in=members)
    keys = set(rows.values_list("membership", flat=True))
    theirs = [member for member in members if member.pk in keys]
    if keys:
        rows.delete()
        move_deadlines(held, theirs)
        _record(held, by, f"removed {len(keys)} exception{'' if len(keys) == 1 else 's'}", theirs)
    return theirs


@transaction.atomic
def set_extra_time(*, members: Collection[Membership], percent: int, by: User | None) -> int:
    """Give members this extra time in all assignments of their class; return their number.

    Attempts that are under way get it too.
    """
    if not 0 <= percent <= 300:
        raise ValidationError(
            {"percent": f"Extra time must be between 0 and 300 percent, not {percent}."}
        )
    keys = [member.pk for member in members]
    Membership.objects.filter(pk__in=keys).update(extra_time_percent=percent)
    if members:
        cohort = next(iter(members)).cohort
        extra_time_changed(cohort, members)
        act = f"gave {len(keys)} member{'' if len(keys) == 1 else 's'} {percent} % extra time"
        named = [member.as_subject() for member in members]
        record_for_class(cohort, by, act, named)
    return len(keys)


def extra_time_changed(cohort: Cohort, members: Collection[Membership]) -> None:
    """Move the deadlines of these members' attempts under way, after their extra time changed.

    Call it in the transaction of the change. Queries for each timed quiz, none for each member.
    """
    own = AssignmentException.objects.filter(membership__in=members, minutes__isnull=False)
    timed = Q(minutes__isnull=False) | Q(pk__in=own.values("assignment"))
    for assignment in Assignment.objects.filter(timed, cohort=cohort).select_related("cohort"):
        move_deadlines(assignment, members)


def move_deadlines(assignment: Assignment, members: Iterable[Membership] | None = None) -> None:
    """Give attempts under way the deadline of the rules of now, never an earlier one than before.

    One without a deadline gets the first. Call it inside the transaction that changed the rules.
    Learners are locked before their attempts, in the order of their keys: an attempt that is being
    begun holds its learner, and by the rules from before it would keep a deadline that has moved.
    """
    if assignment.quiz_id is None:
        return
    places = Membership.objects.filter(cohort=assignment.cohort_id)
    if members is not None:
        places = places.filter(pk__in=[one.pk for one in members])
    people = {
        key: place
        for place in places.select_related("user__learner")
        if (key := learner_key(place)) is not None
    }
    learners = Learner.objects.select_for_update(no_key=True).filter(pk__in=people)
    list(learners.order_by("pk").values_list("pk"))
    rows = Attempt.objects.open(timezone.now()).filter(sitting=assignment.sitting)
    own = {one.membership_id: one for one in assignment.exceptions.all()}
    for attempt in rows.filter(learner__in=people).select_for_update().order_by("pk"):
        member = people[attempt.learner_id]
        rule = assignment.rule_for(own.get(member.pk), member.extra_time_percent)
        end = rule.deadline(attempt.started_at)
        if attempt.deadline_at is not None and end is not None:
            end = max(end, attempt.deadline_at)
        if end != attempt.deadline_at:
            Attempt.objects.filter(pk=attempt.pk).update(deadline_at=end)


@transaction.atomic
def override_mark(
    *,
    assignment: Assignment,
    membership: Membership,
    points: Decimal | None,
    reason: str,
    by: User | None,
) -> MarkOverride:
    """Set a member's points by hand, or take back what was set with None. Raises ValidationError.

    The student reads the reason of points, the staff alone that of taking them back.
    """
    made = MarkOverride(
        assignment=assignment, membership=membership, points=points, reason=reason.strip(), by=by
    )
    made.full_clean(exclude=["by"])
    if membership.cohort_id != assignment.cohort_id:
        raise ValidationError(f"{membership} is in another class than {assignment}")
    made.save()
    act = "took back a mark set by hand" if points is None else "set a mark by hand"
    _record(assignment, by, act, [membership])
    return made


def _record(
    assignment: Assignment, by: User | None, act: str, members: Iterable[Membership] = ()
) -> None:
    subjects = [assignment.as_subject(), *(member.as_subject() for member in members)]
    record_for_class(assignment.cohort, by, act, subjects)


def _handed_in_by(assignment: Assignment) -> int:
    people = Submission.objects.filter(
        exercise_version__exercise=assignment.exercise_id,
        kind=Submission.Kind.SUBMIT,
        submitted_at__gte=assignment.opens_at,
        learner__user__class_memberships__cohort=assignment.cohort_id,
    )
    return people.aggregate(people=Count("learner", distinct=True))["people"] or 0
