"""The one next thing for a learner to do, decided from facts: no database, no clock.

The first of these that exists counts:

1. a clock that runs: work of a class, and an attempt, that ends within the hour;
2. what follows the thing just done: the next step of its lesson, also after an exercise in the
   middle of it, the lesson's quiz, its exercises, then what it opens on the concept map;
3. what is due within two days;
4. what was begun within the hour; then reviews; then what was begun within the last three days;
5. the frontier of the map: concepts not practised, all of whose needs are;
6. what is left, in the order of the course, and last of all what was given up.

Of what was begun the newest comes first. Reviews wait while somebody is at work, but come before
the work of another day. Nothing here tells a result that a class hides: `state` does not know it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Protocol

from django.urls import reverse

from quizzes.classes.dates import distance
from quizzes.classes.due_work import DueWork
from quizzes.classes.rules import WorkKind
from quizzes.concepts.frontier import ready_to_learn
from quizzes.courses import addresses
from quizzes.courses.addresses import Thing
from quizzes.learners.models import Progress
from quizzes.study.course_outline import (
    Outline,
    OutlineConcept,
    OutlineExercise,
    OutlineStep,
    Unit,
)
from quizzes.study.learner_rows import OpenAttempt

DONE, NEEDS_WORK = Progress.State.DONE.value, Progress.State.NEEDS_WORK.value
LESSON, STEP, QUIZ, EXERCISE, QUESTION = (
    kind.value
    for kind in (
        Progress.Kind.LESSON,
        Progress.Kind.STEP,
        Progress.Kind.QUIZ,
        Progress.Kind.EXERCISE,
        Progress.Kind.QUESTION,
    )
)
REVIEW = "review"
JUST_NOW = timedelta(hours=1)  # one sitting: longer ago, a learner comes back and begins again
BEGUN_LATELY = timedelta(days=3)
RUNNING_OUT, DUE_SOON = timedelta(hours=1), timedelta(hours=48)
DUE_THIS_WEEK = timedelta(days=7)
SECONDS_A_QUESTION = 45
SECONDS_AN_EXERCISE = 900
# Of work of a class in another course, or for classes only: as most lessons and quizzes take.
SECONDS_A_LESSON, QUESTIONS = 1200, 8


@dataclass(frozen=True)
class Recommendation:
    """The next thing to do: its kind, name, title, address and time, and the reason in a sentence.

    Work of a class may be of another course than the page: names are those of `course`. `lesson` is
    the one that it belongs to, "" for none. `is_first`: the learner has done nothing in the course.
    """

    kind: str  # review, step, quiz or exercise
    course: str  # its slug; "" for reviews, which are of all courses
    slug: str  # of a step "<lesson>/<step>"; "" for reviews
    title: str
    address: str
    seconds: int
    reason: str | Callable[[], str] = field(compare=False)  # read by the pages that show it
    lesson: str = ""
    is_first: bool = False

    @property
    def act(self) -> str:
        """Return what a button to it says, on every page."""
        return "Start" if self.is_first else "Continue"

    @property
    def why(self) -> str:
        return self.reason if isinstance(self.reason, str) else self.reason()

    @property
    def minutes(self) -> str:
        return f"{max(1, round(self.seconds / 60))} min"


class NextFacts(Protocol):
    """What the rules look at. Each part may be read when a rule first needs it."""

    now: datetime

    @property
    def outline(self) -> Outline: ...

    @property
    def states(self) -> Mapping[tuple[str, str], str]:
        """Return the stored states by kind and slug, those that a class hides among them."""

    @property
    def times(self) -> Mapping[tuple[str, str], datetime]:
        """Return when the learner last did each of these things, by kind and slug."""

    @property
    def attempts(self) -> Sequence[OpenAttempt]: ...

    @property
    def due_reviews(self) -> int: ...

    @property
    def due_work(self) -> Sequence[DueWork]:
        """Return what classes expect within `DUE_SOON`, the earliest first."""

    @property
    def work_this_week(self) -> Sequence[DueWork]:
        """Return what classes expect within `DUE_THIS_WEEK`, as the start page lists it."""

    def state(self, kind: str, slug: str) -> str:
        """Return the state of a quiz or an exercise, "" where it is hidden from the learner."""

    def is_shut(self, kind: str, slug: str) -> bool:
        """Return whether a class forbids the learner to begin a quiz, or to submit code, now."""

    def last_verdict(self, exercise: str) -> str:
        """Return what the last verdict on an exercise said, in a sentence."""


Choices = Iterator[Recommendation]


def next_after(thing: Thing | None, facts: NextFacts) -> Recommendation | None:
    """Return the next thing to do, None where all is done.

    `thing` is what the page shows the end of; without it, what the learner did within the last
    hour counts as just done.
    """
    thing = thing or _just_done(facts)
    choices = chain(
        _due(facts, RUNNING_OUT),
        _following(thing, facts) if thing is not None else (),
        _due(facts, DUE_SOON),
        _begun(facts, JUST_NOW),
        _reviews(facts),
        _begun(facts, BEGUN_LATELY),
        _frontier(facts),
        _left(facts),
    )
    following = next(choices, None)
    if following is not None and not (facts.times or facts.attempts):
        return replace(following, is_first=True)
    return following


def _just_done(facts: NextFacts) -> Thing | None:
    """Return the newest thing if it is from the last hour and done.

    A step counts that was only begun, since its lesson goes on. An open attempt and an exercise
    not solved yet are not done: they are begun.
    """
    newest: list[tuple[datetime, Thing | None]] = [
        (at, Thing(kind, slug))
        for (kind, slug), at in facts.times.items()
        if kind in {STEP, QUIZ, EXERCISE}
    ]
    newest += [(attempt.at, None) for attempt in facts.attempts]
    at, thing = max(newest, key=itemgetter(0), default=(facts.now, None))
    if thing is None or facts.now - at >= JUST_NOW:
        return None
    return thing if thing.kind != EXERCISE or facts.state(EXERCISE, thing.name) == DONE else None


# ---- the rules in their order


def _following(thing: Thing, facts: NextFacts) -> Choices:
    """Yield what follows a thing in its lesson, and then what it opens on the map.

    What was given up long ago is left out: it has its turn when nothing else is left.
    """
    unit = facts.outline.unit_of(thing)
    if unit is None:
        return
    was_missed = thing.kind == QUIZ and facts.state(QUIZ, thing.name) == NEEDS_WORK
    # An exercise solved before the end of its lesson leads back; one solved unread does not.
    goes_on = thing.kind != QUIZ and (thing.kind != EXERCISE or _is_begun(facts, unit))
    if was_missed or (goes_on and not (thing.kind == EXERCISE and _is_read(facts, unit))):
        yield from _steps(facts, unit, after=thing.name)
    if goes_on:
        yield from _quizzes(facts, unit)
    exercises = [code for code in unit.exercises if not _is_given_up(facts, code)]
    yield from _exercises(facts, exercises, unit)
    taught = {
        concept.slug
        for concept in facts.outline.concepts.values()
        if any(step.partition("/")[0] == unit.slug for step in concept.steps)
        or (thing.kind == EXERCISE and thing.name in concept.exercises)
    }
    for concept in _frontier_concepts(facts):
        if taught.intersection(concept.requires):
            yield from _of_concept(facts, concept)


def _due(facts: NextFacts, within: timedelta) -> Choices:
    """Yield work of classes and attempts that end within a span of time, by their dates."""
    due: list[tuple[datetime, Iterable[Recommendation]]] = [
        (attempt.deadline, _attempt(facts, attempt))
        for attempt in facts.attempts
        if attempt.deadline is not None and attempt.deadline - facts.now <= within
    ]
    due += [
        (work.end, _of_class(facts, work))
        for work in facts.due_work
        if work.end - facts.now <= within
    ]
    for _, choices in sorted(due, key=itemgetter(0)):
        yield from choices


def _begun(facts: NextFacts, within: timedelta) -> Choices:
    """Yield what was begun and last touched within a span of time, the newest first."""
    begun: list[tuple[datetime, Iterable[Recommendation]]] = [
        (attempt.at, _attempt(facts, attempt)) for attempt in facts.attempts
    ]
    for unit in facts.outline.units.values():
        paths = [step.path for step in unit.steps if (STEP, step.path) in facts.times]
        newest = max(paths, key=lambda path: facts.times[STEP, path], default=None)
        if newest is not None:
            begun.append((facts.times[STEP, newest], _steps(facts, unit, after=newest)))
    for exercise in facts.outline.exercises.values():
        at = facts.times.get((EXERCISE, exercise.slug))
        if at is not None and facts.state(EXERCISE, exercise.slug) == NEEDS_WORK:
            begun.append((at, _exercises(facts, [exercise])))
    for at, choices in sorted(begun, key=itemgetter(0), reverse=True):
        if facts.now - at < within:
            yield from choices


def _reviews(facts: NextFacts) -> Choices:
    count = facts.due_reviews
    if count:
        what = "One thing you missed is" if count == 1 else f"{count} things you missed are"
        why = f"{what} due: the best moment to recall something is just before you forget it."
        seconds, address = count * SECONDS_A_QUESTION, reverse("study:review")
        yield Recommendation(REVIEW, "", "", "Review what you missed", address, seconds, why)


def _frontier(facts: NextFacts) -> Choices:
    """Yield what is new for concepts whose needs are practised.

    Those that need something come first, so that nobody who has solved exercises starts again.
    """
    concepts = sorted(_frontier_concepts(facts), key=lambda concept: not concept.requires)
    for concept in concepts:
        yield from _of_concept(facts, concept)


def _left(facts: NextFacts) -> Choices:
    """Yield the rest of a course in its order; quizzes and exercises that were given up are last.

    A lesson left long ago keeps its place there. New steps of a finished one come after all else.
    """
    outline = facts.outline
    for unit in outline.units.values():
        if not _is_read(facts, unit):
            yield from _steps(facts, unit)
        yield from _quizzes(facts, unit, only_new=True)
        yield from _exercises(facts, unit.exercises, unit, only_new=True)
    for quiz in outline.quizzes:
        yield from _quiz(facts, quiz, only_new=True)
    yield from _exercises(facts, outline.exercises.values(), only_new=True)
    for unit in outline.units.values():
        yield from _steps(facts, unit)  # new ones of a lesson that was finished before
    for attempt in facts.attempts:
        yield from _attempt(facts, attempt)
    yield from _exercises(facts, outline.exercises.values())


# ---- concepts


def _frontier_concepts(facts: NextFacts) -> list[OutlineConcept]:
    """Return the concepts not practised, all of whose needs are, in the order of their lessons."""
    concepts = facts.outline.concepts
    practised = {slug for slug, concept in concepts.items() if _is_practised(facts, concept)}
    requires = {slug: concept.requires for slug, concept in concepts.items()}
    return [concepts[slug] for slug in ready_to_learn(requires, practised)]


def _is_practised(facts: NextFacts, concept: OutlineConcept) -> bool:
    """Return whether a learner has answered a question of a concept, or tried an exercise of it.

    Where neither asks for it, seeing a step is enough. Whether an answer was right counts for
    nothing here, so this gives no result away.
    """
    if not concept.is_asked_for and any((STEP, step) in facts.states for step in concept.steps):
        return True
    return any((QUESTION, slug) in facts.states for slug in concept.questions) or any(
        facts.state(EXERCISE, slug) for slug in concept.exercises
    )


def _of_concept(facts: NextFacts, concept: OutlineConcept) -> Choices:
    """Yield what is new of a concept: its lesson from the start, its quiz, its exercises.

    What was begun has had its turn by now, or is of long ago and waits for `_left`.
    """
    unit = facts.outline.units.get(concept.lesson)
    if unit is None:
        return
    needs = [facts.outline.concepts.get(slug) for slug in concept.requires]
    known = next((f"“{need.title}”" for need in needs if need is not None), "")
    why = f"“{concept.title}” builds on {known}, which you have practised." if known else ""
    if why and (skipped := _skipped(facts, unit)):
        why = f"{why} {skipped} can wait."
    if not _is_read(facts, unit):
        if not _is_begun(facts, unit):
            yield from _steps(facts, unit, why=why)
        return
    yield from _quizzes(facts, unit, only_new=True)
    exercises = (facts.outline.exercises.get(slug) for slug in concept.exercises)
    there = [exercise for exercise in exercises if exercise is not None]
    yield from _exercises(facts, there, unit, only_new=True)


def _skipped(facts: NextFacts, unit: Unit) -> str:
    """Return the lessons before this one, not begun, by their numbers, "" for none.

    The map may lead past some of them: without a word, that looks like a mistake. A lesson of which
    a class expects something within the week cannot wait.
    """
    before = [
        other
        for other in facts.outline.units.values()
        if 0 < other.number < unit.number
        and not (_is_read(facts, other) or _is_begun(facts, other))
    ]
    due = _due_lessons(facts) if before else set()
    numbers = [other.number for other in before if other.slug not in due]
    if len(numbers) < 2:
        return f"Lesson {numbers[0]}" if numbers else ""
    if len(numbers) == numbers[-1] - numbers[0] + 1 > 2:
        return f"Lessons {numbers[0]} to {numbers[-1]}"
    return f"Lessons {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def _due_lessons(facts: NextFacts) -> Set[str]:
    """Return the lessons of the course to which work of classes within the week belongs."""
    outline = facts.outline
    units = (
        outline.unit_of(Thing(work.kind, work.assignment.slug))
        for work in facts.work_this_week
        if work.course.slug == outline.course
    )
    return {unit.slug for unit in units if unit is not None}


# ---- single things


def _is_read(facts: NextFacts, unit: Unit) -> bool:
    """Return whether a learner has read a lesson, as it is now or as it was before."""
    was_finished = facts.states.get((LESSON, unit.slug)) == DONE
    return was_finished or all(facts.states.get((STEP, step.path)) == DONE for step in unit.steps)


def _is_begun(facts: NextFacts, unit: Unit) -> bool:
    return any((STEP, step.path) in facts.states for step in unit.steps)


def _steps(facts: NextFacts, unit: Unit, *, after: str = "", why: str = "") -> Choices:
    """Yield the first step of a lesson that is not read: after a step, if there is one.

    `why` is the reason to begin the lesson, "" for its place in the course.
    """
    states = [facts.states.get((STEP, step.path), "") for step in unit.steps]
    left = [place for place, state in enumerate(states) if state != DONE]
    if not left:
        return
    paths = [step.path for step in unit.steps]
    here = paths.index(after) if after in paths else -1
    place = next((place for place in left if place > here), left[0])
    if any(states):
        why = f"You have read {states.count(DONE)} of {len(states)} steps of “{unit.title}”."
    step, why = unit.steps[place], why or _reason_to_begin(facts, unit)
    yield _step(facts, step, why)


def _step(facts: NextFacts, step: OutlineStep, why: str) -> Recommendation:
    lesson = step.path.partition("/")[0]
    course = facts.outline.course
    return Recommendation(
        STEP, course, step.path, step.title, step.address, step.seconds, why, lesson
    )


def _reason_to_begin(facts: NextFacts, unit: Unit) -> str:
    """Return what the place of a lesson in its course says about it."""
    unread = (other for other in facts.outline.units.values() if not _is_read(facts, other))
    if next(unread, unit) is not unit:
        return "You have not read this lesson yet."
    if facts.states:
        return "This is the first lesson that you have not read."
    return "The course begins here."  # nothing is read, so the first unread lesson is the first


def _quizzes(facts: NextFacts, unit: Unit, *, only_new: bool = False) -> Choices:
    """Yield the first quiz about a lesson, unless one was taken."""
    if any((QUIZ, quiz.slug) in facts.times for quiz in unit.quizzes):
        return
    for quiz in unit.quizzes:
        yield from _quiz(facts, quiz.slug, unit, only_new=only_new)


def _quiz(facts: NextFacts, slug: str, unit: Unit | None = None, *, only_new: bool) -> Choices:
    """Yield a quiz that was not taken, or the open attempt at it unless only new things count.

    An attempt that was given up is left out.
    """
    begun = next((attempt for attempt in facts.attempts if attempt.quiz == slug), None)
    if begun is not None:
        is_over = only_new or facts.now - begun.at >= BEGUN_LATELY
        yield from () if is_over else _attempt(facts, begun)
        return
    if (QUIZ, slug) in facts.times or facts.is_shut(QUIZ, slug):
        return
    quiz = facts.outline.quizzes[slug]
    why = "You have not taken this quiz yet."
    if unit is not None and _is_read(facts, unit):
        why = f"You have read “{unit.title}”; its quiz shows what you remember."
    course = facts.outline.course
    address = addresses.quiz_address(course, slug)
    seconds = quiz.questions * SECONDS_A_QUESTION
    lesson = unit.slug if unit is not None else ""
    yield Recommendation(QUIZ, course, slug, quiz.title, address, seconds, why, lesson)


def _attempt(facts: NextFacts, attempt: OpenAttempt) -> Choices:
    """Yield an attempt that takes answers."""
    unit = facts.outline.unit_of(Thing(QUIZ, attempt.quiz))
    why = "You started this quiz; your answers are saved."
    if attempt.deadline is not None:
        why = f"You started this quiz; it ends {distance(attempt.deadline, facts.now)}."
    yield Recommendation(
        QUIZ,
        facts.outline.course,
        attempt.quiz,
        attempt.title,
        addresses.attempt_address(facts.outline.course, attempt.quiz, attempt.key),
        attempt.unanswered * SECONDS_A_QUESTION,
        why,
        unit.slug if unit is not None else "",
    )


def _exercises(
    facts: NextFacts,
    exercises: Iterable[OutlineExercise],
    unit: Unit | None = None,
    *,
    only_new: bool = False,
) -> Choices:
    """Yield the exercises that are not solved; with `only_new` those that were not tried.

    Code that a class takes no more is skipped, as long as the class is open.
    """
    course = facts.outline.course
    for slug, title, step in exercises:
        state = facts.state(EXERCISE, slug)
        if state == DONE or (state and only_new) or facts.is_shut(EXERCISE, slug):
            continue
        why: str | Callable[[], str] = "You have not tried this exercise yet."
        if state:
            why = partial(facts.last_verdict, slug)
        elif unit is not None and _is_read(facts, unit):
            why = f"You have read “{unit.title}”, which prepares you for this exercise."
        elif unit is not None:
            why = f"It belongs to the lesson “{unit.title}”."
        address = addresses.exercise_address(course, slug)
        lesson = step.partition("/")[0]
        yield Recommendation(
            EXERCISE, course, slug, title, address, SECONDS_AN_EXERCISE, why, lesson
        )


def _is_given_up(facts: NextFacts, exercise: OutlineExercise) -> bool:
    """Return whether an exercise was not solved, and not tried within the last days."""
    at = facts.times.get((EXERCISE, exercise.slug))
    is_open = facts.state(EXERCISE, exercise.slug) == NEEDS_WORK
    return is_open and at is not None and facts.now - at >= BEGUN_LATELY


def _counted_steps(facts: NextFacts, work: DueWork) -> Choices:
    """Yield the steps that an assigned lesson counts and that are left, also off the path.

    Of a lesson that was withdrawn, of which nothing else is known here, by their addresses.
    """
    steps, course = facts.outline.steps, work.course.slug
    lessons = {path.partition("/")[0] for path in steps}
    for path in work.undone:
        if path in steps:
            yield _step(facts, steps[path], work.says)
        elif (lesson := path.partition("/")[0]) not in lessons:
            title, address = work.assignment.title, addresses.step_address(course, path)
            yield Recommendation(
                STEP, course, path, title, address, SECONDS_A_LESSON, work.says, lesson
            )


def _of_class(facts: NextFacts, work: DueWork) -> Choices:
    """Yield work of a class: the attempt under way, the step to read, else the thing itself."""
    assignment, course = work.assignment, work.course.slug
    slug, title, is_here = assignment.slug, assignment.title, course == facts.outline.course
    begun = (
        attempt for attempt in facts.attempts if is_here and attempt.sitting == assignment.sitting
    )
    attempt = next(begun, None)
    if is_here and work.kind == WorkKind.LESSON:
        yield from _counted_steps(facts, work)
    elif attempt is not None:
        for choice in _attempt(facts, attempt):
            yield replace(choice, reason=work.says)
    elif work.kind == WorkKind.LESSON:
        address = addresses.step_address(course, work.undone[0])
        yield Recommendation(STEP, course, slug, title, address, SECONDS_A_LESSON, work.says)
    elif work.kind == WorkKind.QUIZ:
        address = addresses.quiz_address(course, slug)
        quiz = facts.outline.quizzes.get(slug) if is_here else None
        seconds = (quiz.questions if quiz is not None else QUESTIONS) * SECONDS_A_QUESTION
        about = facts.outline.unit_of(Thing(QUIZ, slug)) if quiz is not None else None
        lesson = about.slug if about is not None else ""
        yield Recommendation(QUIZ, course, slug, title, address, seconds, work.says, lesson)
    else:
        address = addresses.exercise_address(course, slug)
        exercise = facts.outline.exercises.get(slug) if is_here else None
        lesson = exercise.lesson if exercise is not None else ""
        yield Recommendation(
            EXERCISE, course, slug, title, address, SECONDS_AN_EXERCISE, work.says, lesson
        )
