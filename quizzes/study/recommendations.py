"""The one next thing for a learner to do, and why: first what is due, then open work, then new.

The header, the start page, the progress page and the end of every lesson, quiz and exercise show
it, so it takes one query, and one more where work of a class may hide a state on which it depends.
None for a visitor who has done nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from django.http import HttpRequest
from django.urls import reverse

from quizzes.assessment.course_quizzes import open_quizzes
from quizzes.courses import addresses
from quizzes.courses.models import Course
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import current_learner, due_count, hidden_slugs
from quizzes.page_reads import reading_page
from quizzes.request_values import RequestValue
from quizzes.study.course_contents import CourseContents
from quizzes.study.learner_rows import LearnerRows, learner_rows
from quizzes.study.misconceptions import code_mistakes

DONE, NEEDS_WORK = Progress.State.DONE.value, Progress.State.NEEDS_WORK.value
STEP, QUIZ, EXERCISE = (
    kind.value for kind in (Progress.Kind.STEP, Progress.Kind.QUIZ, Progress.Kind.EXERCISE)
)
SECONDS_A_QUESTION = 45
SECONDS_AN_EXERCISE = 900


@dataclass(frozen=True)
class Recommendation:
    """The next thing to do: its kind, title, address and time, and the reason in one sentence."""

    kind: str  # review, step, quiz or exercise
    title: str
    address: str
    seconds: int
    reason: str | Callable[[], str] = field(compare=False)  # asked for by the pages that say it

    @property
    def why(self) -> str:
        return self.reason if isinstance(self.reason, str) else self.reason()

    @property
    def minutes(self) -> str:
        return f"{max(1, round(self.seconds / 60))} min"


# By the key of the course, None for the home course.
_NEXT_THINGS: RequestValue[dict[int | None, Recommendation | None]] = RequestValue("next_things")


def recommendation_for(request: HttpRequest, course: Course | None) -> Recommendation | None:
    """Return the next thing for the learner of a request; worked out once for each request.

    In the home course for None. Nothing for a visitor who has done nothing: what a newcomer begins
    with is the start page's.
    """
    learner = current_learner(request)
    if learner is None:
        return None
    key = None if course is None else course.pk
    known = _NEXT_THINGS.get_or_set(request, dict)
    if key not in known:
        known[key] = next_recommendation(course, learner)
    return known[key]


def next_recommendation(
    course: Course | None,
    learner: Learner | None,
    *,
    contents: CourseContents | None = None,
) -> Recommendation | None:
    """Return the next thing to do in a course, None for the home course; None when all is done.

    Give the contents of the course where they are at hand.
    """
    with reading_page():
        facts = _Facts(course, learner, contents)
        return next((one for rule in RULES if (one := rule(facts)) is not None), None)


@dataclass(frozen=True)
class _LessonFacts:
    """A lesson's steps as (path, reading time in seconds), and how many are read."""

    slug: str
    title: str
    steps: tuple[tuple[str, int], ...]
    needs: tuple[str, ...]
    states: tuple[str, ...]

    @property
    def read(self) -> int:
        return self.states.count(DONE)

    @property
    def complete(self) -> bool:
        return self.read == len(self.steps)


class _Facts:
    """What the rules look at. Each part is read by the first rule that needs it."""

    def __init__(
        self,
        course: Course | None,
        learner: Learner | None,
        contents: CourseContents | None,
    ) -> None:
        self._course, self._contents = course, contents
        self.learner = learner

    @cached_property
    def due(self) -> int:
        _ = self.rows  # with which they are read
        return due_count(self.learner)

    @cached_property
    def rows(self) -> LearnerRows:
        if self.learner is None:
            return LearnerRows(self._course)
        return learner_rows(self.learner, self._course)

    @property
    def course(self) -> Course:
        course = self.rows.course
        assert course is not None  # what is in one is asked about
        return course

    @cached_property
    def contents(self) -> CourseContents | None:
        """Return what is in the course, None on a site without courses."""
        if self._contents is not None or self.rows.course is None:
            return self._contents
        return CourseContents(self.rows.course)

    def state(self, kind: str, slug: str) -> str:
        """Return how far the learner is with a quiz or an exercise, "" where that is hidden."""
        state = self.rows.states.get((kind, slug), "")
        return "" if state and slug in hidden_slugs(self.learner, self.course.pk, kind) else state

    @cached_property
    def lessons(self) -> Sequence[_LessonFacts]:
        found = []
        for lesson in self.contents.lessons if self.contents else ():
            steps = tuple(
                (f"{lesson.slug}/{step.slug}", step.reading_seconds) for step in lesson.steps.all()
            )
            if steps:
                states = tuple(self.rows.states.get((STEP, path), "") for path, _ in steps)
                needs = tuple(str(one) for one in lesson.prerequisites or [])
                found.append(_LessonFacts(lesson.slug, lesson.title, steps, needs, states))
        return found

    @cached_property
    def read(self) -> dict[str, _LessonFacts]:
        return {lesson.slug: lesson for lesson in self.lessons if lesson.complete}

    @cached_property
    def exercises(self) -> Sequence[tuple[str, str, str]]:
        """Return slug, title and step of each exercise."""
        there = self.contents.exercises if self.contents else ()
        return [(one.slug, one.current.title, one.current.step) for one in there if one.current]


