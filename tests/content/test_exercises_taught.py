"""Every exercise stands in a step, and the list of what each needs is whole."""

import re
from pathlib import Path

import pytest

from tests.content.lesson_text import COURSE, lessons, step
from tests.course_folders import COURSES, name_of

LIST = step("one-attention/all-exercises").text
ROW = re.compile(r"^\| \[[^]]+\]\(/exercises/([a-z0-9-]+)/\) \| (.+) \|$", re.M)
STEP = re.compile(r"\(/learn/([a-z0-9-]+/[a-z0-9-]+)/\)")


def exercises(course: Path) -> list[str]:
    """Return the slugs of a course's exercises."""
    return sorted(path.name for path in (course / "exercises").iterdir() if path.is_dir())


def test_the_list_names_every_exercise_once_with_its_steps() -> None:
    rows = dict(ROW.findall(LIST))
    assert sorted(rows) == exercises(COURSE)
    assert len(ROW.findall(LIST)) == len(rows) == 23
    paths = {path for lesson in lessons() for path in lesson.step_paths}
    for exercise, needs in rows.items():
        named = STEP.findall(needs)
        assert named, exercise
        assert set(named) <= paths, exercise


@pytest.mark.parametrize("course", COURSES, ids=name_of)
def test_every_exercise_stands_in_a_step(course: Path) -> None:
    placed = {
        block.options["slug"]
        for lesson in lessons(course)
        for one in lesson.steps_read
        for block in one.page.blocks
        if block.kind == "exercise"
    }
    assert placed == set(exercises(course))
