"""The questions of the quizzes: their numbers, and that no form gives a key away."""

from collections import Counter

import numpy as np
import pytest
from posenc.catalog.sinusoidal import Sinusoidal

from quizzes.assessment.option_lengths import course_remarks, visible_length
from quizzes.assessment.question_files import read_quizzes
from quizzes.content_files.files import DiskFiles
from quizzes.lessons.models import Lesson
from quizzes.pages.values import VALUE
from tests.content.lesson_text import COURSE, lessons, questions
from tests.course_folders import COURSES, name_of

QUESTIONS = questions()
QUIZZES = {
    quiz.slug: [slug for slug, _ in quiz.questions] for quiz in read_quizzes(DiskFiles(COURSE))[0]
}
OF_ALL = {
    f"{course.name}/{slug}": one for course in COURSES for slug, one in questions(course).items()
}
EIGHT = QUIZZES["test-your-understanding"]


def said(text):
    """Return how long an option is for its reader: a value is a short number."""
    return len(VALUE.sub("000", text))


def reasons(slug):
    return " ".join(option.reason for option in QUESTIONS[slug].options).replace("\n", " ")


def products(d_model, offsets):
    table = Sinusoidal(d_model=d_model).encode(np.arange(offsets))
    return table @ table[0]


def test_there_are_eight_questions():
    assert len(EIGHT) == 8


def test_every_lesson_has_a_quiz_of_its_own_subject():
    for lesson in (lesson.slug for lesson in lessons() if lesson.form == Lesson.Form.STEPS):
        asked = QUIZZES[f"{lesson}-quiz"]
        assert 6 <= len(asked) <= 10, lesson
        assert {QUESTIONS[slug].step.split("/")[0] for slug in asked} == {lesson}


@pytest.mark.parametrize("course", COURSES, ids=name_of)
def test_quiz_repeats_two_questions_of_a_lesson(course):
    """A quiz asks for transfer: who has read a lesson has answered its questions already."""
    lesson_of = {
        block.options["slug"]: lesson.slug
        for lesson in lessons(course)
        if lesson.form == Lesson.Form.STEPS
        for step in lesson.steps_read
        for block in step.page.blocks
        if block.kind == "question"
    }
    repeated = Counter(
        (quiz.slug, lesson_of[slug])
        for quiz in read_quizzes(DiskFiles(course))[0]
        for slug, _ in quiz.questions
        if slug in lesson_of
    )
    assert {pair: count for pair, count in repeated.items() if count > 2} == {}


@pytest.mark.parametrize("name", sorted(OF_ALL))
def test_options_and_reasons_differ_and_words_are_those_of_the_glossary(name):
    question = OF_ALL[name]
    assert len({option.reason for option in question.options}) == len(question.options)
    text = " ".join([question.prompt, *(o.text + o.reason for o in question.options)]).lower()
    assert "theta" not in text.replace("rope_theta", "")  # a field of a config.json
    assert "permutation-invariant" not in text


@pytest.mark.parametrize("name", sorted(name for name in OF_ALL if OF_ALL[name].options))
def test_the_key_is_neither_much_longer_nor_much_shorter_than_the_other_options(name):
    (key,) = [said(option.text) for option in OF_ALL[name].options if option.is_key]
    others = [said(option.text) for option in OF_ALL[name].options if not option.is_key]
    assert key <= 1.6 * max(others)
    assert min(others) <= 2.5 * key


@pytest.mark.parametrize("course", COURSES, ids=name_of)
def test_choosing_the_longest_option_is_no_way_to_the_key(course):
    """Other courses are warned of this (`check_content`); in a shipped one it is an error."""
    asked = list(questions(course).values())
    assert list(course_remarks(asked, read_quizzes(DiskFiles(course))[0])) == []


@pytest.mark.parametrize("course", COURSES, ids=name_of)
def test_ruling_out_the_longest_option_is_no_way_to_the_key_either(course):
    """Chance makes the key the longest, or one of the longest, in a quarter of all questions."""
    fixed = [question.options for question in questions(course).values() if question.options]
    among_longest = 0
    for options in fixed:
        longest = max(visible_length(option.text) for option in options)
        among_longest += any(visible_length(one.text) == longest for one in options if one.is_key)
    assert among_longest >= 0.2 * len(fixed)


def test_the_dot_product_first_rises_where_the_reason_says():
    falling = np.diff(products(128, 100)) < 0
    assert falling[:11].all()
    assert not falling[11]
    assert "falls until $k = 11$" in reasons("dot-product-of-two-positions")
    assert "the first time at $k = 12$" in reasons("dot-product-of-two-positions")


def test_neighbours_and_a_code_with_itself():
    itself, neighbour = products(128, 2)
    assert f"neighbours have {neighbour:.1f}" in reasons("dot-product-of-two-positions")
    assert f"has {itself:.0f}" in reasons("dot-product-of-two-positions")


def test_the_shortest_and_the_longest_wave():
    waves = 2 * np.pi / np.asarray(Sinusoidal(d_model=512).inv_freq)
    assert np.all(np.diff(waves) > 0)
    assert f"after {waves[0]:.2f} positions" in reasons("frequency-along-i")
    assert f"{waves[-1]:,.0f}".replace(",", "\u202f") in reasons("frequency-along-i")


def test_row_zero_begins_as_the_reason_says():
    row = Sinusoidal(d_model=4).encode(np.arange(1))[0]
    written = ", ".join(f"{value:.0f}" for value in row)
    assert f"begins {written}" in reasons("sine-and-cosine-of-a-pair")
