"""Every number in the prose of a lesson is what the engine computes.

A last test finds numbers of three digits or more that no words of `numbers_<lesson>.py` cover.
"""

import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.content.lesson_text import COURSE, lessons, step
from tests.content.said import NUMBER, flat, prose
from tests.course_folders import COURSES, name_of

HERE = Path(__file__).parent
HELD = [import_module(f"tests.content.{path.stem}") for path in HERE.glob("numbers_*.py")]
NUMBERS = {(getattr(held, "COURSE", COURSE.name), held.LESSON): held for held in HELD}


@pytest.mark.parametrize(
    ("course", "path", "words"),
    [
        (course, f"{lesson}/{slug}", words)
        for (course, lesson), held in NUMBERS.items()
        for slug, found in held.SAID.items()
        for words in found
    ],
)
def test_the_lesson_says_what_the_engine_computes(course: str, path: str, words: str) -> None:
    assert flat(words) in flat(step(path, COURSE.with_name(course)).text)


def test_every_lesson_is_held() -> None:
    shipped = {(course.name, lesson.slug) for course in COURSES for lesson in lessons(course)}
    assert shipped == set(NUMBERS)


@pytest.mark.parametrize("course", COURSES, ids=name_of)
def test_no_number_goes_unchecked(course: Path) -> None:
    unchecked = []
    for lesson in lessons(course):
        held = NUMBERS[course.name, lesson.slug]
        for one in lesson.steps_read:
            words = " ".join(held.SAID.get(one.slug, []))
            covered = {number.rstrip(",") for number in NUMBER.findall(words)} | held.CITED
            for number in NUMBER.findall(prose(one.text)):
                if len(re.sub(r"\D", "", number)) >= 3 and number.rstrip(",") not in covered:
                    unchecked.append(f"{lesson.slug}/{one.slug}: {number}")
    assert unchecked == []