Rule = Callable[[_Facts], Recommendation | None]


def _review(facts: _Facts) -> Recommendation | None:
    count = facts.due
    if not count:
        return None
    what = "One thing you missed is" if count == 1 else f"{count} things you missed are"
    why = f"{what} due: the best moment to recall something is just before you forget it."
    seconds = count * SECONDS_A_QUESTION
    address = reverse("study:review")
    return Recommendation("review", "Review what you missed", address, seconds, why)


def _open_attempt(facts: _Facts) -> Recommendation | None:
    first = next(iter(facts.rows.attempts), None)
    if first is None:
        return None
    why = "You started this quiz; your answers are saved."
    address = addresses.attempt_address(facts.course.slug, first.quiz, first.key)
    seconds = first.unanswered * SECONDS_A_QUESTION
    return Recommendation("quiz", first.title, address, seconds, why)


def _begun_lesson(facts: _Facts) -> Recommendation | None:
    for lesson in facts.lessons:
        if not lesson.complete and any(lesson.states):
            why = f"You have read {lesson.read} of {len(lesson.steps)} steps of “{lesson.title}”."
            return _step(facts, lesson, why)
    return None


def _unsolved_exercise(facts: _Facts) -> Recommendation | None:
    tried = {slug for (kind, slug), state in facts.rows.states.items() if state == NEEDS_WORK}
    for slug, title, _ in facts.exercises if tried else ():
        if slug in tried and facts.state(EXERCISE, slug) == NEEDS_WORK:
            return _exercise(facts, slug, title, partial(_last_verdict, facts, slug))
    return None


def _last_verdict(facts: _Facts, exercise: str) -> str:
    made = code_mistakes(facts.course, facts.learner)
    sentence = next((one.sentence for one in made if one.exercise == exercise), "")
    if sentence:
        return f"The verdict on your last try: {sentence}"
    return "You tried it but have not solved it yet."


def _quiz_of_a_read_lesson(facts: _Facts) -> Recommendation | None:
    if not facts.read:
        return None
    for quiz in open_quizzes(facts.course):
        lesson = facts.read.get(quiz.slug.removesuffix("-quiz"))
        if lesson is not None and not facts.state(QUIZ, quiz.slug):
            why = f"You have read “{lesson.title}”; its quiz shows what you remember."
            seconds = quiz.question_count * SECONDS_A_QUESTION
            return Recommendation("quiz", quiz.title, quiz.get_absolute_url(), seconds, why)
    return None


def _exercise_of_a_read_lesson(facts: _Facts) -> Recommendation | None:
    if not facts.read:
        return None
    for slug, title, step in facts.exercises:
        lesson = facts.read.get(step.split("/")[0])
        if lesson is not None and facts.state(EXERCISE, slug) != DONE:
            why = f"You have read “{lesson.title}”, which prepares you for this exercise."
            return _exercise(facts, slug, title, why)
    return None


def _new_lesson(facts: _Facts) -> Recommendation | None:
    lesson = next((one for one in facts.lessons if not one.complete), None)
    if lesson is None:
        return None
    why = "This is the first lesson that you have not read."
    known = [slug for slug in lesson.needs if slug in facts.read]
    if not facts.read:
        why = "The course begins here."
    if known:
        why = f"It builds on “{facts.read[known[-1]].title}”, which you have read."
    return _step(facts, lesson, why)


def _step(facts: _Facts, lesson: _LessonFacts, why: str) -> Recommendation:
    place = next(index for index, state in enumerate(lesson.states) if state != DONE)
    path, seconds = lesson.steps[place]
    title = f"{lesson.title}, step {place + 1}"
    address = addresses.step_address(facts.course.slug, path)
    return Recommendation("step", title, address, seconds, why)


def _exercise(facts: _Facts, slug: str, title: str, why: str | Callable[[], str]) -> Recommendation:
    address = addresses.exercise_address(facts.course.slug, slug)
    return Recommendation("exercise", title, address, SECONDS_AN_EXERCISE, why)


RULES: tuple[Rule, ...] = (
    _review,
    _open_attempt,
    _begun_lesson,
    _unsolved_exercise,
    _quiz_of_a_read_lesson,
    _exercise_of_a_read_lesson,
    _new_lesson,
)
