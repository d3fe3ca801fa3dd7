"""Questions inside steps explain themselves there; the numbers they quote are the engine's."""

from pathlib import Path

import numpy as np
import pytest
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.number_format import grouped

from quizzes.lessons.lesson_files import ANSWERED
from quizzes.lessons.models import Lesson
from tests.content.lesson_text import COURSE, lessons, questions
from tests.course_folders import COURSES, name_of

QUESTIONS = questions()


def _all_words(slug: str) -> str:
    question = QUESTIONS[slug]
    options = (f"{option.text} {option.reason}" for option in question.options)
    return " ".join([question.prompt, *options])


def _key(slug: str) -> str:
    (key,) = [option.text for option in QUESTIONS[slug].options if option.is_key]
    return key


def _asked(form: Lesson.Form, course: Path = COURSE) -> list[tuple[str, str]]:
    """Return every question in a lesson of this form with the step it stands in."""
    return [
        (block.options["slug"], f"{lesson.slug}/{step.slug}")
        for lesson in lessons(course)
        for step in lesson.steps_read
        for block in step.page.blocks
        if block.kind == "question" and lesson.form == form
    ]


@pytest.mark.parametrize("course", COURSES, ids=name_of)
def test_every_question_that_stands_in_a_step_explains_itself_there(course: Path) -> None:
    asked = _asked(Lesson.Form.STEPS, course)
    assert len(asked) >= 2 * len(lessons(course))
    for slug, path in asked:
        assert questions(course)[slug].step == path


def test_a_card_asks_what_a_lesson_explains_at_length() -> None:
    asked = _asked(Lesson.Form.CARDS)
    assert len(asked) >= 5
    cards = {path for _, path in asked}
    for slug, _ in asked:
        assert QUESTIONS[slug].step
        assert QUESTIONS[slug].step not in cards


def test_row_zero() -> None:
    assert _key("row-zero") == str(Sinusoidal(d_model=4).table(1)[0].astype(int).tolist())


def test_pair_of_column() -> None:
    encoding = Sinusoidal(d_model=50)
    assert [encoding.column(column)[1] for column in (6, 7, 8)] == [3, 3, 4]
    assert _key("pair-of-column") == "$i = 3$ for both"


def test_wavelengths_of_the_slow_and_fast_columns() -> None:
    words, wavelengths = _all_words("which-column-is-slow"), Sinusoidal(d_model=50).wavelengths
    assert f"needs {grouped(round(wavelengths[-1]))} positions for one turn" in words
    assert f"one turn in {wavelengths[0]:.2f} positions" in words
    assert f"pair 12 needs {wavelengths[12]:.0f} positions" in words


def test_same_offset() -> None:
    table = Sinusoidal(d_model=64).table(106)
    assert np.isclose(table[3] @ table[8], table[100] @ table[105], atol=1e-11)
    assert np.allclose((table**2).sum(axis=1), 32)


@pytest.mark.parametrize("course", COURSES, ids=name_of)
def test_at_least_every_other_step_asks_or_shows_something(course: Path) -> None:
    for lesson in lessons(course):
        path = [step for step in lesson.steps_read if not step.going_deeper]
        alive = [any(block.kind in ANSWERED for block in step.page.blocks) for step in path]
        every = lesson.form == Lesson.Form.CARDS
        for number, step in enumerate(path):
            near = alive[number : number + (1 if every else 2)]
            last = number == len(alive) - 1 and not every
            assert any(near) or last, f"{lesson.slug}/{step.slug}"
