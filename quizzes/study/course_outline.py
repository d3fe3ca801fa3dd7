"""What Next knows of a course: lessons with their quizzes and exercises, and what needs what.

It is made of cached content, and kept for as long as that is.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from quizzes.assessment.course_quizzes import lessons_of_quizzes, open_quizzes
from quizzes.concepts.files import Concept, StoredMap, map_of
from quizzes.concepts.frontier import needs_on_path
from quizzes.courses.addresses import Thing, card_address, step_address
from quizzes.courses.content import Same
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import course_exercises
from quizzes.lessons.course_lessons import course_lessons
from quizzes.lessons.models import Lesson
from quizzes.study.concept_states import questions_by_step


class OutlineStep(NamedTuple):
    """A step by its path, "<lesson>/<step>"."""

    path: str
    title: str  # "Order, step 1"; of a step off the path "Order: Why it works"
    address: str
    seconds: int


class OutlineQuiz(NamedTuple):
    """A quiz that everybody may take."""

    slug: str
    title: str
    questions: int


class OutlineExercise(NamedTuple):
    """An exercise, and the step that it belongs to."""

    slug: str
    title: str
    step: str

    @property
    def lesson(self) -> str:
        return self.step.partition("/")[0]


@dataclass(frozen=True)
class Unit:
    """A lesson with the steps of its path, its quizzes and its exercises, each in order.

    `number` is the one that the list of lessons shows, 0 for a deck of cards.
    """

    slug: str
    title: str
    number: int
    steps: tuple[OutlineStep, ...]
    quizzes: tuple[OutlineQuiz, ...]
    exercises: tuple[OutlineExercise, ...]


@dataclass(frozen=True)
class OutlineConcept:
    """A concept of the map: the lesson that it begins in, its steps, and what asks for it.

    Only concepts with a step on a path are here. `requires` names these: what needs a concept
    off the path needs what that one needs.
    """

    slug: str
    title: str
    lesson: str
    requires: tuple[str, ...]
    steps: tuple[str, ...]
    exercises: tuple[str, ...]
    questions: tuple[str, ...]
    is_asked_for: bool  # by an exercise, or by a question about a step of the path


@dataclass(frozen=True)
class Outline:
    """A course in its order. `concepts` are in the order of their lessons.

    `numbers` are those of its lessons, from 1; decks of cards have none. `steps` has all by their
    paths, those off the path too: a class may count them.
    """

    course: str
    numbers: Mapping[str, int]
    steps: Mapping[str, OutlineStep]
    units: Mapping[str, Unit]
    quizzes: Mapping[str, OutlineQuiz]
    exercises: Mapping[str, OutlineExercise]
    concepts: Mapping[str, OutlineConcept]

    def unit_of(self, thing: Thing) -> Unit | None:
        """Return the lesson that a thing belongs to, None for one about several or none."""
        if thing.kind == "quiz":
            quiz, units = self.quizzes.get(thing.name), self.units.values()
            return next((unit for unit in units if quiz in unit.quizzes), None)
        if thing.kind == "exercise":
            exercise = self.exercises.get(thing.name)
            return self.units.get(exercise.lesson) if exercise is not None else None
        return self.units.get(thing.name.partition("/")[0])


def outline_of(course: Course) -> Outline:
    """Return the outline of a course. No query where the page knows the course's token."""
    parts = Parts(
        course_lessons(course),
        open_quizzes(course),
        course_exercises(course),
        lessons_of_quizzes(course.pk),
        map_of(course),
        questions_by_step(course.pk),
    )
    return _outline(course.slug, tuple(map(Same, parts)))


class Parts(NamedTuple):
    """The cached content of a course that its outline is made of."""

    lessons: tuple[Lesson, ...]
    quizzes: tuple[Any, ...]
    exercises: tuple[Exercise, ...]
    quiz_lessons: Mapping[int, str]
    stored_map: StoredMap | None
    questions: Mapping[str, Sequence[str]]


