"""Marks read from the database: eight queries for a class, however large it is.

A mark is computed when it is read, from what was submitted and the rules. Nothing is written here:
an attempt whose time is up counts as submitted, whether or not somebody has written that down.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, cached_property, lru_cache
from typing import Any, TypeVar

from django.db.models import (
    Case,
    CharField,
    DecimalField,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.utils import timezone

from quizzes.assessment.models import Attempt, Response
from quizzes.classes.marks.cells import (
    ZERO,
    Cell,
    State,
    SubmissionFacts,
    SubmittedWork,
    Total,
    counted_submissions,
    lesson_mark,
    mark,
    overridden,
    total,
)
from quizzes.classes.marks.lesson_steps import places_left, places_of
from quizzes.classes.members import find_members
from quizzes.classes.models import (
    Assignment,
    AssignmentException,
    Cohort,
    FrozenMarks,
    MarkOverride,
    Membership,
)
from quizzes.classes.rules import GRACE, Rule, WorkKind
from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner, Progress
from quizzes.statements import Param, Reader, TimeParam

LATER = ("files", "problems", "outline", "proof")  # of a version: long, and not asked here
POINTS = DecimalField(max_digits=12, decimal_places=5)
Submits = dict[tuple[int, int], list[SubmissionFacts]]  # by learner and exercise
LearnerSitting = tuple[int, int | None]
Done = dict[tuple[int, str, str], datetime]  # by learner, step and question ("" for the step)
# In frozen marks of versions before 0.4.0; their "handed in" is what an unknown word is read as.
FORMER_STATES = {"not begun": State.NOT_STARTED, "nothing handed in": State.MISSED}


@dataclass(frozen=True)
class MemberMarks:
    """One member's marks, in the order of the assignments."""

    membership: Membership
    cells: Sequence[tuple[Assignment, Rule, Cell]]
    newest: Mapping[LearnerSitting, int]  # key of the newest attempt, by learner and sitting

    @cached_property
    def total(self) -> Total:
        return total((rule.points, cell) for _, rule, cell in self.cells)

    def cell(self, assignment: int) -> tuple[Assignment, Rule, Cell] | None:
        """Return the mark for one assignment, by its key."""
        return next((one for one in self.cells if one[0].pk == assignment), None)

    def newest_attempt(self, assignment: Assignment) -> int | None:
        """Return the key of the member's newest attempt, whether it counts or is open."""
        learner = learner_key(self.membership)
        return None if learner is None else self.newest.get((learner, assignment.sitting))


@dataclass(frozen=True)
class Marks:
    """The marks of a class at one time."""

    assignments: Sequence[Assignment]
    members: Sequence[MemberMarks]
    at: datetime


def marks(
    cohort: Cohort,
    *,
    now: datetime | None = None,
    members: QuerySet[Membership] | list[Membership] | None = None,
    hidden_too: bool = False,
) -> Marks:
    """Return the marks of a class. Eight queries.

    `members`: of these members, otherwise all students that were not removed; a list saves the
    query if each has its account and learner. `hidden_too`: also in assignments that the class does
    not see.
    """
    at = now or timezone.now()
    chosen = students(cohort) if members is None else members
    people = chosen if isinstance(chosen, list) else list(chosen.select_related("user__learner"))
    assigned = list(assignments_of(cohort, hidden_too=hidden_too))
    work = _Work(cohort, assigned, people, at, is_whole=members is None)
    return Marks(assigned, [work.of(member) for member in people], at)


def own_marks(
    member: Membership,
    assigned: Sequence[Assignment],
    exceptions: Mapping[int, AssignmentException],
    now: datetime,
) -> MemberMarks:
    """Return the marks of one member in these assignments of the class.

    `exceptions`: the member's own, by the key of the assignment. Give the account and its learner
    with the member. Three queries, and more where marks were set by hand or written down.
    """
    own = {(member.pk, key): row for key, row in exceptions.items()}
    return _Work(member.cohort, assigned, [member], now, is_whole=False, exceptions=own).of(member)


def marks_of(membership: Membership, *, now: datetime | None = None) -> MemberMarks:
    """Return the marks of one member in all assignments, hidden ones too. Eight queries."""
    one = Membership.objects.filter(pk=membership.pk)
    return marks(membership.cohort, now=now, members=one, hidden_too=True).members[0]


