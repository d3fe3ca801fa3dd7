"""One next thing to do, and why: what was missed first, then what was begun, then what is new."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse

from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import due_count
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import LessonProgress
from quizzes.study.code_mistakes import code_mistakes
from quizzes.study.ledger import Ledger, ledger_of

DONE = Progress.State.DONE.value


@dataclass(frozen=True)
class Suggestion:
    """What to do next: its kind, title and address, and the reason in one sentence."""

    kind: str  # review, step, quiz or exercise
    title: str
    address: str
    why: str


Rule = Callable[[Learner | None, Ledger], Suggestion | None]


def next_suggestion(learner: Learner | None, ledger: Ledger | None = None) -> Suggestion | None:
    """Return the next thing to do; None when all is done. Give the ledger where it is at hand."""
    found = ledger_of(learner) if ledger is None else ledger
    return next((one for rule in RULES if (one := rule(learner, found)) is not None), None)


def _review(learner: Learner | None, _: Ledger) -> Suggestion | None:
    count = due_count(learner)
    if not count:
        return None
    what = "One thing you missed is" if count == 1 else f"{count} things you missed are"
    why = f"{what} due: just before it is forgotten is the best moment to recall it."
    return Suggestion("review", "Review what you missed", reverse("study:review"), why)


def _open_attempt(_: Learner | None, ledger: Ledger) -> Suggestion | None:
    for taken in ledger.quizzes:
        if taken.open is not None:
            address = reverse("assessment:attempt", args=[taken.quiz.slug, taken.open.pk])
            why = "You began this quiz; your answers are kept."
            return Suggestion("quiz", taken.quiz.title, address, why)
    return None


def _begun_lesson(_: Learner | None, ledger: Ledger) -> Suggestion | None:
    for lesson, far in ledger.lessons:
        if not far.complete and any(state for _, state in far.steps):
            why = f"You have read {far.done} of {len(far.steps)} steps of “{lesson.title}”."
            return _step(lesson, far, why)
    return None


def _unsolved_exercise(learner: Learner | None, ledger: Ledger) -> Suggestion | None:
    tried = [one for one in ledger.exercises if one.submissions and one.state != DONE]
    if not tried:
        return None
    exercise = tried[0].exercise
    assert exercise.current is not None
    made = (one for one in code_mistakes(learner) if one.exercise == exercise.slug)
    sentence = next((one.sentence for one in made), "")
    why = f"Your last try was told: {sentence}" if sentence else "You tried it; it is not solved."
    address = reverse("exercises:exercise", args=[exercise.slug])
    return Suggestion("exercise", exercise.current.title, address, why)


def _quiz_of_a_read_lesson(_: Learner | None, ledger: Ledger) -> Suggestion | None:
    read = {lesson.slug: lesson for lesson, far in ledger.lessons if far.complete}
    for taken in ledger.quizzes:
        lesson = read.get(taken.quiz.slug.removesuffix("-quiz"))
        if lesson is not None and not taken.submitted:
            address = reverse("assessment:quiz", args=[taken.quiz.slug])
            why = f"You have read “{lesson.title}”; its quiz shows what has stayed."
            return Suggestion("quiz", taken.quiz.title, address, why)
    return None


def _exercise_of_a_read_lesson(_: Learner | None, ledger: Ledger) -> Suggestion | None:
    read = {lesson.slug: lesson for lesson, far in ledger.lessons if far.complete}
    for tried in ledger.exercises:
        current = tried.exercise.current
        lesson = read.get(current.step.split("/")[0]) if current is not None else None
        if lesson is not None and current is not None and tried.state != DONE:
            address = reverse("exercises:exercise", args=[tried.exercise.slug])
            why = f"“{lesson.title}” has taught all it needs."
            return Suggestion("exercise", current.title, address, why)
    return None


def _new_lesson(_: Learner | None, ledger: Ledger) -> Suggestion | None:
    complete = {lesson.slug for lesson, far in ledger.lessons if far.complete}
    for lesson, far in ledger.lessons:
        if not far.complete:
            known = [slug for slug in _prerequisites(lesson) if slug in complete]
            why = "It is the first lesson you have not read."
            if not complete:
                why = "The course begins here."
            if known:
                titles = {one.slug: one.title for one, _ in ledger.lessons}
                why = f"It builds on “{titles[known[-1]]}”, which you have read."
            return _step(lesson, far, why)
    return None


def _prerequisites(lesson: Lesson) -> list[str]:
    return [str(slug) for slug in getattr(lesson, "prerequisites", None) or []]


def _step(lesson: Lesson, far: LessonProgress, why: str) -> Suggestion:
    address = reverse("lessons:step", args=[lesson.slug, far.next_step.slug])
    return Suggestion("step", f"{lesson.title}: {far.next_step.title}", address, why)


RULES: tuple[Rule, ...] = (
    _review,
    _open_attempt,
    _begun_lesson,
    _unsolved_exercise,
    _quiz_of_a_read_lesson,
    _exercise_of_a_read_lesson,
    _new_lesson,
)
