"""The list of lessons: one line with a stop for each lesson, in parts that fold.

The quizzes and exercises of a lesson hang on its stop, and its ring says how much of it is seen,
practised and mastered. No database here and no clock: `study.views` reads.

A part is a run of lessons under the name of a family of the map. A family opens one part, where it
comes first; later lessons of it, and those without a family, stay in the part under way. So there
are no more parts than families, however a course mixes them. A long run is cut, so that the part
that is open has a height that is bounded.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import ceil

from django.template.defaultfilters import pluralize

from quizzes.courses.addresses import PictureAddresses, Thing, exercise_address, quiz_address
from quizzes.courses.content import Same
from quizzes.learners.models import Progress
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import LessonProgress
from quizzes.pages.families import Family
from quizzes.pages.sentences import beginning_of
from quizzes.study.concept_states import (
    MASTERED,
    PRACTISED,
    SEEN,
    ConceptState,
    concepts_of_lesson,
)
from quizzes.study.course_outline import Outline
from quizzes.study.next_thing import Recommendation

LONGEST_PART = 6  # stops
DONE, NEEDS_WORK = Progress.State.DONE.value, Progress.State.NEEDS_WORK.value
STEP, QUIZ, EXERCISE = (
    kind.value for kind in (Progress.Kind.STEP, Progress.Kind.QUIZ, Progress.Kind.EXERCISE)
)
STATES = (SEEN, PRACTISED, MASTERED)


@dataclass(frozen=True)
class Ring:
    """How many things are seen at most, practised at most and mastered, of `total`.

    The things are concepts; of a lesson that has none to master, its steps, seen when read.
    """

    total: int
    counts: tuple[int, int, int] = (0, 0, 0)  # as STATES
    things: str = "concepts"

    @property
    def arcs(self) -> list[tuple[str, int]]:
        """Return the share of 100 that reached each state; a better state is part of a lesser."""
        reached = (sum(self.counts[place:]) for place in range(len(STATES)))
        return [
            (state, round(100 * number / self.total))
            for state, number in zip(STATES, reached, strict=True)
            if number
        ]

    @property
    def words(self) -> str:
        """Return it for somebody who does not see it, "" where nothing is begun."""
        said = [
            f"{number} {state}"
            for state, number in zip(reversed(STATES), reversed(self.counts), strict=True)
            if number
        ]
        return f"Of {self.total} {self.things}: {', '.join(said)}." if said else ""


def _sum_of(rings: Sequence[Ring]) -> Ring:
    seen, practised, mastered = (
        sum(ring.counts[place] for ring in rings) for place in range(len(STATES))
    )
    things = " and ".join(sorted({ring.things for ring in rings}))
    return Ring(sum(ring.total for ring in rings), (seen, practised, mastered), things)


@dataclass(frozen=True)
class Work:
    """A quiz or an exercise that hangs on a stop; `questions` of a quiz, 0 for an exercise.

    `was_sent`: something was submitted, and `is_open`: an attempt takes answers. Both say nothing
    of a result, so they are there where a class hides the `state`.
    """

    kind: str
    title: str
    address: str
    state: str
    questions: int = 0
    was_sent: bool = False
    is_open: bool = False

    @property
    def mark(self) -> str:
        """Return how far it is: done, begun or new."""
        if self.is_new:
            return "new"
        return "done" if self.state == DONE else "begun"

    @property
    def is_new(self) -> bool:
        return not (self.state or self.was_sent or self.is_open)

    @property
    def says(self) -> str:
        """Return its state in words; the mark alone says that it is new, to those who see it."""
        if self.kind == QUIZ:
            said = {DONE: "all correct", NEEDS_WORK: "not all correct yet"}
            new = f"{self.questions} question{pluralize(self.questions)}, not taken yet"
        else:
            said, new = {DONE: "solved", NEEDS_WORK: "not solved yet"}, "not tried yet"
        if self.state in said:
            return said[self.state]
        return "begun" if self.is_open else "submitted" if self.was_sent else new


@dataclass(frozen=True)
class Stop:
    """A lesson on the line with a learner's progress in it. It is a key: equal stops look alike."""

    number: int
    lesson: Same[Lesson]
    progress: LessonProgress
    family: Family | None
    picture: PictureAddresses | None
    ring: Ring
    work: tuple[Work, ...]
    is_current: bool = False  # the one that is open
    following: Recommendation | None = None  # the next thing to do, where that is here
    is_quiet: bool = False  # another button on the page is the one to press

    @property
    def classes(self) -> str:
        """Return its classes, see lesson_list.css."""
        family = [f"family--{self.family.number}"] if self.family else []
        return " ".join(["stop", *family, *(["stop--open"] if self.is_current else [])])

    @property
    def is_next(self) -> bool:
        return self.following is not None

    @property
    def is_under_way(self) -> bool:
        """Return whether its steps are in sight: those of a lesson that was read fold away."""
        return self.is_current and not self.progress.complete

    @property
    def sentence(self) -> str:
        """Return the first sentence of its summary."""
        return beginning_of(self.lesson.it.summary)

    @property
    def mastered(self) -> str:
        """Return how many of its concepts are mastered, in words; "" before it is begun."""
        if not self.progress.done or self.ring.things != "concepts":
            return ""
        return f"{self.ring.counts[-1]} of {self.ring.total} concepts mastered"

    @property
    def address(self) -> str:
        """Return where its button leads: to the next thing, which need not be its next step.

        A class may count a step off the path, and a step that was skipped has its turn later.
        """
        return self.following.address if self.following else self.progress.next_address

    @property
    def button(self) -> str:
        """Return what the button of the open stop says."""
        following, progress = self.following, self.progress
        if following is not None and following.kind != STEP:
            return f"Next · {following.title}"
        if following is None and progress.complete:
            return "Read again"
        if not progress.done and self.address == progress.next_address:
            return "Start"
        steps = (step for step, _ in (*progress.steps, *progress.deeper))
        there = next((step for step in steps if step.get_absolute_url() == self.address), None)
        return f"Continue with “{there.title if there is not None else self.lesson.it.title}”"


