"""Reading a whole course folder: every kind of file, and whether they fit together."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.urls import Resolver404, resolve

from quizzes.assessment.files import (
    read_questions,
    read_quizzes,
    save_question,
    save_quiz,
    stored_questions,
    stored_quizzes,
)
from quizzes.assessment.models import Question, Quiz
from quizzes.concepts.files import read_maps, save_map, stored_maps
from quizzes.concepts.models import ConceptMap
from quizzes.exercises.files import read_exercises, save_exercise, stored_exercises
from quizzes.exercises.models import Exercise
from quizzes.lessons.files import (
    read_course,
    read_lessons,
    save_course,
    save_lesson,
    stored_courses,
    stored_lessons,
)
from quizzes.lessons.models import Course, Lesson
from quizzes.pages.source import Fault
from quizzes.pages.stored import Stored

LINK = re.compile(r"\]\((/[^)\s]*)")


@dataclass(frozen=True)
class Kind:
    """One kind of content: its rows, how its files are read, what is stored, how it is saved."""

    name: str
    model: type[Any]  # with the columns `slug` and `loaded_hash`
    read: Callable[[Path], tuple[Sequence[Any], list[Fault]]]
    stored: Callable[[], Mapping[str, Stored]]
    save: Callable[[Any], str]


# In the order of saving: a quiz needs its questions, a lesson its course.
KINDS = (
    Kind("course", Course, read_course, stored_courses, save_course),
    Kind("question", Question, read_questions, stored_questions, save_question),
    Kind("quiz", Quiz, read_quizzes, stored_quizzes, save_quiz),
    Kind("exercise", Exercise, read_exercises, stored_exercises, save_exercise),
    Kind("lesson", Lesson, read_lessons, stored_lessons, save_lesson),
    Kind("concept map", ConceptMap, read_maps, stored_maps, save_map),
)


@dataclass(frozen=True)
class CourseFiles:
    """What was read: sources by kind, and everything wrong with them."""

    sources: Mapping[str, Sequence[Any]]
    faults: tuple[Fault, ...]

    def counted(self) -> str:
        """Return "1 course, 12 questions, 1 quiz"."""
        return ", ".join(_counted(len(found), kind) for kind, found in self.sources.items())


def read_course_files(root: Path) -> CourseFiles:
    """Read a course folder. Never raises for what stands in it."""
    sources: dict[str, Sequence[Any]] = {}
    faults: list[Fault] = []
    for kind in KINDS:
        sources[kind.name], found = kind.read(root)
        faults += found
    faults += _references(sources)
    return CourseFiles(sources, tuple(sorted(set(faults))))


def _references(sources: Mapping[str, Sequence[Any]]) -> Iterator[Fault]:
    """Yield a fault for every reference to something that is not in the folder."""
    slugs = {kind: {source.slug for source in found} for kind, found in sources.items()}
    steps = {path for lesson in sources["lesson"] for path in lesson.step_paths}
    named = {**slugs, "step": steps}
    for source in (*sources["question"], *sources["exercise"]):
        yield from (fault for path, fault in source.steps if path not in steps)
    yield from _unknown_mistakes(sources)
    for quiz in sources["quiz"]:
        yield from (fault for slug, fault in quiz.questions if slug not in slugs["question"])
    for source in (*sources["lesson"], *sources["concept map"]):
        for kind, slug, fault in source.refers_to:
            if slug not in named.get(kind, {slug}):
                yield fault
    for lesson in sources["lesson"]:
        yield from _dead_links(lesson, slugs, steps)


def _unknown_mistakes(sources: Mapping[str, Sequence[Any]]) -> Iterator[Fault]:
    """Yield a fault for every known mistake a question names that no exercise of the course has."""
    known = {
        f"{exercise.slug}/{slug}"
        for exercise in sources["exercise"]
        for slug in exercise.definition.wrong
    }
    for question in sources["question"]:
        named = [option.mistake for option in question.options]
        named += [miss.get("mistake", "") for miss in (question.answer or {}).get("near", ())]
        for name in named:
            if name and name not in known:
                words = f"mistake: there is no known mistake {name}"
                yield Fault(question.path, question.line, words)


def _dead_links(lesson: Any, slugs: Mapping[str, set[str]], steps: set[str]) -> Iterator[Fault]:
    """Yield a fault for every link of a lesson to a page that this course does not have."""
    for step in lesson.steps_read:
        for number, line in enumerate(step.text.splitlines(), start=1):
            for target in LINK.findall(line):
                if not _leads_somewhere(target, slugs, steps):
                    yield Fault(step.path, number, f"link {target}: there is no such page")
    for target in LINK.findall(" ".join(lesson.prerequisites)):
        if not _leads_somewhere(target, slugs, steps):
            message = f"prerequisites: link {target}: there is no such page"
            yield Fault(lesson.path, lesson.line, message)


def _leads_somewhere(target: str, slugs: Mapping[str, set[str]], steps: set[str]) -> bool:
    path = re.split("[?#]", target)[0]
    try:
        found = resolve(path)
    except Resolver404:
        return False
    named = found.kwargs
    known = {
        "lessons:lesson": lambda: named["lesson"] in slugs["lesson"],
        "lessons:step": lambda: f"{named['lesson']}/{named['step']}" in steps,
        "assessment:quiz": lambda: named["slug"] in slugs["quiz"],
        "exercises:exercise": lambda: named["slug"] in slugs["exercise"],
    }
    return known.get(found.view_name, lambda: True)()


def _counted(number: int, noun: str) -> str:
    plural = {"quiz": "quizzes"}.get(noun, f"{noun}s")
    return f"{number} {noun if number == 1 else plural}"
