"""A learner's state in each concept of the map, from the steps and exercises that it names.

A concept is done when every step is read and every exercise solved. It needs work when an exercise
was tried and not solved yet, or a question on one of its steps was missed and not answered right
since. It is seen when a step or exercise was begun.
"""

from dataclasses import dataclass

from quizzes.assessment.models import Question
from quizzes.concepts.files import Concept, StoredMap, map_of
from quizzes.courses.addresses import exercise_address, step_address
from quizzes.courses.models import Course
from quizzes.exercises.services import published_exercises
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import hidden_slugs, progress_of
from quizzes.lessons.models import Step

DONE, NEEDS_WORK, SEEN = (
    state.value for state in (Progress.State.DONE, Progress.State.NEEDS_WORK, Progress.State.SEEN)
)
WORDS = {DONE: "done", NEEDS_WORK: "needs work", SEEN: "seen", "": "not begun"}


@dataclass(frozen=True)
class ConceptPart:
    """A step or an exercise of a concept, with its title and this learner's state."""

    slug: str  # "<lesson>/<step>", or the exercise's
    title: str
    within: str  # the lesson's title; "" for an exercise
    state: str
    address: str


@dataclass(frozen=True)
class ConceptState:
    """One concept with this learner's state. `before` and `after` are its neighbours."""

    concept: Concept
    state: str
    steps: tuple[ConceptPart, ...]
    exercises: tuple[ConceptPart, ...]
    before: tuple[Concept, ...]
    after: tuple[Concept, ...]

    number: int = 0  # of its family, from 1; 0 for none

    @property
    def words(self) -> str:
        return WORDS[self.state]

    @property
    def next_step(self) -> ConceptPart | None:
        """Return the first step not read yet, or the first of all."""
        unread = (step for step in self.steps if step.state != DONE)
        return next(unread, None) or next(iter(self.steps), None)


def concept_states(
    course: Course, learner: Learner | None
) -> tuple[StoredMap | None, list[ConceptState]]:
    """Return a course's map and the learner's state in each concept, in its order. Few queries."""
    found = map_of(course)
    if found is None:
        return None, []
    steps, exercises = _steps(course, learner), _exercises(course, learner)
    return found, [_standing(found, concept, steps, exercises) for concept in found.concepts]


def _standing(
    found: StoredMap,
    concept: Concept,
    steps: dict[str, ConceptPart],
    exercises: dict[str, ConceptPart],
) -> ConceptState:
    taught = tuple(steps[path] for path in concept.steps if path in steps)
    practised = tuple(exercises[slug] for slug in concept.exercises if slug in exercises)
    return ConceptState(
        concept=concept,
        number=found.families.index(concept.family) + 1 if concept.family else 0,
        state=state_of([place.state for place in (*taught, *practised)]),
        steps=taught,
        exercises=practised,
        before=tuple(found.by_slug[slug] for slug in concept.requires),
        after=tuple(found.leads_to(concept.slug)),
    )


def state_of(states: list[str]) -> str:
    """Return the state of a whole from the states of its parts, "" if no part was begun."""
    if states and all(state == DONE for state in states):
        return DONE
    if NEEDS_WORK in states:
        return NEEDS_WORK
    return SEEN if any(states) else ""


def _steps(course: Course, learner: Learner | None) -> dict[str, ConceptPart]:
    there = Step.objects.filter(lesson__course=course, lesson__withdrawn_at=None)
    rows = there.order_by("lesson__number", "number")
    found = {
        f"{lesson}/{step}": (title, of_lesson)
        for lesson, step, title, of_lesson in rows.values_list(
            "lesson__slug", "slug", "title", "lesson__title"
        )
    }
    states = progress_of(course.pk, learner, Progress.Kind.STEP, found)
    states |= dict.fromkeys(steps_to_review(course, learner), NEEDS_WORK)
    return {
        path: ConceptPart(
            path, title, lesson, states.get(path, ""), step_address(course.slug, path)
        )
        for path, (title, lesson) in found.items()
    }


def _exercises(course: Course, learner: Learner | None) -> dict[str, ConceptPart]:
    found = dict(published_exercises(course).values_list("slug", "current__title"))
    states = progress_of(course.pk, learner, Progress.Kind.EXERCISE, found)
    return {
        slug: ConceptPart(
            slug, title, "", states.get(slug, ""), exercise_address(course.slug, slug)
        )
        for slug, title in found.items()
    }


def steps_to_review(course: Course, learner: Learner | None) -> set[str]:
    """Return "<lesson>/<step>" of every missed question's explanation. One query."""
    if learner is None:
        return set()
    missed = Progress.objects.filter(
        learner=learner,
        course=course,
        kind=Progress.Kind.QUESTION,
        state=Progress.State.NEEDS_WORK,
    )
    hidden = hidden_slugs(learner, course.pk, "question")
    asked = Question.objects.asked().filter(course=course, slug__in=missed.values("slug"))
    asked = asked.exclude(slug__in=hidden)
    return set(asked.values_list("current__step", flat=True))
