"""A learner's state in each concept of the map, worked out from evidence when it is read.

Seen: a step was opened or marked read. Practised: at least one of its questions was answered, or an
exercise tried. Mastered: of its questions the newest answer is right, its exercises are solved, and
no review of it has been due for more than a week. Of many questions the five that the learner
answered last count. A concept with neither question nor exercise ends at seen.

Where a concept has a step on the path of a lesson, steps off it and their exercises count for
nothing here: nobody has to go deeper to master it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from quizzes.assessment.course_quizzes import (
    lessons_of_quizzes,
    open_quizzes,
    questions_of_quizzes,
)
from quizzes.assessment.models import Question
from quizzes.concepts.files import Concept, StoredMap, map_of
from quizzes.concepts.frontier import needs_on_path, ready_to_learn
from quizzes.courses.addresses import (
    exercise_address,
    practice_address,
    quiz_address,
    step_address,
)
from quizzes.courses.content import Same, cached_content
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.learners.models import Learner, Progress, ReviewCard
from quizzes.learners.review import due_cards
from quizzes.learners.services import progress_of
from quizzes.lessons.models import Lesson
from quizzes.page_reads import read_once
from quizzes.pages.course_order import places
from quizzes.study.course_contents import CourseContents
from quizzes.study.own_answers import answered_questions, hidden_questions

DONE, NEEDS_WORK = Progress.State.DONE.value, Progress.State.NEEDS_WORK.value
SEEN, PRACTISED, MASTERED = "seen", "practised", "mastered"
WORDS = {MASTERED: "mastered", PRACTISED: "practised", SEEN: "seen", "": "not started"}
QUESTIONS = 5  # that count at most for one concept
LONG_OVERDUE = timedelta(days=7)


@dataclass(frozen=True)
class ConceptPart:
    """A step or an exercise of a concept, with its title and this learner's state."""

    slug: str  # "<lesson>/<step>", or the exercise's
    title: str
    within: str  # the lesson's title; "" for an exercise
    state: str
    address: str
    is_deeper: bool = False  # a step off the path of its lesson, or the exercise of one

    @property
    def needs_work(self) -> bool:
        return self.state == NEEDS_WORK


@dataclass(frozen=True)
class ConceptState:
    """One concept with this learner's state. `before` and `after` are its neighbours."""

    concept: Concept
    state: str
    steps: tuple[ConceptPart, ...]
    exercises: tuple[ConceptPart, ...]
    before: tuple[Concept, ...]
    after: tuple[Concept, ...]
    can_be_mastered: bool = True  # whether a question or an exercise asks for it
    gaps: "Gaps | None" = None  # None where it is mastered, or before it is seen
    number: int = 0  # of its family, from 1; 0 for none

    @property
    def words(self) -> str:
        return WORDS[self.state]

    @property
    def left(self) -> SafeString:
        """Return what is left to master it, with links; "" where nothing is known to be left."""
        return self.gaps.words if self.gaps is not None else SafeString("")

    @property
    def home(self) -> str:
        """Return the lesson in whose path it begins, "" for none."""
        path = (step for step in self.steps if not step.is_deeper)
        first = next(path, None)
        return first.slug.partition("/")[0] if first is not None else ""

    @property
    def is_practised(self) -> bool:
        """Return whether it was practised; where nothing asks for it, seeing it is enough."""
        enough = {PRACTISED, MASTERED} if self.can_be_mastered else {SEEN, PRACTISED, MASTERED}
        return self.state in enough

    @property
    def counts(self) -> bool:
        """Return whether it is counted: not where all of its steps are off the path."""
        return not self.steps or any(not step.is_deeper for step in self.steps)


