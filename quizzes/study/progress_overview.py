"""A learner's progress so far: every lesson, quiz and exercise with its state."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Count, Max, Q

from quizzes.assessment.models import Attempt, Quiz
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.services import published_exercises
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import progress_of
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import LessonProgress, progress_in


@dataclass(frozen=True)
class QuizAttempts:
    """A learner's attempts at one quiz, newest first, each with `right` and `asked`."""

    quiz: Quiz
    attempts: tuple[Any, ...]

    @property
    def open(self) -> Attempt | None:
        return next((one for one in self.attempts if one.submitted_at is None), None)

    @property
    def submitted(self) -> list[Any]:
        return [one for one in self.attempts if one.submitted_at is not None]

    @property
    def best(self) -> Any | None:
        """Return the submitted attempt with the largest share right, the newest of equals."""
        return max(self.submitted, key=lambda one: one.right / max(one.asked, 1), default=None)

    @property
    def complete(self) -> bool:
        return self.best is not None and self.best.right == self.best.asked


@dataclass(frozen=True)
class ExerciseState:
    """A learner's work on one exercise. `latest` is the number of the newest submission."""

    exercise: Exercise
    state: str
    submissions: int
    latest: int | None


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


def progress_overview(learner: Learner | None) -> ProgressOverview:
    """Return all lessons, quizzes and exercises with their states. Eight queries, always."""
    lessons = [lesson for lesson in Lesson.objects.with_steps() if lesson.steps.all()]
    progress = progress_in(learner=learner, lessons=lessons)
    return ProgressOverview(
        lessons=tuple((lesson, progress[lesson.pk]) for lesson in lessons),
        quizzes=tuple(_taken(learner)),
        exercises=tuple(_tried(learner)),
    )


def _taken(learner: Learner | None) -> Iterable[QuizAttempts]:
    attempts = Attempt.objects.none()
    if learner is not None:
        attempts = Attempt.objects.filter(learner=learner).scored().order_by("quiz", "-pk")
    of_quiz = {quiz: tuple(found) for quiz, found in groupby(attempts, lambda one: one.quiz_id)}
    asked = Count("places", filter=Q(places__question__current__isnull=False))
    quizzes = Quiz.objects.filter(is_published=True).annotate(asked=asked).filter(asked__gt=0)
    for quiz in quizzes.order_by("place", "pk"):  # a query that counts has no order by itself
        yield QuizAttempts(quiz, of_quiz.get(quiz.pk, ()))


def _tried(learner: Learner | None) -> Iterable[ExerciseState]:
    exercises = list(published_exercises())
    slugs = [exercise.slug for exercise in exercises]
    states = progress_of(learner, Progress.Kind.EXERCISE, slugs)
    handed_in: dict[int, tuple[int, int]] = {}
    if learner is not None:
        mine = Submission.objects.filter(learner=learner, kind=Submission.Kind.SUBMIT)
        counted = mine.order_by().values_list("exercise_version__exercise")
        handed_in = {
            exercise: (number, latest)
            for exercise, number, latest in counted.annotate(Count("pk"), Max("pk"))
        }
    for exercise in exercises:
        number, latest = handed_in.get(exercise.pk, (0, None))
        yield ExerciseState(exercise, states.get(exercise.slug, ""), number, latest)
