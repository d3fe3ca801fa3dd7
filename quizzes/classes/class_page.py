"""What a learner's page of a class says: what is due next, marks with why, what is new."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from functools import cache
from typing import Any

from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast
from django.utils.safestring import SafeString

from quizzes.assessment.models import (
    QuestionVersion,
    Quiz,
    QuizQuestion,
    RegradedResponse,
)
from quizzes.classes.dates import distance, in_words
from quizzes.classes.marks.cells import Cell, State, Total, at_two_digits, total
from quizzes.classes.marks.lesson_steps import steps_to_open
from quizzes.classes.marks.reader import marks, own_marks
from quizzes.classes.marks.words import short_mark, short_state, why
from quizzes.classes.models import Assignment, Cohort, FrozenMarks, MarkOverride, Membership
from quizzes.classes.own_work import exception_of, own_work
from quizzes.classes.rules import Rule, Shows
from quizzes.courses.addresses import (
    attempt_review_address,
    exercise_address,
    lesson_address,
    quiz_address,
    step_address,
)
from quizzes.courses.content import cached_content
from quizzes.courses.models import LATER
from quizzes.exercises.models import ExerciseVersion, TrialVerdict
from quizzes.learners.models import Learner
from quizzes.learners.services import hidden_slugs
from quizzes.lessons.course_lessons import course_lessons
from quizzes.lessons.models import Lesson
from quizzes.pages.markdown import first_paragraph, render_markdown
from quizzes.statements import Param, Reader

MOST_NEW = 20
MOST_CORRECTIONS = 10


@dataclass(frozen=True)
class ClassLine:
    """One assignment as its learner sees it."""

    assignment: Assignment
    rule: Rule
    cell: Cell
    end: datetime | None  # the next date that matters: it opens, is due, closes
    ends: str  # "opens", "due" or "closes"
    date: str  # in words, with the zone of the class
    distance: str
    why: Sequence[str]
    shows_mark: bool
    address: str  # where its title leads, "" for nowhere
    step: str = ""  # of a lesson, the title of the step that is left and that it leads to

    @property
    def mark(self) -> str:
        return short_mark(self.cell) if self.shows_mark else "—"

    @property
    def state(self) -> str:
        """Return the words beside the mark; while it is hidden they tell nothing of it."""
        if self.shows_mark:
            return short_state(self.cell) or self.cell.state.value
        done = self.cell.handed_in or self.cell.steps[0]
        return "submitted" if done else short_state(self.cell) or self.cell.state.value

    @property
    def steps(self) -> str:
        """Return how much of a lesson is done, "" where nothing is or its mark is not shown."""
        done, steps = self.cell.steps
        return f"{done} of {steps} steps" if done and self.shows_mark else ""

    @property
    def points(self) -> str:
        return at_two_digits(self.rule.points)

    @property
    def when_shown(self) -> str:
        """Return when the mark is shown, for one that is not."""
        return {
            Shows.AFTER_DUE.value: "shown after the due date",
            Shows.AFTER_CLOSE.value: "shown after it closes",
        }.get(self.assignment.shows_marks, "not shown")

    @property
    def is_to_do(self) -> bool:
        """Return whether there is something left to submit."""
        is_read = self.cell.steps[1] > 0 and not self.cell.undone  # a lesson, late or in time
        return not is_read and self.cell.state in {State.NOT_OPEN, State.NOT_STARTED, State.OPEN}


@dataclass(frozen=True)
class MarkCorrection:
    """An answer of the learner that was regraded, in work whose mark is shown.

    `number` is that of a question, 0 for code; `words` say how it counts, "" while the learner may
    not see which answers are right.
    """

    title: str
    number: int
    at: datetime
    words: str
    note: SafeString
    address: str


@dataclass(frozen=True)
class ClassPage:
    """The page of one learner in one class."""

    lines: Sequence[ClassLine]
    due_next: Sequence[ClassLine]
    total: Total
    hidden_marks: int
    corrections: Sequence[MarkCorrection]


def own_place(cohort: str, account: int | None) -> Membership | None:
    """Return the place of an account in a class, by its slug, with its learner. One query.

    It says whether any work of the learner, in any class, was ever regraded, and where marks need
    not be looked for.
    """
    return _own_places().first(cohort=cohort, user=account)


@cache
def _own_places() -> Reader[Membership]:
    learner, place = OuterRef("user__learner"), OuterRef("pk")
    answers = RegradedResponse.objects.filter(response__attempt__learner=learner, undone_at=None)
    code = TrialVerdict.objects.filter(
        submission__learner=learner, applied_at__isnull=False, undone_at=None
    )
    rows = Membership.objects.filter(
        cohort__slug=Param("cohort", CharField()), user=Param("user"), state=Membership.State.ACTIVE
    )
    things = rows.select_related("cohort__course", "user__learner")
    return Reader(
        things.defer(*(f"cohort__course__{name}" for name in LATER)).annotate(  # type: ignore[no-redef]
            was_corrected=Exists(answers.order_by()) | Exists(code.order_by()),
            may_have_overrides=Exists(MarkOverride.objects.filter(membership=place).order_by()),
            may_have_frozen_marks=Exists(FrozenMarks.objects.filter(membership=place).order_by()),
        )
    )


def class_page(member: Membership, learner: Learner | None, now: datetime) -> ClassPage:
    """Return a class page's content for a member of `own_place` and the member's learner.

    Four queries, up to five more where something was regraded or a mark was set by hand.
    """
    if learner is None or member.cohort.archived_at is not None:
        own_row = marks(member.cohort, now=now, members=[member]).members[0]
    else:
        works = [work.assignment for work in own_work(learner, cohort=member.cohort)]
        own = {work.pk: exception_of(work) for work in works}
        exceptions = {key: exception for key, exception in own.items() if exception is not None}
        own_row = own_marks(member, works, exceptions, now)
    titles = _step_titles(member.cohort, own_row.cells)
    lines = [
        _line(member.cohort, *cell, titles, now=now, newest=own_row.newest_attempt(cell[0]))
        for cell in own_row.cells
    ]
    takes_work = member.cohort.archived_at is None
    to_do = [one for one in lines if takes_work and one.is_to_do and not one.rule.loses_all(now)]
    to_do.sort(key=lambda line: (line.end is None, line.end or now, line.assignment.pk))
    shown = [line for line in lines if line.shows_mark]
    return ClassPage(
        lines=lines,
        due_next=to_do,
        total=total((line.rule.points, line.cell) for line in shown),
        hidden_marks=len(lines) - len(shown),
        corrections=_corrections(member, shown),
    )


def _corrections(member: Membership, shown: Sequence[ClassLine]) -> list[MarkCorrection]:
    """Return the regrades of the member's own work, newest first.

    A piece of work stands once, as it counts now. Nothing is told of work whose mark is not shown.
    """
    learner = getattr(member.user, "learner", None) if member.user is not None else None
    if learner is None or not member.was_corrected:
        return []
    found = [
        *_answers_corrected(member, learner, shown),
        *_code_corrected(learner, [one.assignment for one in shown]),
    ]
    return sorted(found, key=lambda correction: correction.at, reverse=True)[:MOST_CORRECTIONS]


def _answers_corrected(
    member: Membership, learner: Learner, shown: Sequence[ClassLine]
) -> list[MarkCorrection]:
    sittings: dict[int | None, Assignment] = {
        work.assignment.sitting: work.assignment for work in shown if work.assignment.quiz_id
    }
    if not sittings:
        return []
    rows = (
        RegradedResponse.objects.filter(
            response__attempt__learner=learner,
            response__attempt__sitting__in=sittings,
            undone_at=None,
        )
        .select_related("regrade__question", "response__attempt__quiz__course")
        .order_by("-regrade")
    )
    newest: dict[int, RegradedResponse] = {}
    for row in rows:
        newest.setdefault(row.response_id, row)
    if not newest:
        return []
    hidden = hidden_slugs(learner, member.cohort.course_id, "question")
    return [_correction(row, sittings, hidden) for row in newest.values()]


def _code_corrected(learner: Learner, assigned: Sequence[Assignment]) -> list[MarkCorrection]:
    titles = {one.exercise_id: one.title for one in assigned if one.exercise_id}
    if not titles:
        return []
    rows = TrialVerdict.objects.filter(
        submission__learner=learner,
        regrade__exercise__in=titles,
        applied_at=F("submission__graded_at"),
        undone_at=None,
    ).select_related("regrade", "submission__exercise_version__exercise__course")
    rows = rows.defer("report", "arrays", "submission__report", "submission__code")
    return [
        MarkCorrection(
            title=titles[row.regrade.exercise_id],
            number=0,
            at=row.regrade.applied_at or row.regrade.at,
            words=f"your submission counts as: {row.submission.verdict_label}",
            note=render_markdown(row.regrade.note),
            address=row.submission.get_absolute_url(),
        )
        for row in rows.order_by("-applied_at")
        if _counts_otherwise(row)
    ][:MOST_CORRECTIONS]


def _counts_otherwise(row: TrialVerdict) -> bool:
    """Return whether a submission got another verdict or mistake, or passed another share."""
    names = ("verdict", "known_mistake", "cases_passed", "cases_total")
    return any(row.before.get(name) != getattr(row, name) for name in names)


def _correction(
    row: RegradedResponse, sittings: Mapping[int | None, Assignment], hidden: Collection[str]
) -> MarkCorrection:
    attempt = row.response.attempt
    assert attempt is not None
    is_hidden = row.regrade.question.slug in hidden
    return MarkCorrection(
        title=sittings[attempt.sitting].title,
        number=row.response.order,
        at=row.regrade.at,
        words="" if is_hidden else row.words,
        note=SafeString() if is_hidden else render_markdown(row.regrade.note),
        address=f"{attempt.review_address}#question-{row.response.order}",
    )


def _line(
    cohort: Cohort,
    assignment: Assignment,
    rule: Rule,
    cell: Cell,
    titles: Mapping[str, str],
    *,
    now: datetime,
    newest: int | None,
) -> ClassLine:
    assignment.thing.course = cohort.course  # for its address, without a query
    end, ends = next_date(rule, now)
    shows = rule.shows(assignment.shows_marks, now) or cell.state in {
        State.EXCUSED,
        State.NOT_STARTED,
        State.NOT_OPEN,
        State.MISSED,
    }
    return ClassLine(
        assignment=assignment,
        rule=rule,
        cell=cell,
        end=end,
        ends=ends,
        date=in_words(end, cohort.zone, now) if end is not None else "",
        distance=distance(end, now) if end is not None else "",
        why=why(cell, rule, cohort.zone, now) if shows else (),
        shows_mark=shows,
        address=_address(cohort, assignment, cell, newest),
        step=titles.get(_step_to_open(cohort, cell), ""),
    )


def _step_titles(cohort: Cohort, cells: Iterable[tuple[Assignment, Rule, Cell]]) -> dict[str, str]:
    """Return the titles of a course's steps, nothing where no lesson is left to do."""
    if not any(cell.undone for _, _, cell in cells):
        return {}
    lessons = course_lessons(cohort.course)
    return {
        f"{lesson.slug}/{step.slug}": step.title
        for lesson in lessons
        for step in lesson.steps.all()
    }


