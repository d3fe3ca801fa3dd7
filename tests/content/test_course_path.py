"""The shipped lessons in screens: a first thing to do soon, and a prediction in each."""

import pytest

from quizzes.concepts.files import read_maps
from quizzes.content_files.files import DiskFiles
from quizzes.lessons.lesson_files import (
    MOST_WORDS_BEFORE_ACTION,
    LessonSource,
    words_before_action,
)
from quizzes.lessons.models import Lesson
from tests.content.lesson_text import COURSE, lessons

LESSONS = [one for one in lessons() if one.form == Lesson.Form.STEPS]
WHOLE = {  # steps that are looked up or sum up: nothing is to be done in their parts
    "why-order/what-to-keep",
    "sinusoidal-values/the-source",
    "rope/what-to-keep",
    "one-attention/choosing",
}


def test_there_are_fifteen_of_them() -> None:
    assert len(LESSONS) == 15


@pytest.mark.parametrize("lesson", LESSONS, ids=[one.slug for one in LESSONS])
def test_a_lesson_begins_with_something_to_do(lesson: LessonSource) -> None:
    assert words_before_action(lesson) <= MOST_WORDS_BEFORE_ACTION


@pytest.mark.parametrize("lesson", LESSONS, ids=[one.slug for one in LESSONS])
def test_a_lesson_has_a_prediction(lesson: LessonSource) -> None:
    kinds = {block.kind for step in lesson.steps_read for block in step.page.blocks}
    assert "predict" in kinds


@pytest.mark.parametrize("lesson", LESSONS, ids=[one.slug for one in LESSONS])
def test_a_long_step_is_in_screens(lesson: LessonSource) -> None:
    long = {
        f"{lesson.slug}/{step.slug}"
        for step in lesson.steps_read
        if not step.page.is_divided and step.page.screens[0].running_words > 150
    }
    assert long <= WHOLE


def path_steps() -> set[str]:
    """Return "lesson/step" of every step that does not go deeper."""
    return {
        f"{lesson.slug}/{step.slug}"
        for lesson in LESSONS
        for step in lesson.steps_read
        if not step.going_deeper
    }


def test_path_leaves_its_quiz_to_its_end() -> None:
    """The last step has one button, which finishes the lesson; the ending leads to the quiz."""
    paths = path_steps()
    links = {
        f"{lesson.slug}/{step.slug}"
        for lesson in LESSONS
        for step in lesson.steps_read
        if "](/quiz/" in step.text
    }
    assert not links & paths


def test_concept_begins_on_a_path() -> None:
    (course_map,), _ = read_maps(DiskFiles(COURSE))
    first_steps = {concept.steps[0] for concept in course_map.concepts if concept.steps}
    assert len(first_steps) > 20
    assert first_steps <= path_steps()