def students(
    cohort: Cohort, text: str = "", *, section: str = "", removed_too: bool = False
) -> QuerySet[Membership]:
    """Return the students of a class, those who have not come yet and deleted persons included."""
    rows = find_members(cohort, text, section=section, role=Membership.Role.STUDENT)
    if not removed_too:
        rows = rows.exclude(state=Membership.State.REMOVED)
    return rows.order_by("name", "pk")


def assignments_of(cohort: Cohort, *, hidden_too: bool = False) -> QuerySet[Assignment]:
    """Return the assignments of a class in their order, with what they assign. One query."""
    found = Assignment.objects.filter(cohort=cohort).order_by("place", "pk")
    if not hidden_too:
        found = found.filter(is_visible=True)
    later = [f"exercise__current__{name}" for name in LATER]
    return found.select_related("cohort", "quiz", "exercise__current", "lesson").defer(*later)


@dataclass
class _Work:
    """All that the marks of a class are computed from."""

    cohort: Cohort
    assigned: Sequence[Assignment]
    people: Sequence[Membership]
    now: datetime
    is_whole: bool  # the class, not some members
    exceptions: Mapping[tuple[int, int], AssignmentException] | None = None  # None: to be read
    overrides: Mapping[tuple[int, int], MarkOverride] = field(init=False)
    frozen: Mapping[tuple[int, int], FrozenMarks] = field(init=False)

    def __post_init__(self) -> None:
        if self.exceptions is None:
            self.exceptions = _by_member(AssignmentException.objects.filter(self._of()).order_by())
        self.overrides, self.frozen = {}, {}
        if any(member.may_have_overrides for member in self.people):
            # The newest is left.
            self.overrides = _by_member(MarkOverride.objects.filter(self._of()).order_by("pk"))
        if any(member.may_have_frozen_marks for member in self.people):
            self.frozen = _by_member(FrozenMarks.objects.filter(self._of()).order_by())
        self._rules = {one.pk: one.rule_for() for one in self.assigned}
        self._attempts, self._open, self._newest = _attempts(
            self.assigned, self._learners(), self.now
        )
        self._submits = _submits(self.assigned, self._learners())
        self._done = _done(self.cohort, self.assigned, self._learners())

    def _of(self) -> Q:
        rows: Q = Q(assignment__cohort=self.cohort)
        if not self.is_whole:
            rows &= Q(membership__in=[member.pk for member in self.people])
        return rows

    def _learners(self) -> QuerySet[Learner] | list[int]:
        """Return the learners whose work is read; as a query of a class, which may be large."""
        if self.is_whole:
            return Learner.objects.filter(user__class_memberships__cohort=self.cohort)
        return [one for member in self.people if (one := learner_key(member)) is not None]

    def of(self, member: Membership) -> MemberMarks:
        learner = learner_key(member)
        found = []
        for assignment in self.assigned:
            own = (self.exceptions or {}).get((member.pk, assignment.pk))
            rule = self._rules[assignment.pk] if own is None else assignment.rule_for(own)
            found.append((assignment, rule, self._cell(member.pk, learner, assignment, rule)))
        return MemberMarks(member, found, self._newest)

    def _cell(self, member: int, learner: int | None, assignment: Assignment, rule: Rule) -> Cell:
        kept = self.frozen.get((member, assignment.pk))
        by_hand = self.overrides.get((member, assignment.pk))
        if kept is not None:
            cell = frozen_cell(kept, rule, self.now)
            if by_hand is not None and by_hand.at <= kept.counted_at:
                by_hand = None  # it is in the frozen mark
        else:
            cell = self._computed(learner, assignment, rule)
        if by_hand is None or by_hand.points is None:
            return cell
        return overridden(cell, by_hand.points, by_hand.reason)

    def _computed(self, learner: int | None, assignment: Assignment, rule: Rule) -> Cell:
        if learner is None:
            return mark(rule, [], now=self.now)
        if rule.kind == WorkKind.QUIZ:
            key = (learner, assignment.sitting)
            work = self._attempts.get(key, [])
            return mark(rule, work, now=self.now, is_open=key in self._open)
        if rule.kind == WorkKind.EXERCISE:
            assert assignment.exercise_id is not None
            submits = self._submits.get((learner, assignment.exercise_id), [])
            return mark(rule, counted_submissions(rule, submits), now=self.now)
        done = [step_done(self._done, learner, *step) for step in assignment.steps]
        cell = lesson_mark(rule, done, now=self.now)
        left = places_left(assignment.steps, lambda place: (learner, *place) in self._done)
        return replace(cell, undone=left)