def _address(cohort: Cohort, assignment: Assignment, cell: Cell, newest: int | None) -> str:
    """Return the address behind an assignment's title for a student.

    A lesson leads to the first step that the assignment counts and where something can still be
    done, wherever it stands now, or else to its beginning. In an archived class a quiz leads to
    the attempt that counts, or else the newest: its own page may be open to classes only, and this
    class does not offer it any more.
    """
    step = _step_to_open(cohort, cell.would_be or cell) if cohort.archived_at is None else ""
    if step:
        return step_address(cohort.course.slug, step)
    if cohort.archived_at is None or assignment.quiz is None:
        return assignment.thing.get_absolute_url()
    work = (cell.would_be or cell).work
    number = work.key if work is not None else newest
    if number is not None:
        return attempt_review_address(cohort.course.slug, assignment.quiz.slug, number)
    is_for_all = assignment.quiz.is_open and not assignment.quiz.class_only
    return assignment.quiz.get_absolute_url() if is_for_all else ""


def _step_to_open(cohort: Cohort, cell: Cell) -> str:
    """Return the first step of a lesson where something left can still be done, "" for none."""
    return next(iter(steps_to_open(cohort.course_id, cell.undone)), "")


def next_date(rule: Rule, now: datetime) -> tuple[datetime | None, str]:
    """Return the next date of an assignment that matters to its learner, and what it is."""
    if now < rule.opens_at:
        return rule.opens_at, "opens"
    if rule.due_at is not None and now <= rule.due_at:
        return rule.due_at, "due"
    if rule.closes_at is not None and now <= rule.closes_at:
        return rule.closes_at, "closes"
    if rule.due_at is not None and rule.closes_at is None and not rule.loses_all(now):
        return rule.due_at, "was due"
    return None, ""