@dataclass(frozen=True)
class Part:
    """A run of stops that folds; `is_cut`: its family has another part."""

    family: Family | None
    stops: tuple[Stop, ...]
    is_cut: bool = False

    @property
    def title(self) -> str:
        if not self.is_cut:
            return self.family.name if self.family else "All lessons"
        places = f"lessons {self.stops[0].number} to {self.stops[-1].number}"
        return f"{self.family.name}, {places}" if self.family else places.capitalize()

    @property
    def is_open(self) -> bool:
        return any(stop.is_current for stop in self.stops)

    @property
    def seconds(self) -> int:
        return sum(stop.lesson.it.reading_seconds for stop in self.stops)

    @cached_property
    def ring(self) -> Ring:
        return _sum_of([stop.ring for stop in self.stops])


@dataclass(frozen=True)
class ListFacts:
    """What the list is made of. `lessons` are those of the line, each with its progress."""

    lessons: Sequence[tuple[Lesson, LessonProgress]]
    families: Mapping[str, Family]
    pictures: Mapping[str, PictureAddresses | None]
    outline: Outline
    concepts: Sequence[ConceptState]
    states: Mapping[tuple[str, str], str]  # of quizzes and exercises, by kind and slug
    sent: Collection[tuple[str, str]]  # quizzes and exercises of which something was submitted
    open_quizzes: Collection[str]  # with an attempt that takes answers
    following: Recommendation | None
    is_ending: bool = False  # the page shows the end of a lesson, with a button of its own


def parts_of(facts: ListFacts) -> list[Part]:
    """Return the parts of the line; the one with the current lesson is open."""
    current = _current(facts)
    stops = [
        _stop(facts, lesson, progress, is_current=lesson.slug == current)
        for lesson, progress in facts.lessons
    ]
    return [part for run in _runs(stops) for part in _cut(run)]


def _current(facts: ListFacts) -> str:
    """Return the lesson of the next thing, else one begun, else the first unread; "" for none."""
    unread = [(lesson.slug, read) for lesson, read in facts.lessons if not read.complete]
    if _next_lesson(facts) in {lesson.slug for lesson, _ in facts.lessons}:
        return _next_lesson(facts)
    begun = (slug for slug, read in unread if read.done)
    return next(begun, unread[0][0] if unread else "")


def _next_lesson(facts: ListFacts) -> str:
    following = facts.following
    is_here = following is not None and following.course == facts.outline.course
    return following.lesson if following is not None and is_here else ""


def _stop(facts: ListFacts, lesson: Lesson, progress: LessonProgress, *, is_current: bool) -> Stop:
    following = facts.following
    is_next = is_current and _next_lesson(facts) == lesson.slug
    return Stop(
        facts.outline.numbers[lesson.slug],
        Same(lesson),
        progress,
        facts.families.get(lesson.slug),
        facts.pictures.get(lesson.slug),
        _ring(facts, lesson, progress),
        tuple(_work(facts, lesson)),
        is_current=is_current,
        # Without its reason, which may hold the facts of a page: a drawn stop is kept for others.
        following=replace(following, reason="") if following is not None and is_next else None,
        is_quiet=facts.is_ending or (following is not None and not is_next),
    )


def _ring(facts: ListFacts, lesson: Lesson, progress: LessonProgress) -> Ring:
    here = [state.state for state in concepts_of_lesson(facts.concepts, lesson.slug)]
    if not here:
        return Ring(len(progress.steps), (progress.done, 0, 0), "steps")
    seen, practised, mastered = (here.count(state) for state in STATES)
    return Ring(len(here), (seen, practised, mastered))


def _work(facts: ListFacts, lesson: Lesson) -> Iterable[Work]:
    course, unit = facts.outline.course, facts.outline.unit_of(Thing("lesson", lesson.slug))
    for quiz in unit.quizzes if unit else ():
        key, address = (QUIZ, quiz.slug), quiz_address(course, quiz.slug)
        yield Work(
            QUIZ,
            quiz.title,
            address,
            facts.states.get(key, ""),
            quiz.questions,
            was_sent=key in facts.sent,
            is_open=quiz.slug in facts.open_quizzes,
        )
    for exercise in unit.exercises if unit else ():
        key, address = (EXERCISE, exercise.slug), exercise_address(course, exercise.slug)
        state = facts.states.get(key, "")
        yield Work(EXERCISE, exercise.title, address, state, was_sent=key in facts.sent)


def _runs(stops: Iterable[Stop]) -> list[tuple[Family | None, list[Stop]]]:
    """Return the stops by parts; those before the first family are in its part."""
    runs: list[tuple[Family | None, list[Stop]]] = []
    for stop in stops:
        known = {family for family, _ in runs}
        if runs and (stop.family is None or stop.family in known):
            runs[-1][1].append(stop)
        elif runs and known == {None}:
            runs = [(stop.family, [*runs[0][1], stop])]
        else:
            runs.append((stop.family, [stop]))
    return runs


def _cut(run: tuple[Family | None, list[Stop]]) -> Iterable[Part]:
    """Yield a run as parts of about the same length."""
    family, stops = run
    number = ceil(len(stops) / LONGEST_PART)
    edges = [round(len(stops) * place / number) for place in range(number + 1)]
    for first, last in pairwise(edges):
        yield Part(family, tuple(stops[first:last]), is_cut=number > 1)
