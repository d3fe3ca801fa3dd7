"""What a learner has done so far: every lesson, quiz and exercise with its state."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Count, Max, Q

from quizzes.assessment.models import Attempt, Quiz
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.services import published
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import progress_of
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import LessonProgress, progress_in


@dataclass(frozen=True)
class Taken:
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
class Tried:
    """What a learner did with one exercise. `latest` is the number of the newest submission."""

    exercise: Exercise
    state: str
    submissions: int
    latest: int | None


@dataclass(frozen=True)
class Ledger:
    """One learner's lessons, quizzes and exercises, in the order of the course."""

    lessons: tuple[tuple[Lesson, LessonProgress], ...]
    quizzes: tuple[Taken, ...]
    exercises: tuple[Tried, ...]

    @property
    def begun(self) -> bool:
        return (
            any(state for _, far in self.lessons for _, state in far.steps)
            or any(taken.attempts for taken in self.quizzes)
            or any(tried.submissions or tried.state for tried in self.exercises)
        )

    @property
    def sums(self) -> list[tuple[str, int, int]]:
        """Return, of the steps, quizzes and exercises, how many are done and how many there are."""
        steps = [state for _, far in self.lessons for _, state in far.steps]
        solved = sum(tried.state == Progress.State.DONE for tried in self.exercises)
        return [
            ("Steps read", steps.count(Progress.State.DONE), len(steps)),
            ("Quizzes all right", sum(one.complete for one in self.quizzes), len(self.quizzes)),
            ("Exercises solved", solved, len(self.exercises)),
        ]


def ledger_of(learner: Learner | None) -> Ledger:
    """Return everything there is to do and what was done of it. Eight queries, always."""
    lessons = [lesson for lesson in Lesson.objects.with_steps() if lesson.steps.all()]
    progress = progress_in(learner=learner, lessons=lessons)
    return Ledger(
        lessons=tuple((lesson, progress[lesson.pk]) for lesson in lessons),
        quizzes=tuple(_taken(learner)),
        exercises=tuple(_tried(learner)),
    )


def _taken(learner: Learner | None) -> Iterable[Taken]:
    attempts = Attempt.objects.none()
    if learner is not None:
        attempts = Attempt.objects.filter(learner=learner).scored().order_by("quiz", "-pk")
    of_quiz = {quiz: tuple(found) for quiz, found in groupby(attempts, lambda one: one.quiz_id)}
    asked = Count("places", filter=Q(places__question__current__isnull=False))
    quizzes = Quiz.objects.filter(is_published=True).annotate(asked=asked).filter(asked__gt=0)
    for quiz in quizzes.order_by("place", "pk"):  # a counting query has no order of its own
        yield Taken(quiz, of_quiz.get(quiz.pk, ()))


def _tried(learner: Learner | None) -> Iterable[Tried]:
    exercises = list(published())
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
        yield Tried(exercise, states.get(exercise.slug, ""), number, latest)
