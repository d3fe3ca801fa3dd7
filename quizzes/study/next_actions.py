"""The next lesson, quiz and exercise of a learner, as cards of the start page."""

from dataclasses import dataclass
from functools import cache

from django.utils import timezone

from quizzes.assessment.course_quizzes import open_quizzes
from quizzes.assessment.models import Attempt, Quiz, Response
from quizzes.assessment.sittings import PRACTICE
from quizzes.classes.due_work import DueWork, due_work
from quizzes.classes.rules import WorkKind
from quizzes.courses.addresses import (
    attempt_address,
    exercise_address,
    quiz_address,
    step_address,
)
from quizzes.courses.models import Course
from quizzes.exercises.services import course_exercises
from quizzes.exercises.summary import summaries
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import may_show, progress_of
from quizzes.lessons.course_lessons import course_lessons
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import progress_in
from quizzes.statements import Param, Reader, TimeParam
from quizzes.study.learner_rows import LearnerRows, OpenAttempt, learner_rows
from quizzes.study.next_thing import DUE_THIS_WEEK, SECONDS_A_QUESTION, Recommendation

DONE, NEEDS_WORK = Progress.State.DONE.value, Progress.State.NEEDS_WORK.value


@dataclass(frozen=True)
class NextAction:
    """One card: its title, time, progress and address.

    `done` of `total` steps fill its bar; `total` is 0 if there is nothing to count.
    """

    kind: str
    title: str
    address: str
    size: str
    state: str
    tone: str  # of the state: "", "good" or "warn"
    act: str
    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class DueAction:
    """Work of a class that is due soon: its title and address, and when it is due in a sentence.

    `is_next`: it is also the next thing.
    """

    title: str
    address: str
    says: str
    is_next: bool


def due_in_classes(learner: Learner | None, following: Recommendation | None) -> list[DueAction]:
    """Return what is due within a week, the next thing too. Queries as `due_work`."""
    due = due_work(learner, timezone.now(), DUE_THIS_WEEK)
    return [
        DueAction(
            work.assignment.title,
            _address(work),
            work.says,
            is_next=following is not None and _is_of(work, following),
        )
        for work in due
    ]


def _is_of(work: DueWork, following: Recommendation) -> bool:
    """Return whether the next thing is this work, or a step of the lesson that it is.

    By name: the address of an open attempt is not that of its quiz.
    """
    thing = following.kind, following.slug
    if following.kind == Progress.Kind.STEP:
        thing = WorkKind.LESSON, following.lesson
    return (work.course.slug, work.kind, work.assignment.slug) == (following.course, *thing)


def _address(work: DueWork) -> str:
    """Return where work of a class is done: of a lesson the first step that is left."""
    course, slug = work.course.slug, work.assignment.slug
    if work.kind == WorkKind.LESSON:
        return step_address(course, work.undone[0])
    return (quiz_address if work.kind == WorkKind.QUIZ else exercise_address)(course, slug)


def next_actions(
    course: Course, learner: Learner | None, following: Recommendation | None = None
) -> list[NextAction]:
    """Return the cards of a course's start page, at most one of each kind. Few queries.

    One is of `following`, the next thing, unless that is of another course.
    """
    first = {}
    if following is not None and following.course == course.slug:
        first = {following.kind: following.slug}
    ways = [
        lesson_action(course, learner, first.get(Progress.Kind.STEP, "").partition("/")[0]),
        quiz_action(course, learner, first.get(Progress.Kind.QUIZ, "")),
        exercise_action(course, learner, first.get(Progress.Kind.EXERCISE, "")),
    ]
    return [way for way in ways if way is not None]


def lesson_action(course: Course, learner: Learner | None, first: str) -> NextAction | None:
    """Return the lesson named `first`, else the first begun, else unread, else any."""
    there = (one for one in course_lessons(course) if one.form == Lesson.Form.STEPS)
    lessons = [lesson for lesson in there if lesson.path_steps]
    if not lessons:
        return None
    progress = progress_in(learner=learner, lessons=lessons)
    unread = [one for one in lessons if not progress[one.pk].complete]
    begun = [lesson for lesson in unread if progress[lesson.pk].done]
    named = [lesson for lesson in unread if lesson.slug == first]
    lesson = next(iter((*named, *begun, *unread)), lessons[0])
    far = progress[lesson.pk]
    total = len(far.steps)
    size = f"{_count(total, 'step')} · {_minutes(lesson.reading_seconds)}"
    address = far.next_step.get_absolute_url()
    if far.complete:
        return NextAction(
            "Lesson", lesson.title, address, size, "All read", "good", "Read it again"
        )
    if not far.done:
        return NextAction("Lesson", lesson.title, address, size, "", "", "Start the lesson")
    state, act = f"{far.done} of {total} read", f"Continue with “{far.next_step.title}”"
    return NextAction("Lesson", lesson.title, address, size, state, "", act, far.done, total)


