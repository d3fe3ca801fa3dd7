"""How far a learner is with each concept of the map, from the steps and exercises it names.

A concept is done when every step is read and every exercise solved; shaky when an exercise was
tried and not solved yet, or a question on one of its steps missed and not answered right since;
seen when anything of it was begun.
"""

from dataclasses import dataclass

from quizzes.concepts.services import StoredMap, the_map
from quizzes.concepts.sources import Concept
from quizzes.exercises.services import published
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import progress_of
from quizzes.lessons.models import Lesson
from quizzes.study.shaky_steps import shaky_steps

DONE, SHAKY, SEEN = (
    state.value for state in (Progress.State.DONE, Progress.State.SHAKY, Progress.State.SEEN)
)
WORDS = {DONE: "done", SHAKY: "shaky", SEEN: "seen", "": "not begun"}


@dataclass(frozen=True)
class Place:
    """A step or an exercise of a concept, with its title and this learner's state."""

    slug: str  # "<lesson>/<step>", or the exercise's
    title: str
    within: str  # the lesson's title; "" for an exercise
    state: str

    @property
    def lesson(self) -> str:
        return self.slug.split("/")[0]

    @property
    def step(self) -> str:
        return self.slug.split("/")[-1]


@dataclass(frozen=True)
class Standing:
    """One concept as this learner stands with it. `before` and `after` are its neighbours."""

    concept: Concept
    state: str
    steps: tuple[Place, ...]
    exercises: tuple[Place, ...]
    before: tuple[Concept, ...]
    after: tuple[Concept, ...]

    @property
    def words(self) -> str:
        return WORDS[self.state]

    @property
    def next_step(self) -> Place | None:
        """Return the first step not read yet, or the first of all."""
        unread = (step for step in self.steps if step.state != DONE)
        return next(unread, None) or next(iter(self.steps), None)


def standings(learner: Learner | None) -> tuple[StoredMap | None, list[Standing]]:
    """Return the map and where the learner stands with each concept, in its order. Few queries."""
    found = the_map()
    if found is None:
        return None, []
    steps, exercises = _steps(learner), _exercises(learner)
    return found, [_standing(found, concept, steps, exercises) for concept in found.concepts]


def _standing(
    found: StoredMap, concept: Concept, steps: dict[str, Place], exercises: dict[str, Place]
) -> Standing:
    taught = tuple(steps[path] for path in concept.steps if path in steps)
    practised = tuple(exercises[slug] for slug in concept.exercises if slug in exercises)
    return Standing(
        concept=concept,
        state=state_of([place.state for place in (*taught, *practised)]),
        steps=taught,
        exercises=practised,
        before=tuple(found.by_slug[slug] for slug in concept.requires),
        after=tuple(found.leads_to(concept.slug)),
    )


def state_of(states: list[str]) -> str:
    """Return the state of a whole from those of its parts, "" where nothing was begun."""
    if states and all(state == DONE for state in states):
        return DONE
    if SHAKY in states:
        return SHAKY
    return SEEN if any(states) else ""


def _steps(learner: Learner | None) -> dict[str, Place]:
    lessons = Lesson.objects.with_steps()
    titles = {
        f"{lesson.slug}/{step.slug}": (step.title, lesson.title)
        for lesson in lessons
        for step in lesson.steps.all()
    }
    states = progress_of(learner, Progress.Kind.STEP, titles)
    states |= dict.fromkeys(shaky_steps(learner), SHAKY)
    return {
        path: Place(path, title, within, states.get(path, ""))
        for path, (title, within) in titles.items()
    }


def _exercises(learner: Learner | None) -> dict[str, Place]:
    titles = {one.slug: one.current.title for one in published() if one.current is not None}
    states = progress_of(learner, Progress.Kind.EXERCISE, titles)
    return {slug: Place(slug, title, "", states.get(slug, "")) for slug, title in titles.items()}