def new_since(cohort: Cohort, learner: Learner | None) -> list[dict[str, Any]]:
    """Return what the course got since the class began, newest first.

    What was there when the class was opened on this site is not new. Names of what is only for
    classes, or hidden from the learner for now, are not told.
    """
    start = datetime.combine(cohort.begins_on, time(), cohort.zone).astimezone(UTC)
    rows = _made_after(cohort.course_id, max(start, cohort.made_at))
    questions = any(kind == "Question" for kind, *_ in rows)
    hidden = hidden_slugs(learner, cohort.course_id, "question") if questions else set()
    return [
        {
            "kind": kind,
            "title": first_paragraph(title) if kind == "Question" else title,
            "address": ADDRESSES[kind](cohort.course.slug, name),
            "at": at,
        }
        for kind, name, title, at, key in rows
        if kind != "Question" or key not in hidden
    ][:MOST_NEW]


ADDRESSES: Mapping[str, Callable[[str, str], str]] = {
    "Lesson": lesson_address,
    "Quiz": quiz_address,
    "Question": step_address,  # of the step where it is asked
    "Exercise": exercise_address,
}


@cached_content
def _made_after(course: int, since: datetime) -> tuple[tuple[str, str, str, datetime, str], ...]:
    """Return kind, name, title, time and slug of what is new, newest first."""
    for_classes = QuizQuestion.objects.filter(
        Q(quiz__class_only=True) | Q(quiz__is_published=False), question=OuterRef("question")
    )
    lessons = Lesson.objects.filter(course=course, withdrawn_at=None, made_at__gt=since)
    lessons = lessons.exclude(form=Lesson.Form.REFERENCE)
    quizzes = Quiz.objects.filter(course=course, class_only=False, made_at__gt=since).open()
    questions = QuestionVersion.objects.filter(
        ~Exists(for_classes),
        question__course=course,
        question__withdrawn_at=None,
        question__current__step__gt="",  # others stand in no lesson
        number=1,
        created_at__gt=since,
    )
    exercises = ExerciseVersion.objects.filter(
        exercise__course=course,
        exercise__withdrawn_at=None,
        exercise__current__isnull=False,
        number=1,
        created_at__gt=since,
    )
    title = "exercise__current__title"
    found = [
        _named("Lesson", lessons, "slug", "title", "made_at"),
        _named("Quiz", quizzes, "slug", "title", "made_at"),
        _named(
            "Question",
            questions,
            "question__current__step",
            "question__current__prompt",
            "created_at",
            key="question__slug",
        ),
        _named("Exercise", exercises, "exercise__slug", title, "created_at"),
    ]
    rows = found[0].union(*found[1:], all=True).order_by("-new_at", "new_name")
    return tuple(rows[: 2 * MOST_NEW])


def _named(
    kind: str, rows: QuerySet[Any], name: str, title: str, at: str, *, key: str = ""
) -> QuerySet[Any, tuple[str, str, str, datetime, str]]:
    """Return rows in the form that all kinds share."""
    named = rows.order_by().annotate(
        new_kind=Value(kind, output_field=CharField()),
        new_name=Cast(name, CharField()),
        new_title=Cast(title, CharField()),
        new_at=F(at),
        new_key=Cast(key or name, CharField()),
    )
    found: QuerySet[Any, tuple[str, str, str, datetime, str]] = named.values_list(
        "new_kind", "new_name", "new_title", "new_at", "new_key"
    )
    return found