def concept_states(
    course: Course, learner: Learner | None, contents: CourseContents | None = None
) -> tuple[StoredMap | None, tuple[ConceptState, ...]]:
    """Return a course's map and the learner's state in each concept, in its order. Few queries.

    Give the contents of the course where they are at hand.
    """
    stored_map = map_of(course)
    if stored_map is None:
        return None, ()
    contents, questions = contents or CourseContents(course), questions_by_step(course.pk)
    if learner is None:
        made_of = (stored_map, contents.lessons, contents.exercises, questions)
        return stored_map, _of_newcomer(course.slug, *map(Same, made_of))
    key = ("concept states", course.pk, learner.pk)
    made = stored_map, contents, questions
    return stored_map, read_once(key, lambda: _of_learner(course, learner, *made))


def concepts_of_lesson(standing: Sequence[ConceptState], lesson: str) -> list[ConceptState]:
    """Return the concepts that a lesson is there to master: they begin in it, and can be."""
    return [state for state in standing if state.home == lesson and state.can_be_mastered]


def count_states(standing: Sequence[ConceptState]) -> Mapping[str, int]:
    """Return how many of the concepts that count are in each state; empty for no concepts."""
    states = [concept.state for concept in standing if concept.counts]
    return {state: states.count(state) for state in WORDS} if states else {}


def _of_learner(
    course: Course,
    learner: Learner,
    stored_map: StoredMap,
    contents: CourseContents,
    questions: dict[str, list[str]],
) -> tuple[ConceptState, ...]:
    paths = [f"{one.slug}/{step.slug}" for one in contents.lessons for step in one.steps.all()]
    read = progress_of(course.pk, learner, Progress.Kind.STEP, paths)
    read |= dict.fromkeys(steps_to_review(course, learner), NEEDS_WORK)
    slugs = [exercise.slug for exercise in contents.exercises]
    tried = progress_of(course.pk, learner, Progress.Kind.EXERCISE, slugs)
    steps = _steps(course.slug, contents.lessons, read)
    exercises = _exercises(course.slug, contents.exercises, tried, steps)
    return _standings(stored_map, steps, exercises, evidence_of(course, learner, questions))


# All newcomers stand where nothing is begun: 0.6 ms of each page about concepts.
@lru_cache(maxsize=32)
def _of_newcomer(
    course: str,
    stored_map: Same[StoredMap],
    lessons: Same[tuple[Lesson, ...]],
    exercises: Same[tuple[Exercise, ...]],
    questions: Same[dict[str, list[str]]],
) -> tuple[ConceptState, ...]:
    steps = _steps(course, lessons.it, {})
    practised = _exercises(course, exercises.it, {}, steps)
    return _standings(stored_map.it, steps, practised, Evidence(course, questions.it))


def _standings(
    stored_map: StoredMap,
    steps: dict[str, ConceptPart],
    exercises: dict[str, ConceptPart],
    evidence: "Evidence",
) -> tuple[ConceptState, ...]:
    return tuple(
        _standing(stored_map, concept, steps, exercises, evidence)
        for concept in stored_map.concepts
    )


def _standing(
    stored_map: StoredMap,
    concept: Concept,
    steps: dict[str, ConceptPart],
    exercises: dict[str, ConceptPart],
    evidence: "Evidence",
) -> ConceptState:
    taught = tuple(steps[path] for path in concept.steps if path in steps)
    practised = tuple(exercises[slug] for slug in concept.exercises if slug in exercises)
    path = [step for step in taught if not step.is_deeper]
    counted = [code for code in practised if not (path and code.is_deeper)]
    asking = path or taught
    state = evidence.state(asking, counted)
    return ConceptState(
        concept=concept,
        number=stored_map.families.index(concept.family) + 1 if concept.family else 0,
        state=state,
        gaps=evidence.gaps(asking, counted) if state in {SEEN, PRACTISED} else None,
        steps=taught,
        exercises=practised,
        before=tuple(stored_map.by_slug[slug] for slug in concept.requires),
        after=tuple(stored_map.leads_to(concept.slug)),
        can_be_mastered=bool(counted) or any(step.slug in evidence.questions for step in asking),
    )


