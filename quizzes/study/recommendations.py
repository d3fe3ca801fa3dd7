"""The one next thing for a learner to do, and why: first what is due, then open work, then new.

The header, the start page, the progress page and the end of every lesson, quiz and exercise show
it, so it takes few queries: at most seven, and none for a visitor who has done nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial

from django.db.models import Count, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from quizzes import statements
from quizzes.assessment.course_quizzes import open_quizzes
from quizzes.assessment.models import Attempt, Quiz
from quizzes.courses import addresses
from quizzes.courses.models import Course
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import current_learner, due_count, due_count_of, hidden_slugs
from quizzes.request_values import RequestValue
from quizzes.statements import Param, Statement
from quizzes.study.course_contents import CourseContents
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


# By the key of the course.
_NEXT_THINGS: RequestValue[dict[int, Recommendation | None]] = RequestValue("next_things")


def recommendation_for(request: HttpRequest, course: Course | None) -> Recommendation | None:
    """Return the next thing for the learner of a request; worked out once for each request.

    None for a visitor who has done nothing: what a newcomer begins with is the start page's.
    """
    learner = current_learner(request)
    if learner is None or course is None:
        return None
    known = _NEXT_THINGS.get_or_set(request, dict)
    if course.pk not in known:
        known[course.pk] = next_recommendation(course, learner, due=due_count_of(request))
    return known[course.pk]


def next_recommendation(
    course: Course,
    learner: Learner | None,
    *,
    due: int | None = None,
    contents: CourseContents | None = None,
) -> Recommendation | None:
    """Return the next thing to do in a course; None when all is done.

    Give the number of due reviews and the contents of the course where they are at hand.
    """
    facts = _Facts(contents or CourseContents(course), learner, due)
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


@cache
def _states_query() -> Statement:
    mine = Progress.objects.filter(learner=Param("learner"), course=Param("course"))
    rows = mine.filter(kind__in=[STEP, QUIZ, EXERCISE])
    return statements.select(rows.values_list("kind", "slug", "state"))


class _Facts:
    """What the rules look at. Each part is one query, made by the first rule that needs it."""

    def __init__(self, contents: CourseContents, learner: Learner | None, due: int | None) -> None:
        self.contents, self.course = contents, contents.course
        self.learner, self._due = learner, due

    @cached_property
    def due(self) -> int:
        return due_count(self.learner) if self._due is None else self._due

    @cached_property
    def states(self) -> dict[tuple[str, str], str]:
        if self.learner is None:
            return {}
        rows = _states_query().rows(learner=self.learner.pk, course=self.course.pk)
        hidden = {
            (kind, slug)
            for kind in (QUIZ, EXERCISE)
            for slug in hidden_slugs(self.learner, self.course.pk, kind)
        }
        return {(kind, slug): state for kind, slug, state in rows if (kind, slug) not in hidden}

    @cached_property
    def lessons(self) -> Sequence[_LessonFacts]:
        found = []
        for lesson in self.contents.lessons:
            steps = tuple(
                (f"{lesson.slug}/{step.slug}", step.reading_seconds) for step in lesson.steps.all()
            )
            if steps:
                states = tuple(self.states.get((STEP, path), "") for path, _ in steps)
                needs = tuple(str(one) for one in lesson.prerequisites or [])
                found.append(_LessonFacts(lesson.slug, lesson.title, steps, needs, states))
        return found

    @cached_property
    def read(self) -> dict[str, _LessonFacts]:
        return {lesson.slug: lesson for lesson in self.lessons if lesson.complete}

    @cached_property
    def exercises(self) -> Sequence[tuple[str, str, str]]:
        """Return slug, title and step of each exercise."""
        there = self.contents.exercises
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


# Most learners have none, and this is a tenth of the query that knows which are still open.
@cache
def _not_submitted_query() -> Statement:
    mine = Attempt.objects.filter(learner=Param("learner"), quiz__course=Param("course"))
    return statements.select(mine.filter(submitted_at=None).values_list("pk")[:1])


def _open_attempt(facts: _Facts) -> Recommendation | None:
    if facts.learner is None:
        return None
    if not _not_submitted_query().rows(learner=facts.learner.pk, course=facts.course.pk):
        return None
    begun = Attempt.objects.open(timezone.now()).filter(learner=facts.learner)
    here = begun.filter(quiz__course=facts.course, quiz__in=Quiz.objects.open())
    left = Count("responses", filter=Q(responses__answered_at=None))
    # Values, since a whole attempt with its quiz and course takes three times as long.
    rows = here.annotate(left=left).order_by("quiz__place", "quiz")
    first = rows.values_list("pk", "quiz__slug", "quiz__title", "left").first()
    if first is None:
        return None
    number, quiz, title, count = first
    why = "You started this quiz; your answers are saved."
    address = addresses.attempt_address(facts.course.slug, quiz, number)
    return Recommendation("quiz", title, address, count * SECONDS_A_QUESTION, why)


def _begun_lesson(facts: _Facts) -> Recommendation | None:
    for lesson in facts.lessons:
        if not lesson.complete and any(lesson.states):
            why = f"You have read {lesson.read} of {len(lesson.steps)} steps of “{lesson.title}”."
            return _step(facts, lesson, why)
    return None


def _unsolved_exercise(facts: _Facts) -> Recommendation | None:
    if NEEDS_WORK not in (state for (kind, _), state in facts.states.items() if kind == EXERCISE):
        return None
    for slug, title, _ in facts.exercises:
        if facts.states.get((EXERCISE, slug)) == NEEDS_WORK:
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
        if lesson is not None and (QUIZ, quiz.slug) not in facts.states:
            why = f"You have read “{lesson.title}”; its quiz shows what you remember."
            seconds = quiz.question_count * SECONDS_A_QUESTION
            return Recommendation("quiz", quiz.title, quiz.get_absolute_url(), seconds, why)
    return None


def _exercise_of_a_read_lesson(facts: _Facts) -> Recommendation | None:
    if not facts.read:
        return None
    for slug, title, step in facts.exercises:
        lesson = facts.read.get(step.split("/")[0])
        if lesson is not None and facts.states.get((EXERCISE, slug)) != DONE:
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
