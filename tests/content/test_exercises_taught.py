"""Every exercise stands in a step, and the list of what each needs is whole."""

import re

from tests.content.lesson_text import COURSE, lessons, step

LIST = step("one-attention/all-exercises").text
ROW = re.compile(r"^\| \[[^]]+\]\(/exercises/([a-z0-9-]+)/\) \| (.+) \|$", re.M)
STEP = re.compile(r"\(/learn/([a-z0-9-]+/[a-z0-9-]+)/\)")
EXERCISES = sorted(path.name for path in (COURSE / "exercises").iterdir() if path.is_dir())


def test_the_list_names_every_exercise_once_with_its_steps() -> None:
    rows = dict(ROW.findall(LIST))
    assert sorted(rows) == EXERCISES
    assert len(ROW.findall(LIST)) == len(EXERCISES) == 18
    paths = {path for lesson in lessons() for path in lesson.step_paths}
    for exercise, needs in rows.items():
        named = STEP.findall(needs)
        assert named, exercise
        assert set(named) <= paths, exercise


def test_every_exercise_stands_in_a_step() -> None:
    placed = {
        block.options["slug"]
        for lesson in lessons()
        for one in lesson.steps_read
        for block in one.page.blocks
        if block.kind == "exercise"
    }
    assert placed == set(EXERCISES)