# Every page of a learner asks for it.
@lru_cache(maxsize=32)
def _outline(course: str, same: tuple[Same[Any], ...]) -> Outline:
    parts = Parts(*(part.it for part in same))
    tests = [
        (parts.quiz_lessons.get(quiz.pk), OutlineQuiz(quiz.slug, quiz.title, quiz.question_count))
        for quiz in parts.quizzes
    ]
    code = [
        OutlineExercise(exercise.slug, exercise.current.title, exercise.current.step)
        for exercise in parts.exercises
        if exercise.current is not None
    ]
    off_path = {step.path: step for lesson in parts.lessons for step in _deeper(course, lesson)}
    line = [lesson.slug for lesson in parts.lessons if lesson.form == Lesson.Form.STEPS]
    numbers = {slug: number for number, slug in enumerate(line, 1)}
    units = {
        lesson.slug: Unit(
            lesson.slug,
            lesson.title,
            numbers.get(lesson.slug, 0),
            _steps(course, lesson),
            tuple(quiz for about, quiz in tests if about == lesson.slug),
            tuple(
                exercise
                for exercise in code
                if exercise.lesson == lesson.slug and exercise.step not in off_path
            ),
        )
        for lesson in parts.lessons
        if lesson.path_steps
    }
    path = {step.path: step for unit in units.values() for step in unit.steps}
    concepts = parts.stored_map.concepts if parts.stored_map is not None else ()
    order = {slug: number for number, slug in enumerate(units)}
    deeper = {exercise.slug for exercise in code if exercise.step in off_path}
    known_concepts = _concepts(concepts, path, parts.questions, deeper)
    known_concepts.sort(key=lambda concept: order.get(concept.lesson, len(order)))
    return Outline(
        course,
        numbers,
        path | off_path,
        units,
        {quiz.slug: quiz for _, quiz in tests},
        {exercise.slug: exercise for exercise in code},
        {concept.slug: concept for concept in known_concepts},
    )


def _steps(course: str, lesson: Lesson) -> tuple[OutlineStep, ...]:
    is_deck = lesson.form == Lesson.Form.CARDS
    return tuple(
        OutlineStep(
            path := f"{lesson.slug}/{step.slug}",
            f"{lesson.title}, step {number}",
            card_address(course, number) if is_deck else step_address(course, path),
            step.reading_seconds,
        )
        for number, step in enumerate(lesson.path_steps, 1)
    )


def _deeper(course: str, lesson: Lesson) -> Iterator[OutlineStep]:
    for step in lesson.deeper_steps:
        path, title = f"{lesson.slug}/{step.slug}", f"{lesson.title}: {step.title}"
        yield OutlineStep(path, title, step_address(course, path), step.reading_seconds)


def _concepts(
    concepts: Sequence[Concept],
    path: Collection[str],
    questions: Mapping[str, Sequence[str]],
    deeper: Collection[str],
) -> list[OutlineConcept]:
    """Return the concepts that have a step on the path; one off it must block nothing.

    `deeper` are the exercises of steps off the path, which none of them asks for.
    """
    off_path = {
        concept.slug: concept.requires
        for concept in concepts
        if not any(step in path for step in concept.steps)
    }
    return [
        OutlineConcept(
            slug=concept.slug,
            title=concept.title,
            lesson=steps[0].partition("/")[0],
            requires=tuple(dict.fromkeys(needs_on_path(concept.requires, off_path))),
            steps=steps,
            exercises=exercises,
            questions=tuple(slug for step in concept.steps for slug in questions.get(step, ())),
            is_asked_for=bool(exercises) or any(questions.get(step) for step in steps),
        )
        for concept in concepts
        if concept.slug not in off_path
        for steps in [tuple(step for step in concept.steps if step in path)]
        for exercises in [tuple(slug for slug in concept.exercises if slug not in deeper)]
    ]