RowOfMember = TypeVar("RowOfMember", AssignmentException, MarkOverride, FrozenMarks)


def _by_member(rows: Iterable[RowOfMember]) -> dict[tuple[int, int], RowOfMember]:
    return {(row.membership_id, row.assignment_id): row for row in rows}


def learner_key(member: Membership) -> int | None:
    """Return the key of a member's learner, None before there is one."""
    learner = getattr(member.user, "learner", None) if member.user is not None else None
    return None if learner is None else int(learner.pk)


def frozen_cell(kept: FrozenMarks, rule: Rule, now: datetime) -> Cell:
    """Return the mark that was written down before a member's work was cut off."""
    known = kept.state in set(State)
    state = State(kept.state) if known else FORMER_STATES.get(kept.state, State.SUBMITTED)
    return Cell(state, kept.points, is_final=True, is_due=rule.is_due(now), is_frozen=True)


def step_done(done: Done, learner: int, step: str, questions: Iterable[str]) -> datetime | None:
    """Return when a step was done: its own questions answered, or without any, it was read."""
    times = [
        min((at for place in places if (at := done.get((learner, *place)))), default=None)
        for places in places_of(step, questions)
    ]
    there = [at for at in times if at is not None]
    return max(there) if len(there) == len(times) else None


def _attempts(
    assigned: Sequence[Assignment], learners: QuerySet[Learner] | list[int], now: datetime
) -> tuple[
    dict[LearnerSitting, list[SubmittedWork]],
    set[LearnerSitting],
    dict[LearnerSitting, int],
]:
    """Return the attempts that are submitted, where one is open, and the key of the newest.

    All by learner and sitting.

    Points of an attempt that the clock submitted and nobody wrote down are added up from its
    answers, here and only for these. One query.
    """
    sittings = [work.sitting for work in assigned if work.quiz_id is not None]
    if not sittings:
        return {}, set(), {}
    if isinstance(learners, list) and len(learners) == 1:
        rows = _attempts_of_one().read(learner=learners[0], cohort=assigned[0].cohort_id, now=now)
    else:
        named = Attempt.objects.filter(sitting__in=sittings, learner__in=learners)
        rows = list(_attempt_rows(named, now))
    found: dict[LearnerSitting, list[SubmittedWork]] = defaultdict(list)
    under_way, newest = set(), dict[LearnerSitting, int]()
    for pk, learner, sitting, submitted, deadline, stored, of, counted, counted_of in rows:
        key = (learner, sitting)
        newest[key] = max(pk, newest.get(key, 0))
        if submitted is not None:
            found[key].append(SubmittedWork(pk, submitted, stored or ZERO, of or ZERO))
        elif deadline is not None and deadline + GRACE < now:
            found[key].append(SubmittedWork(pk, deadline, counted or ZERO, counted_of or ZERO))
        else:
            under_way.add(key)
    return found, under_way, newest


AttemptRow = tuple[Any, ...]


def _attempt_rows(
    attempts: QuerySet[Attempt], now: datetime | TimeParam
) -> QuerySet[Attempt, AttemptRow]:
    over = Q(submitted_at=None, deadline_at__lt=now - GRACE)
    answers = Response.objects.filter(attempt=OuterRef("pk"), is_dropped=False).order_by()
    sums = answers.values("attempt")
    earned = Subquery(sums.annotate(sum=Sum(F("points") * F("score"))).values("sum"))
    possible = Subquery(sums.annotate(sum=Sum("points")).values("sum"))
    counted = attempts.order_by().annotate(
        counted=Case(When(over, then=earned), output_field=POINTS),
        counted_of=Case(When(over, then=possible), output_field=POINTS),
    )
    return counted.values_list(
        "pk",
        "learner_id",
        "sitting",
        "submitted_at",
        "deadline_at",
        "earned",
        "possible",
        "counted",
        "counted_of",
    )


