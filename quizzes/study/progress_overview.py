"""A learner's progress so far: every lesson, quiz and exercise with its state."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from django.utils import timezone

from quizzes.assessment.course_quizzes import open_quizzes
from quizzes.assessment.models import Attempt, Quiz
from quizzes.courses.addresses import submission_address
from quizzes.courses.content import Same
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import hidden_slugs, progress_of
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import LessonProgress, progress_in
from quizzes.statements import Param, Reader
from quizzes.study.course_contents import CourseContents
from quizzes.study.own_answers import submit_counts


@dataclass(frozen=True)
class QuizAttempts:
    """A learner's attempts at one quiz, newest first, each with `right` and `asked`."""

    quiz: Quiz
    attempts: tuple[Any, ...]

    @property
    def open(self) -> Attempt | None:
        now = timezone.now()
        return next((one for one in self.attempts if one.is_open(now)), None)

    @property
    def submitted(self) -> list[Any]:
        now = timezone.now()
        return [one for one in self.attempts if not one.is_open(now)]

    @property
    def best(self) -> Any | None:
        """Return the submitted attempt with the largest share right, the newest of equals."""
        return max(
            self.submitted,
            key=lambda attempt: attempt.right / max(attempt.question_count, 1),
            default=None,
        )

    @property
    def complete(self) -> bool:
        return self.best is not None and self.best.right == self.best.question_count


@dataclass(frozen=True)
class ExerciseState:
    """A learner's work on one exercise. `latest` is the number of the newest submission."""

    exercise: Exercise
    state: str
    submissions: int
    latest: int | None

    @property
    def latest_address(self) -> str:
        """Return the address of the newest submission, "" without one."""
        if self.latest is None:
            return ""
        return submission_address(self.exercise.course.slug, self.exercise.slug, self.latest)


@dataclass(frozen=True)
class ProgressOverview:
    """One learner's lessons, quizzes and exercises, in the order of the course."""

    lessons: tuple[tuple[Lesson, LessonProgress], ...]
    quizzes: tuple[QuizAttempts, ...]
    exercises: tuple[ExerciseState, ...]

    @property
    def begun(self) -> bool:
        return (
            any(state for _, far in self.lessons for _, state in (*far.steps, *far.deeper))
            or any(taken.attempts for taken in self.quizzes)
            or any(tried.submissions or tried.state for tried in self.exercises)
        )

    @property
    def sums(self) -> dict[str, tuple[int, int]]:
        """Return how many steps, quizzes and exercises are done, and how many there are."""
        steps = [state for _, far in self.lessons for _, state in far.steps]
        solved = sum(tried.state == Progress.State.DONE for tried in self.exercises)
        return {
            "steps": (steps.count(Progress.State.DONE), len(steps)),
            "quizzes": (sum(taken.complete for taken in self.quizzes), len(self.quizzes)),
            "exercises": (solved, len(self.exercises)),
        }


def progress_overview(
    course: Course, learner: Learner | None, contents: CourseContents | None = None
) -> ProgressOverview:
    """Return a course's lessons, quizzes and exercises with their states. Four queries at most.

    Give the contents of the course where they are at hand.
    """
    contents, quizzes = contents or CourseContents(course), open_quizzes(course)
    if learner is None:
        return _of_newcomer(Same(contents.lessons), Same(quizzes), Same(contents.exercises))
    return ProgressOverview(
        lessons=_read(contents.lessons, learner),
        quizzes=tuple(_taken(quizzes, course, learner)),
        exercises=tuple(_tried(contents, learner)),
    )


# The page of every newcomer: 0.6 ms of it.
@lru_cache(maxsize=32)
def _of_newcomer(
    lessons: Same[tuple[Lesson, ...]],
    quizzes: Same[tuple[Quiz, ...]],
    exercises: Same[tuple[Exercise, ...]],
) -> ProgressOverview:
    return ProgressOverview(
        lessons=_read(lessons.it, None),
        quizzes=tuple(QuizAttempts(quiz, ()) for quiz in quizzes.it),
        exercises=tuple(ExerciseState(one, "", 0, None) for one in exercises.it),
    )


def _read(
    lessons: Sequence[Lesson], learner: Learner | None
) -> tuple[tuple[Lesson, LessonProgress], ...]:
    shown = [lesson for lesson in lessons if lesson.path_steps]
    progress = progress_in(learner=learner, lessons=shown)
    return tuple((lesson, progress[lesson.pk]) for lesson in shown)


def _taken(quizzes: Sequence[Quiz], course: Course, learner: Learner) -> Iterable[QuizAttempts]:
    hidden, now = hidden_slugs(learner, course.pk, "quiz"), timezone.now()  # their scores
    of_quiz: dict[int, list[Attempt]] = {}
    for attempt in _attempts().read(learner=learner.pk, course=course.pk):
        of_quiz.setdefault(attempt.quiz_id, []).append(attempt)
    for quiz in quizzes:
        attempts = of_quiz.get(quiz.pk, ())
        is_hidden = quiz.slug in hidden
        shown = [attempt for attempt in attempts if attempt.is_open(now) or not is_hidden]
        for attempt in shown:
            attempt.quiz = quiz  # for its address
        yield QuizAttempts(quiz, tuple(shown))


@cache
def _attempts() -> Reader[Attempt]:
    """Return a learner's attempts in a course, the newest first."""
    mine = Attempt.objects.filter(learner=Param("learner"), quiz__course=Param("course"))
    return Reader(mine.scored().order_by("-pk"))


def _tried(contents: CourseContents, learner: Learner) -> Iterable[ExerciseState]:
    course, exercises = contents.course, contents.exercises
    slugs = [exercise.slug for exercise in exercises]
    states = progress_of(course.pk, learner, Progress.Kind.EXERCISE, slugs)
    counts = {row.exercise: (row.number, row.latest) for row in submit_counts(course, learner)}
    for exercise in exercises:
        number, latest = counts.get(exercise.pk, (0, None))
        yield ExerciseState(exercise, states.get(exercise.slug, ""), number, latest)
