"""One next thing to do, and why: first a missed question, then open work, then new work."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse

from quizzes.courses.models import Course
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import due_count
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import LessonProgress
from quizzes.study.misconceptions import code_mistakes
from quizzes.study.progress_overview import ProgressOverview, progress_overview

DONE = Progress.State.DONE.value


@dataclass(frozen=True)
class Recommendation:
    """The next thing to do: its kind, title and address, and the reason in one sentence."""

    kind: str  # review, step, quiz or exercise
    title: str
    address: str
    why: str


Rule = Callable[[Course, Learner | None, ProgressOverview], Recommendation | None]


def next_recommendation(
    course: Course, learner: Learner | None, overview: ProgressOverview | None = None
) -> Recommendation | None:
    """Return the next thing to do in a course; None when all is done.

    Give the overview where it is at hand.
    """
    found = progress_overview(course, learner) if overview is None else overview
    return next((one for rule in RULES if (one := rule(course, learner, found)) is not None), None)


def _review(_: Course, learner: Learner | None, __: ProgressOverview) -> Recommendation | None:
    count = due_count(learner)
    if not count:
        return None
    what = "One thing you missed is" if count == 1 else f"{count} things you missed are"
    why = f"{what} due: just before it is forgotten is the best moment to recall it."
    return Recommendation("review", "Review what you missed", reverse("study:review"), why)


def _open_attempt(
    _: Course, __: Learner | None, overview: ProgressOverview
) -> Recommendation | None:
    for taken in overview.quizzes:
        if taken.open is not None:
            address = taken.open.get_absolute_url()
            why = "You began this quiz; your answers are kept."
            return Recommendation("quiz", taken.quiz.title, address, why)
    return None


def _begun_lesson(
    _: Course, __: Learner | None, overview: ProgressOverview
) -> Recommendation | None:
    for lesson, far in overview.lessons:
        if not far.complete and any(state for _, state in far.steps):
            why = f"You have read {far.done} of {len(far.steps)} steps of “{lesson.title}”."
            return _step(lesson, far, why)
    return None


def _unsolved_exercise(
    course: Course, learner: Learner | None, overview: ProgressOverview
) -> Recommendation | None:
    tried = [one for one in overview.exercises if one.submissions and one.state != DONE]
    if not tried:
        return None
    exercise = tried[0].exercise
    assert exercise.current is not None
    made = (one for one in code_mistakes(course, learner) if one.exercise == exercise.slug)
    sentence = next((one.sentence for one in made), "")
    why = (
        f"The verdict on your last try: {sentence}"
        if sentence
        else "You tried it; it is not solved."
    )
    address = exercise.get_absolute_url()
    return Recommendation("exercise", exercise.current.title, address, why)


def _quiz_of_a_read_lesson(
    _: Course, __: Learner | None, overview: ProgressOverview
) -> Recommendation | None:
    read = {lesson.slug: lesson for lesson, far in overview.lessons if far.complete}
    for taken in overview.quizzes:
        lesson = read.get(taken.quiz.slug.removesuffix("-quiz"))
        if lesson is not None and not taken.submitted:
            address = taken.quiz.get_absolute_url()
            why = f"You have read “{lesson.title}”; its quiz shows what has stayed."
            return Recommendation("quiz", taken.quiz.title, address, why)
    return None


def _exercise_of_a_read_lesson(
    _: Course, __: Learner | None, overview: ProgressOverview
) -> Recommendation | None:
    read = {lesson.slug: lesson for lesson, far in overview.lessons if far.complete}
    for tried in overview.exercises:
        current = tried.exercise.current
        lesson = read.get(current.step.split("/")[0]) if current is not None else None
        if lesson is not None and current is not None and tried.state != DONE:
            address = tried.exercise.get_absolute_url()
            why = f"“{lesson.title}” has taught all it needs."
            return Recommendation("exercise", current.title, address, why)
    return None


def _new_lesson(_: Course, __: Learner | None, overview: ProgressOverview) -> Recommendation | None:
    complete = {lesson.slug for lesson, far in overview.lessons if far.complete}
    for lesson, far in overview.lessons:
        if not far.complete:
            known = [slug for slug in _prerequisites(lesson) if slug in complete]
            why = "It is the first lesson you have not read."
            if not complete:
                why = "The course begins here."
            if known:
                titles = {one.slug: one.title for one, _ in overview.lessons}
                why = f"It builds on “{titles[known[-1]]}”, which you have read."
            return _step(lesson, far, why)
    return None


def _prerequisites(lesson: Lesson) -> list[str]:
    return [str(slug) for slug in getattr(lesson, "prerequisites", None) or []]


def _step(lesson: Lesson, far: LessonProgress, why: str) -> Recommendation:
    address = far.next_step.get_absolute_url()
    return Recommendation("step", f"{lesson.title}: {far.next_step.title}", address, why)


RULES: tuple[Rule, ...] = (
    _review,
    _open_attempt,
    _begun_lesson,
    _unsolved_exercise,
    _quiz_of_a_read_lesson,
    _exercise_of_a_read_lesson,
    _new_lesson,
)