# The SQL for one learner is written once: Django took a quarter of a class's page to write it.
@cache
def _attempts_of_one() -> Reader[AttemptRow]:
    sittings = Assignment.objects.filter(cohort=Param("cohort")).order_by().values("pk")
    mine = Attempt.objects.filter(learner=Param("learner"), sitting__in=sittings)
    return Reader(_attempt_rows(mine, TimeParam("now")))


def _submits(assigned: Sequence[Assignment], learners: QuerySet[Learner] | list[int]) -> Submits:
    """Return every Submit to the assigned exercises, without its report. One query."""
    exercises = {one.exercise_id for one in assigned if one.exercise_id is not None}
    if not exercises:
        return {}
    if isinstance(learners, list) and len(learners) == 1:
        rows = _submits_of_one().read(learner=learners[0], cohort=assigned[0].cohort_id)
    else:
        named = {"learner__in": learners, "exercise_version__exercise__in": exercises}
        rows = list(_submit_rows(Submission.objects.filter(**named)))
    found: Submits = defaultdict(list)
    for learner, exercise, pk, at, verdict, passed, cases, parsed in rows:
        facts = SubmissionFacts(pk, at, verdict, passed, cases, parsed)
        found[learner, exercise].append(facts)
    return found


SubmitRow = tuple[int, int, int, datetime, str, int | None, int | None, bool]


def _submit_rows(submissions: QuerySet[Submission]) -> QuerySet[Submission, SubmitRow]:
    submits = submissions.filter(kind=Submission.Kind.SUBMIT).order_by()
    rows: QuerySet[Submission, SubmitRow] = submits.values_list(
        "learner_id",
        "exercise_version__exercise_id",
        "pk",
        "submitted_at",
        "verdict",
        "cases_passed",
        "cases_total",
        "parsed",
    )
    return rows


@cache
def _submits_of_one() -> Reader[SubmitRow]:
    assigned = Assignment.objects.filter(cohort=Param("cohort"), exercise__isnull=False)
    exercises = assigned.order_by().values("exercise")
    named = {"learner": Param("learner"), "exercise_version__exercise__in": exercises}
    return Reader(_submit_rows(Submission.objects.filter(**named)))


def _done(
    cohort: Cohort, assigned: Sequence[Assignment], learners: QuerySet[Learner] | list[int]
) -> Done:
    """Return when steps were read and their questions first answered. One query."""
    steps = [step for one in assigned for step in one.steps]
    if not steps:
        return {}
    places = {place for step in steps for kinds in places_of(*step) for place in kinds}
    read = sorted({step for step, question in places if not question})
    answered = sorted({step for step, question in places if question})
    if isinstance(learners, list) and len(learners) == 1:
        named = dict(zip(_names("read", len(read)), read, strict=True))
        named |= zip(_names("answered", len(answered)), answered, strict=True)
        reader = _done_of_one(len(read), len(answered))
        rows = reader.read(learner=learners[0], course=cohort.course_id, **named)
    else:
        rows = list(_done_rows(cohort.course_id, {"learner__in": learners}, read, answered))
    return {(learner, step, question): at for learner, step, question, at in rows}


DoneRow = tuple[int, str, str, datetime]


def _done_rows(
    course: Any, learners: Mapping[str, Any], read: Sequence[Any], answered: Sequence[Any]
) -> QuerySet[Progress, DoneRow]:
    steps = Progress.objects.filter(
        **learners,
        course=course,
        kind=Progress.Kind.STEP,
        slug__in=read,
        done_at__isnull=False,
    )
    none = Value("", output_field=CharField())
    reads = steps.order_by().values_list("learner_id", "slug", none, "done_at")
    answers = Response.objects.filter(
        **learners,
        attempt=None,
        step__in=answered,
        version__question__course=course,
        answered_at__isnull=False,
    ).order_by()
    firsts = answers.values_list("learner_id", "step", "version__question__slug")
    return reads.union(firsts.annotate(first=Min("answered_at")), all=True)


@lru_cache(maxsize=64)  # a class has the same numbers of steps for all of its members
def _done_of_one(read: int, answered: int) -> Reader[DoneRow]:
    steps = [
        [Param(name, CharField()) for name in names]
        for names in (_names("read", read), _names("answered", answered))
    ]
    return Reader(_done_rows(Param("course"), {"learner": Param("learner")}, *steps))


def _names(word: str, number: int) -> list[str]:
    return [f"{word}_{place}" for place in range(number)]