class Place(NamedTuple):
    """Where a learner answers questions or writes code: a quiz, a step or an exercise."""

    kind: str  # "quiz", "step" or "exercise"
    title: str
    address: str
    lesson: str = ""  # its slug; of a quiz about several lessons the last of them
    leads: bool = False  # whether it is the first quiz of its lesson

    @property
    def link(self) -> SafeString:
        """Return its title as a link, or "the next quiz" without a title."""
        if not self.title:
            return format_html("the next {}", self.kind)
        return format_html("“{}”", _link(self.address, self.title))


@dataclass(frozen=True)
class Gaps:
    """What is left to do before a concept is mastered; nothing of it where it is.

    `asking` has how many more questions each place asks, as many as are needed; the last `later` of
    these places lie in lessons after its own. `hidden` answers were given and count for nothing
    until their results are shown. `wrong` are the addresses of questions answered wrong last.
    """

    asking: tuple[tuple[int, Place], ...] = ()
    later: int = 0
    hidden: int = 0
    wrong: tuple[str, ...] = ()
    unsolved: tuple[Place, ...] = ()
    is_overdue: bool = False

    @property
    def words(self) -> SafeString:
        """Return it as things to do, with links, in sentences that name two places at most.

        “Answer 2 more questions in “Quiz: waves” and 1 elsewhere. Then solve “Table””
        """
        sentences: list[list[SafeString]] = []
        room = 0
        for places_named, thing in self._things():
            if places_named > room:
                sentences.append([])
                room = 2
            sentences[-1].append(thing)
            room -= places_named
        joined = (format_html_join(" and ", "{}", ((part,) for part in each)) for each in sentences)
        words = format_html_join(". Then ", "{}", ((sentence,) for sentence in joined))
        return SafeString(words[:1].upper() + words[1:])

    def _things(self) -> Iterator[tuple[int, SafeString]]:
        """Yield each thing to do, after how many places it names."""
        if self.asking:
            (count, first), *others = self.asking
            thing = format_html("answer {} in {}", _counted(count, "more question"), first.link)
            if self.later == len(self.asking):
                thing = format_html("later, {}", thing)
            if others:
                when = "later " if self.later == len(others) else ""
                rest = sum(count for count, _ in others)
                is_single = len(others) == 1
                where = format_html("in {}", others[0][1].link) if is_single else "elsewhere"
                thing = format_html("{} and {}{} {}", thing, when, rest, where)
            yield min(len(self.asking), 2), thing
        if self.wrong:
            missed = f"first of {len(self.wrong)} questions" if self.wrong[1:] else "question"
            yield 1, format_html("retry {}", _link(self.wrong[0], f"the {missed} that you missed"))
        if self.unsolved:
            thing, *more = (place.link for place in self.unsolved)
            if more:
                last = more[0] if len(more) == 1 else f"{len(more)} more exercises"
                thing = format_html("{} and {}", thing, last)
            yield min(len(self.unsolved), 2), format_html("solve {}", thing)
        if self.is_overdue:
            yield 1, format_html("do {}", _link(reverse("study:review"), "its review"))


