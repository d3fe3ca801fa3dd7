"""A learner's progress so far: every lesson, quiz and exercise with its state."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.db.models import Count, Max
from django.utils import timezone

from quizzes.assessment.course_quizzes import open_quizzes
from quizzes.assessment.models import Attempt, Quiz
from quizzes.courses.addresses import submission_address
from quizzes.courses.content import Same
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise, Submission
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import hidden_slugs, progress_of
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import LessonProgress, progress_in
from quizzes.study.course_contents import CourseContents


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
            any(state for _, far in self.lessons for _, state in far.steps)
            or any(taken.attempts for taken in self.quizzes)
            or any(tried.submissions or tried.state for tried in self.exercises)
        )

    @property
    def sums(self) -> list[tuple[str, int, int]]:
        """Return the numbers of steps, quizzes and exercises: done, and in all."""
        steps = [state for _, far in self.lessons for _, state in far.steps]
        solved = sum(tried.state == Progress.State.DONE for tried in self.exercises)
        return [
            ("Steps read", steps.count(Progress.State.DONE), len(steps)),
            ("Quizzes all right", sum(one.complete for one in self.quizzes), len(self.quizzes)),
            ("Exercises solved", solved, len(self.exercises)),
        ]


def progress_overview(
    course: Course, learner: Learner | None, contents: CourseContents | None = None
) -> ProgressOverview:
    """Return a course's lessons, quizzes and exercises with their states. Nine queries, always.

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
    shown = [lesson for lesson in lessons if lesson.steps.all()]
    progress = progress_in(learner=learner, lessons=shown)
    return tuple((lesson, progress[lesson.pk]) for lesson in shown)


def _taken(quizzes: Sequence[Quiz], course: Course, learner: Learner) -> Iterable[QuizAttempts]:
    hidden = hidden_slugs(learner, course.pk, "quiz")  # their scores
    here = Attempt.objects.filter(learner=learner, quiz__course=course)
    over = Attempt.objects.handed_in(timezone.now()).values("pk")
    mine = here.exclude(pk__in=over, quiz__slug__in=hidden)
    attempts = mine.scored().select_related("quiz__course").order_by("quiz", "-pk")
    of_quiz = {
        quiz: tuple(found) for quiz, found in groupby(attempts, lambda attempt: attempt.quiz_id)
    }
    for quiz in quizzes:
        yield QuizAttempts(quiz, of_quiz.get(quiz.pk, ()))


def _tried(contents: CourseContents, learner: Learner) -> Iterable[ExerciseState]:
    course, exercises = contents.course, contents.exercises
    slugs = [exercise.slug for exercise in exercises]
    states = progress_of(course.pk, learner, Progress.Kind.EXERCISE, slugs)
    sent = Submission.objects.filter(learner=learner, kind=Submission.Kind.SUBMIT)
    mine = sent.filter(exercise_version__exercise__course=course)
    counted = mine.order_by().values_list("exercise_version__exercise")
    handed_in = {
        exercise: (number, latest)
        for exercise, number, latest in counted.annotate(Count("pk"), Max("pk"))
    }
    for exercise in exercises:
        number, latest = handed_in.get(exercise.pk, (0, None))
        yield ExerciseState(exercise, states.get(exercise.slug, ""), number, latest)