def quiz_action(course: Course, learner: Learner | None, first: str) -> NextAction | None:
    """Return the quiz named `first`, else one with an open attempt, else the first not done."""
    quizzes = {one.slug: one for one in open_quizzes(course)}
    if not quizzes:
        return None
    states = progress_of(course.pk, learner, Progress.Kind.QUIZ, quizzes)
    rows = LearnerRows(course) if learner is None else learner_rows(learner, course)
    begun = [attempt for attempt in rows.attempts if attempt.quiz in quizzes]
    slug = first if first in quizzes else next((attempt.quiz for attempt in begun), "")
    quiz = quizzes[slug or _first_open(list(quizzes), states)]
    attempt = next((attempt for attempt in begun if attempt.quiz == quiz.slug), None)
    count = quiz.question_count
    size = f"{_count(count, 'question')} · {_minutes(count * SECONDS_A_QUESTION)}"
    if attempt is not None:
        return _begun_quiz(course, quiz, size, attempt)
    address = quiz.get_absolute_url()
    results = _scores(learner, quiz) if learner is not None and may_show(learner, quiz) else []
    if not results:
        return NextAction("Quiz", quiz.title, address, size, "", "", "Take the quiz")
    right, total = max(results, key=lambda result: result[0] / max(result[1], 1))
    tone = "good" if right == total else ""
    best = f"Best so far: {right} of {total}"
    return NextAction("Quiz", quiz.title, address, size, best, tone, "Take it again")


def _scores(learner: Learner, quiz: Quiz) -> list[tuple[int, int]]:
    """Return how many answers were right, of how many, in each attempt in practice. One query."""
    return _submitted().read(learner=learner.pk, quiz=quiz.pk, now=timezone.now())


@cache
def _submitted() -> Reader[tuple[int, int]]:
    over = Attempt.objects.handed_in(TimeParam("now")).order_by("pk")
    mine = over.filter(learner=Param("learner"), quiz=Param("quiz"), sitting=PRACTICE)
    return Reader(mine.scored().values_list("right", "question_count"))  # type: ignore[misc]


def _first_open(slugs: list[str], states: dict[str, str]) -> str:
    """Return the first that was tried and is not done, else the first not done, else the first."""
    tried = (slug for slug in slugs if states.get(slug) == NEEDS_WORK)
    undone = (slug for slug in slugs if states.get(slug) != DONE)
    return next(tried, None) or next(undone, slugs[0])


def _begun_quiz(course: Course, quiz: Quiz, size: str, attempt: OpenAttempt) -> NextAction:
    address = attempt_address(course.slug, quiz.slug, attempt.key)
    total = Response.objects.filter(attempt=attempt.key).count()
    answered = total - attempt.unanswered
    state = f"{answered} of {total} answered"
    return NextAction("Quiz", quiz.title, address, size, state, "", "Go on", answered, total)


def exercise_action(course: Course, learner: Learner | None, first: str) -> NextAction | None:
    """Return the exercise named `first`, else the first tried, else unsolved, else any."""
    exercises = course_exercises(course)
    if not exercises:
        return None
    slugs = [exercise.slug for exercise in exercises]
    states = progress_of(course.pk, learner, Progress.Kind.EXERCISE, slugs)
    slug = first if first in slugs else _first_open(slugs, states)
    exercise = next(one for one in exercises if one.slug == slug)
    assert exercise.current is not None
    state = states.get(exercise.slug, "")
    words, tone, act = {
        DONE: ("Solved", "good", "Look at it again"),
        NEEDS_WORK: ("Tried, not solved yet", "warn", "Try again"),
    }.get(state, ("", "", "Write the code"))
    address = exercise.get_absolute_url()
    written_with = summaries([exercise.current])[exercise.current.pk].written_with
    size = f"{written_with[0].upper()}{written_with[1:]} · graded at once"
    return NextAction("Exercise", exercise.current.title, address, size, words, tone, act)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _minutes(seconds: int) -> str:
    return f"{max(1, round(seconds / 60))} min"