def _link(address: str, words: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', address, words)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Evidence:
    """A learner's answers in a course: the questions by step, their newest answers, old reviews.

    `quizzes` has the quiz of each question that one asks. `hidden` questions were answered, but
    their results are not shown yet: nobody is asked to answer them again. `lessons` are the slugs
    of the course's lessons, in order.
    """

    course: str = ""  # its slug
    questions: Mapping[str, Sequence[str]] = field(default_factory=dict)  # slugs, by the step
    quizzes: Mapping[str, Place] = field(default_factory=dict)
    newest: Mapping[str, bool] = field(default_factory=dict)  # slug: right; the newest first
    overdue: frozenset[str] = frozenset()  # questions; exercises as "<exercise>/"
    hidden: frozenset[str] = frozenset()  # slugs; none of them is in `newest`
    lessons: tuple[str, ...] = ()

    def state(self, steps: Sequence[ConceptPart], exercises: Sequence[ConceptPart]) -> str:
        """Return the state of what these steps teach and these exercises ask for."""
        questions = (slug for step in steps for slug in self.questions.get(step.slug, ()))
        tried = any(one.state in {DONE, NEEDS_WORK} for one in exercises)
        if not tried and not any(slug in self.newest for slug in questions):
            return SEEN if any(one.state for one in (*steps, *exercises)) else ""
        return MASTERED if self.gaps(steps, exercises) == Gaps() else PRACTISED

    def gaps(self, steps: Sequence[ConceptPart], exercises: Sequence[ConceptPart]) -> Gaps:
        """Return what is left before what these steps teach and exercises ask for is mastered."""
        asked_by = {slug: step for step in steps for slug in self.questions.get(step.slug, ())}
        answers = [slug for slug in self.newest if slug in asked_by]
        needed = max(0, min(QUESTIONS, len(asked_by)) - len(answers))
        hidden = min(needed, len(self.hidden & asked_by.keys()))
        wrong = (slug for slug in answers[:QUESTIONS] if not self.newest[slug])
        named = asked_by.keys() | {f"{exercise.slug}/" for exercise in exercises}
        own = _lesson(steps[0].slug) if steps else ""
        asking = tuple(self._asking(asked_by, needed - hidden, own))
        return Gaps(
            asking=asking,
            later=sum(self.is_later(place, own) for _, place in asking),
            hidden=hidden,
            wrong=tuple(practice_address(self.course, slug) for slug in wrong),
            unsolved=tuple(
                Place("exercise", exercise.title, exercise.address)
                for exercise in exercises
                if exercise.state != DONE
            ),
            is_overdue=bool(named & self.overdue),
        )

    def _asking(
        self, asked_by: Mapping[str, ConceptPart], missing: int, own: str
    ) -> Iterator[tuple[int, Place]]:
        """Yield how many of the missing answers each place asks for, until there are enough.

        The first quiz of its `own` lesson comes first, places in later lessons last. Others by
        number, the largest first, and quizzes before steps.
        """
        answered = self.newest.keys() | self.hidden
        counts = Counter(
            self.quizzes.get(slug) or Place("step", step.title, step.address, _lesson(step.slug))
            for slug, step in asked_by.items()
            if slug not in answered
        )

        def order(place: Place) -> tuple[bool, bool, int, bool]:
            is_other = not (place.leads and place.lesson == own)
            count, is_step = min(counts[place], missing), place.kind != "quiz"
            return self.is_later(place, own), is_other, -count, is_step

        for place in sorted(counts, key=order):
            if missing > 0:
                yield min(counts[place], missing), place
            missing -= counts[place]

    def is_later(self, place: Place, lesson: str) -> bool:
        """Say whether a place lies in a lesson after that one."""
        order = {slug: number for number, slug in enumerate(self.lessons)}
        return order.get(place.lesson, 0) > order.get(lesson, 0)


@cached_content
def questions_by_step(course: int) -> dict[str, list[str]]:
    """Return the questions that are asked about each step of a course. One query."""
    questions: dict[str, list[str]] = {}
    rows = Question.objects.available().filter(course=course)
    for slug, step in rows.values_list("slug", "current__step"):
        questions.setdefault(step, []).append(slug)
    return questions


def evidence_of(
    course: Course, learner: Learner, questions: Mapping[str, Sequence[str]]
) -> Evidence:
    """Return what a learner's answers show. One query, and one for the cards that are due."""
    newest: dict[str, bool] = {}
    long_ago = timezone.now() - LONG_OVERDUE
    for answer in answered_questions(course, learner):
        newest.setdefault(answer.slug, answer.is_right)
    overdue = {
        card.slug if card.kind == ReviewCard.Kind.QUESTION else f"{card.slug.partition('/')[0]}/"
        for card in due_cards(learner)  # without those that tell a hidden answer
        if card.due_at < long_ago and card.course == course.pk
    }
    hidden = hidden_questions(course, learner)
    quizzes, lessons = _quizzes_of_questions(course, questions), _lessons_in_order(course.pk)
    return Evidence(course.slug, questions, quizzes, newest, frozenset(overdue), hidden, lessons)


def _lessons_in_order(course: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(place.slug for place in places(course)))


def _lesson(step: str) -> str:
    return step.partition("/")[0]


def _quizzes_of_questions(
    course: Course, questions: Mapping[str, Sequence[str]]
) -> Mapping[str, Place]:
    """Return the open quiz that asks each question: of its own lesson, as Next, else the first.

    Cached content.
    """
    lessons = {slug: _lesson(step) for step, slugs in questions.items() for slug in slugs}
    asked, about = questions_of_quizzes(course.pk), lessons_of_quizzes(course.pk)
    order = {lesson: place for place, lesson in enumerate(_lessons_in_order(course.pk))}
    first: dict[str, Place] = {}
    own: dict[str, Place] = {}
    led = set[str]()  # the lessons with a quiz before this one
    for quiz in open_quizzes(course):
        reached = {lessons[slug] for slug in asked.get(quiz.pk, ()) if slug in lessons}
        last = about.get(quiz.pk) or max(reached, key=lambda slug: order.get(slug, -1), default="")
        leads = quiz.pk in about and last not in led
        place = Place("quiz", quiz.title, quiz_address(course.slug, quiz.slug), last, leads)
        led |= {last} if leads else set()
        for slug in asked.get(quiz.pk, ()):
            first.setdefault(slug, place)
            if slug in lessons and lessons[slug] == about.get(quiz.pk):
                own.setdefault(slug, place)
    return first | own


def _steps(
    course: str, lessons: Sequence[Lesson], states: Mapping[str, str]
) -> dict[str, ConceptPart]:
    named = {
        f"{lesson.slug}/{step.slug}": (step.title, lesson.title, is_deeper)
        for lesson in lessons
        for is_deeper, steps in ((False, lesson.path_steps), (True, lesson.deeper_steps))
        for step in steps
    }
    return {
        path: ConceptPart(
            path, title, lesson, states.get(path, ""), step_address(course, path), is_deeper
        )
        for path, (title, lesson, is_deeper) in named.items()
    }


def _exercises(
    course: str,
    exercises: Sequence[Exercise],
    states: Mapping[str, str],
    steps: Mapping[str, ConceptPart],
) -> dict[str, ConceptPart]:
    versions = ((exercise.slug, exercise.current) for exercise in exercises)
    named = {slug: version for slug, version in versions if version is not None}
    return {
        slug: ConceptPart(
            slug,
            version.title,
            "",
            states.get(slug, ""),
            exercise_address(course, slug),
            version.step in steps and steps[version.step].is_deeper,
        )
        for slug, version in named.items()
    }


def frontier_of(standing: Sequence[ConceptState]) -> frozenset[str]:
    """Return the concepts to learn next: not practised, while all that they need is."""
    needs = {state.concept.slug: [each.slug for each in state.before] for state in standing}
    off_path = {
        state.concept.slug: needs[state.concept.slug] for state in standing if not state.counts
    }
    requires = {
        slug: list(needs_on_path(needed, off_path))
        for slug, needed in needs.items()
        if slug not in off_path
    }
    practised = {state.concept.slug for state in standing if state.is_practised}
    return frozenset(ready_to_learn(requires, practised))


def steps_to_review(course: Course, learner: Learner | None) -> set[str]:
    """Return "<lesson>/<step>" of the explanation of every missed question."""
    if learner is None:
        return set()
    steps = {
        slug: step for step, questions in questions_by_step(course.pk).items() for slug in questions
    }
    states = progress_of(course.pk, learner, Progress.Kind.QUESTION, steps)
    return {steps[slug] for slug, state in states.items() if state == NEEDS_WORK}
