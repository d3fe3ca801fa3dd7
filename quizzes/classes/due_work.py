"""Which work of a learner's classes is due soon, and which things classes keep shut now."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from quizzes.assessment.models import Response
from quizzes.classes.dates import distance, in_words
from quizzes.classes.marks.lesson_steps import places_left, steps_to_open
from quizzes.classes.models import Assignment
from quizzes.classes.own_work import HeldBackWork, work_to_do
from quizzes.classes.rules import WorkKind
from quizzes.classes.sitting_rules import practice_is_open
from quizzes.content_files.typed_text import isolate
from quizzes.courses.models import Course
from quizzes.grader.api import Verdict
from quizzes.learners.models import Learner, Progress
from quizzes.learners.progress import course_rows
from quizzes.page_reads import read_once
from quizzes.statements import Param, Reader


@dataclass(frozen=True)
class DueWork:
    """An assignment still to be submitted, and when it is due in one sentence.

    `undone` has the steps of a lesson, as they are called now, in which something is left that can
    still be done.
    """

    assignment: Assignment
    course: Course
    kind: WorkKind
    end: datetime
    says: str
    undone: Sequence[str] = ()


def due_work(learner: Learner | None, now: datetime, within: timedelta) -> list[DueWork]:
    """Return what is due within a span of time and can still be done in time, the earliest first.

    By the learner's own dates. One query, as `work_to_do`, and the record of progress of each
    course whose lessons are due; one more where such a lesson asks a question that was answered.
    """
    works = (work for work in work_to_do(learner, now) if _is_left(work, now))
    ends = [(end, work) for work in works if (end := _end(work, now)) and end - now <= within]
    ends.sort(key=lambda row: (row[0], row[1].assignment.pk))
    due = [_due(work, end, now, _undone(learner, work)) for end, work in ends]
    return [work for work in due if work.undone or work.kind != WorkKind.LESSON]


def _is_left(work: HeldBackWork, now: datetime) -> bool:
    """Return whether a learner has not done an assignment yet, and may submit something for it."""
    rule = work.rule
    if rule.is_excused or not rule.is_open(now):
        return False
    if work.is_submitted:
        return False
    if work.best_verdict == Verdict.CORRECT or (work.best_verdict and rule.other_convention_counts):
        return False
    return work.has_submit_left


def _undone(learner: Learner | None, work: HeldBackWork) -> list[str]:
    """Return the counted steps of an assigned lesson that are left and can still be done.

    As marks have it: a question that was answered in a quiz or a review is left to answer here.
    """
    if learner is None or work.rule.kind != WorkKind.LESSON:
        return []
    course = work.membership.cohort.course_id
    rows = course_rows(course, learner)
    states = {(kind, slug): state for kind, slug, state, *_ in rows}
    left = places_left(
        work.assignment.steps, lambda place: _is_done(learner, course, states, *place)
    )
    return steps_to_open(course, left)


def _is_done(
    learner: Learner, course: int, states: Mapping[tuple[str, str], str], step: str, question: str
) -> bool:
    if not question:
        return states.get((Progress.Kind.STEP, step)) == Progress.State.DONE
    was_answered = (Progress.Kind.QUESTION, question) in states  # somewhere: mostly nowhere
    return was_answered and (course, step, question) in _answers(learner)


def _answers(learner: Learner) -> Set[tuple[int, str, str]]:
    """Return the questions answered in lessons, by course and step. One query a page."""
    key = ("answers in lessons", learner.pk)
    return read_once(key, lambda: frozenset(_answer_rows().read(learner=learner.pk)))


@cache
def _answer_rows() -> Reader[tuple[int, str, str]]:
    answers = Response.objects.filter(
        learner=Param("learner"), attempt=None, answered_at__isnull=False
    ).order_by()
    question = "version__question"
    return Reader(answers.values_list(f"{question}__course_id", "step", f"{question}__slug"))


def _end(work: HeldBackWork, now: datetime) -> datetime | None:
    """Return the date that a learner has to meet, None once it has passed or where there is none.

    Within the grace of a due date, it is the end of the grace.
    """
    rule, last = work.rule, work.rule.in_time_until
    if last is None or now > last:
        return None
    return last if rule.due_at is None or rule.due_at < now else min(rule.due_at, last)


def _due(work: HeldBackWork, end: datetime, now: datetime, undone: Sequence[str]) -> DueWork:
    cohort = work.membership.cohort
    date = f"{in_words(end, cohort.zone, now)}, {distance(end, now)}"
    return DueWork(
        work.assignment,
        cohort.course,
        work.rule.kind,
        end,
        f"It is due in {isolate(cohort.title)} on {date}.",
        undone,
    )


def shut_work(learner: Learner | None, now: datetime) -> Set[tuple[str, int, str]]:
    """Return the quizzes that classes let a learner neither take nor practise now, and the code.

    Code is shut as `submit_rules` refuses a Submit. Each by its kind, the key of its course and its
    slug. One query, as `work_to_do`.
    """
    works = work_to_do(learner, now)
    open_now = {_name(work) for work in works if _takes_work(work, now)}
    return {_name(work) for work in works if _forbids_practice(work, now)} - open_now


def _takes_work(work: HeldBackWork, now: datetime) -> bool:
    if not work.rule.is_open(now):
        return False
    return not work.is_submitted if work.rule.kind == WorkKind.QUIZ else work.has_submit_left


def _forbids_practice(work: HeldBackWork, now: datetime) -> bool:
    if work.rule.kind == WorkKind.QUIZ:
        return not practice_is_open(work, now)
    return work.rule.is_open(now) and not work.has_submit_left


def _name(work: HeldBackWork) -> tuple[str, int, str]:
    return work.rule.kind, work.membership.cohort.course_id, work.assignment.slug
