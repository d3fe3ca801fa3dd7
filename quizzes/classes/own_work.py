"""What a learner has to do in classes: the assignments of a learner, with the rules that hold."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    FilteredRelation,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from quizzes.assessment.models import Attempt
from quizzes.classes.marks.reader import LATER
from quizzes.classes.models import Assignment, AssignmentException, Membership
from quizzes.classes.models.work import MOST_GRACE, not_closed_at
from quizzes.classes.rules import Rule, after
from quizzes.courses.models import LATER as LATER_OF_COURSE
from quizzes.exercises.models import Submission
from quizzes.exercises.models.submission import SOLVING
from quizzes.grader.api import Verdict
from quizzes.learners.models import Learner
from quizzes.page_reads import is_reading, read_once
from quizzes.statements import Param, Reader, TimeParam

SOON = timedelta(days=3)  # before work is due
LONGEST_GRACE = timedelta(minutes=MOST_GRACE)
SUBMITS_EXPECTED = 2  # of a student, who may submit more often
STUDENT, State = Membership.Role.STUDENT, Membership.State


class OwnWork(NamedTuple):
    """An assignment of a class that a learner is in."""

    assignment: Assignment
    membership: Membership
    rule: Rule


class HeldBackWork(NamedTuple):
    """The same, and what the learner has done: an attempt, code and its verdict."""

    assignment: Assignment
    membership: Membership
    rule: Rule
    is_submitted: bool  # an attempt at its quiz
    best_verdict: str  # of its exercise: one that solves it, "" for none
    used_attempts: int  # at its exercise, by the member's own rule

    @property
    def has_submit_left(self) -> bool:
        """Return whether the class takes one more Submit while the work is open."""
        rule = self.rule
        return rule.attempts is None or rule.is_excused or self.used_attempts < rule.attempts


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


def own_work(learner: Learner | None, **which: Any) -> list[OwnWork]:
    """Return the visible assignments of a learner's classes; `which` names things they must have.

    One query, none without an account; a page that only reads asks once for all that it shows.
    """
    if learner is None or not learner.may_be_in_class:
        return []
    keys = {name: getattr(thing, "pk", thing) for name, thing in which.items()}
    if is_reading():
        works = [OwnWork(*work[:3]) for work in work_to_do(learner, timezone.now())]
        return [work for work in works if _has(work.assignment, keys)]
    reader = _own_work(*sorted(keys))
    return [_own(row) for row in reader.read(user=learner.user_id, **keys)]


def work_to_do(learner: Learner | None, now: datetime) -> list[HeldBackWork]:
    """Return the assignments that classes show a learner who is in them now.

    While staff of a class view as the learner, those of that class. One query, as `own_work`.
    """
    return [
        work
        for work in held_back_work(learner, now)
        if work.assignment.is_visible
        and is_student_now(work.membership)
        and learner is not None
        and learner.only_class in {None, work.assignment.cohort_id}
    ]


def _has(assignment: Assignment, keys: dict[str, Any]) -> bool:
    return all(
        key == (assignment.pk if name == "pk" else getattr(assignment, f"{name}_id"))
        for name, key in keys.items()
    )


@cache
def _own_work(*names: str) -> Reader[Assignment]:
    rows = _of_member(Param("user")).filter(_IS_STUDENT_NOW, is_visible=True)
    return Reader(rows.filter(**{name: Param(name) for name in names}))


def is_assigned(learner: Learner, thing: Model) -> bool:
    """Return whether a class of a learner has a quiz, an exercise or a lesson to do. One query."""
    kind, places = thing._meta.model_name, memberships_of(learner)
    rows = Assignment.objects.filter(is_visible=True, cohort__in=places.values("cohort"))
    return rows.filter(**{str(kind): thing}).exists()


def assignments_open_since(at: datetime) -> dict[int, int]:
    """Count the assignments of each exercise, by its key, that were open at `at` or later.

    An exception may keep one open, and an archived class closes all of its own. One query.
    """
    rows = Assignment.objects.filter(
        not_closed_at(at),
        Q(cohort__archived_at=None) | Q(cohort__archived_at__gte=at),
        exercise__isnull=False,
        is_visible=True,
    )
    counted = rows.order_by().values_list("exercise").annotate(Count("pk"))
    return dict(counted)


def submits_expected(now: datetime) -> Counter[int]:
    """Count the Submits that the students of each exercise, by its key, are expected to make.

    Of work that is due within days, or in its grace: two of each student, or as many as count, less
    those that the student has made since it opened. A student who submits more often leaves the
    others theirs. An exercise from which none is expected is missing. One query.
    """
    students = Membership.objects.filter(
        cohort=OuterRef("cohort"), state=State.ACTIVE, role=STUDENT
    )
    own = Submission.objects.filter(
        exercise_version__exercise=OuterRef(OuterRef("exercise")),
        own_pack=True,
        submitted_at__gte=OuterRef(OuterRef("opens_at")),
        learner__user=OuterRef("user"),
    )
    # The students with at most 0 Submits, with at most 1, ... Those without any are in each of
    # these numbers, so the sum is how many Submits all of them still have before them.
    numbers = {
        f"with_at_most_{count}": _count_of(students.filter(~Exists(own[count:])))
        for count in range(SUBMITS_EXPECTED)
    }
    rows = (
        Assignment.objects.filter(
            Q(due_at__range=(now - LONGEST_GRACE, now + SOON))
            | Q(closes_at__range=(now, now + SOON)),
            Q(closes_at=None) | Q(closes_at__gte=now),
            cohort__archived_at=None,
            exercise__isnull=False,
            is_visible=True,
        )
        .annotate(**numbers)
        .values_list("exercise", "attempts", "due_at", "grace_minutes", "closes_at", *numbers)
    )
    expected: Counter[int] = Counter()
    for exercise, attempts, due_at, grace, closes_at, *counts in rows.order_by():
        # Here, since each database has its own way to add a column of minutes to a date.
        is_in_time = due_at is not None and now <= after(due_at, timedelta(minutes=grace))
        if is_in_time or (closes_at is not None and closes_at <= now + SOON):
            expected[exercise] += sum(counts[:attempts])
    return +expected  # without zeros


def _count_of(rows: QuerySet[Any]) -> Coalesce:
    alone = rows.order_by().annotate(all=Value(1)).values("all")
    return Coalesce(Subquery(alone.annotate(number=Count("pk")).values("number")), 0)


def held_back_work(learner: Learner | None, now: datetime) -> Sequence[HeldBackWork]:
    """Return the assignments whose answers and marks may have to stay hidden from a learner.

    Those of `own_work`, and those that a learner has submitted something for, although the class
    was archived, the person removed from it or the assignment hidden meanwhile: a mistaken click
    shows nobody the answers of an exam. One query, as `own_work`.
    """
    if learner is None or not learner.may_be_in_class:
        return []
    values = {"user": learner.user_id, "learner": learner.pk, "now": now}
    rows = read_once(("held-back work", learner.pk), lambda: _held_back_work().read(**values))
    return [_held_back(row) for row in rows]


def _held_back(row: Assignment) -> HeldBackWork:
    work = _own(row)
    used = row.graded_submits if work.rule.counts_unparsed else row.used_attempts
    return HeldBackWork(*work, row.is_submitted, row.best_verdict or "", used)


@cache
def _held_back_work() -> Reader[Assignment]:
    begun = Attempt.objects.filter(learner=Param("learner"), sitting=OuterRef("pk")).order_by()
    rows = _of_member(Param("user")).filter(Q(_IS_STUDENT_NOW, is_visible=True) | Exists(begun))
    submitted = Exists(begun.handed_in(TimeParam("now")))
    code = Submission.objects.filter(
        learner=Param("learner"),
        kind=Submission.Kind.SUBMIT,
        exercise_version__exercise=OuterRef("exercise"),
    ).order_by()
    solved = code.filter(verdict__in=SOLVING).order_by("verdict").values("verdict")
    graded = code.exclude(verdict=Verdict.NOT_GRADED).filter(submitted_at__gte=OuterRef("opening"))
    return Reader(
        rows.alias(opening=_OWN_OPENING).annotate(  # type: ignore[no-redef]
            is_submitted=submitted,
            best_verdict=Subquery(solved[:1]),
            graded_submits=_count_of(graded),
            used_attempts=_count_of(graded.using_attempts()),
        )
    )


# As `rules.effective` has it: of two dates the later, unless the earlier one is on purpose.
_OWN_DATE = F("member_exception__opens_at")
_OWN_OPENING = Coalesce(
    Case(When(member_exception__earlier_on_purpose=True, then=_OWN_DATE)),
    Greatest("opens_at", Coalesce(_OWN_DATE, "opens_at")),
)
_IS_STUDENT_NOW = Q(member__state=State.ACTIVE, cohort__archived_at=None)


def _of_member(user: Any) -> QuerySet[Assignment]:
    """Return the assignments of all classes that an account is or was a student of.

    Each with its things, its class, `member` and `member_exception`.
    """
    path = "cohort__memberships"
    place = Q(**{f"{path}__user": user, f"{path}__role": STUDENT})
    own = Q(exceptions__membership=F("member"))
    rows = Assignment.objects.alias(  # type: ignore[no-redef]
        member=FilteredRelation(path, condition=place),
        member_exception=FilteredRelation("exceptions", condition=own),
    )
    there = rows.filter(**{"member__state__in": [State.ACTIVE, State.REMOVED]})
    things = ("quiz", "exercise__current", "lesson", "cohort__course", "member", "member_exception")
    later = [f"exercise__current__{name}" for name in LATER]
    later += [f"cohort__course__{name}" for name in LATER_OF_COURSE]
    return there.select_related(*things).defer(*later).order_by("cohort", "place", "pk")


def _own(row: Assignment) -> OwnWork:
    row.member.cohort = row.cohort
    rule = row.rule_for(exception_of(row), row.member.extra_time_percent)
    return OwnWork(row, row.member, rule)


def exception_of(row: Assignment) -> AssignmentException | None:
    """Return the exception of the member whose work an assignment of `own_work` is."""
    exception: AssignmentException | None = getattr(row, "member_exception", None)
    return exception  # Django sets it where there is one


def is_student_now(place: Membership) -> bool:
    """Return whether a place lets its person work in the class."""
    return place.state == Membership.State.ACTIVE and place.cohort.archived_at is None
