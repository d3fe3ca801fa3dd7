"""The course's questions: every number in them comes from the engine, and every key is a key."""

import re

import numpy as np
import pytest
from django.conf import settings
from posenc.attention import attention
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.encoding import Encoding

from quizzes.assessment.question_files import read_quizzes
from quizzes.content_files.files import DiskFiles
from quizzes.pages.markdown import render_inline
from tests.content.lesson_text import COURSE, questions

QUESTIONS = questions(COURSE)


def texts(slug):
    """Return all that a question says, with white space as one space."""
    question = QUESTIONS[slug]
    parts = [question.prompt, *(f"{one.text} {one.reason}" for one in question.options)]
    return " ".join(parts)


def reason(slug, number):
    return QUESTIONS[slug].options[number].reason


def thin(number):
    """Write a whole number as pages do, its thousands apart."""
    return f"{number:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def dot_products(d_model, *, at, offsets):
    """Return PE(at).PE(at + k) for k below `offsets`, (offsets,)."""
    table = Sinusoidal(d_model=d_model).encode(np.arange(at, at + offsets))
    return table @ table[0]


def test_the_quiz_has_the_eight_questions_and_each_question_its_key():
    quizzes, problems = read_quizzes(DiskFiles(settings.COURSE))
    assert not problems
    quiz = next(one for one in quizzes if one.slug == "test-your-understanding")
    assert len(quiz.questions) == 8
    assert {slug for slug, _ in quiz.questions} <= set(QUESTIONS)
    for question in (one for one in QUESTIONS.values() if one.options):
        assert 3 <= len(question.options) <= 5
        assert sum(option.is_key for option in question.options) == 1
        assert all(len(option.reason) >= 15 for option in question.options), question.slug


def seen_length(text):
    """Return how many characters a reader sees: formulas and values drawn, markup gone."""
    return len(re.sub(r"<annotation.*?</annotation>|<[^>]*>", "", render_inline(text)))


def test_the_key_is_not_betrayed_by_its_length():
    longest, asked = [], [one for one in QUESTIONS.values() if one.options]
    for question in asked:
        lengths = {one.text: seen_length(one.text) for one in question.options}
        key = next(one.text for one in question.options if one.is_key)
        if all(lengths[key] > size for text, size in lengths.items() if text != key):
            longest.append(question.slug)
    assert len(longest) <= len(asked) / 3, longest


@pytest.mark.parametrize(
    ("slug", "d_model", "pair"),
    [
        ("frequency-along-i", 512, -1),
        ("which-column-is-slow", 50, -1),
        ("which-column-is-slow", 50, 12),
    ],
)
def test_long_wavelengths(slug, d_model, pair):
    wavelength = Sinusoidal(d_model=d_model).wavelengths[pair]
    assert f"{thin(wavelength)} " in texts(slug).replace(".", " ")


@pytest.mark.parametrize("slug", ["frequency-along-i", "which-column-is-slow"])
def test_the_first_wavelength(slug):
    assert f"{Sinusoidal().wavelengths[0]:.2f}" == "6.28"
    assert "6.28" in texts(slug)


def test_frequencies_fall_and_form_a_geometric_sequence():
    ratios = np.diff(np.log(Sinusoidal(d_model=512).inv_freq))
    assert np.allclose(ratios, ratios[0])
    assert ratios[0] < 0


def test_the_row_of_position_zero():
    row = Sinusoidal(d_model=4).encode(np.arange(1))[0]
    (key,) = [option.text for option in QUESTIONS["row-zero"].options if option.is_key]
    assert [float(cell) for cell in key.strip("[]").split(",")] == row.tolist()


def test_columns_six_and_seven_are_pair_three():
    table = Sinusoidal(d_model=50).encode(np.arange(40))
    angles = np.arange(40) * Sinusoidal(d_model=50).inv_freq[3]
    assert np.allclose(table[:, 6], np.sin(angles))
    assert np.allclose(table[:, 7], np.cos(angles))


def test_dot_products_of_neighbours_and_the_first_rise():
    products = dot_products(128, at=17, offsets=40)
    not_zero = reason("dot-product-of-two-positions", 1)
    assert f"neighbours have {products[1]:.1f}, where" in not_zero
    assert f"itself has {products[0]:.0f}." in not_zero
    first_rise = int(np.flatnonzero(np.diff(products) > 0)[0]) + 1
    said = re.findall(r"k = (\d+)", reason("dot-product-of-two-positions", 0))
    assert [int(number) for number in said] == [first_rise - 1, first_rise]


def test_dot_products_depend_on_the_offset_alone_whatever_the_width():
    for d_model in (4, 50, 128, 512):
        encoding = Sinusoidal(d_model=d_model)
        three, eight, hundred, hundred_and_five = encoding.encode(np.array([3, 8, 100, 105]))
        expected = np.cos(5 * encoding.inv_freq).sum()
        assert np.isclose(three @ eight, expected)
        assert np.isclose(hundred @ hundred_and_five, expected)
        assert np.isclose(np.linalg.norm(three), np.sqrt(d_model / 2))


def test_no_code_is_all_zeros_also_beyond_512():
    table = Sinusoidal(d_model=512).encode(np.arange(512, 2000))
    assert np.allclose(table[:, 0::2] ** 2 + table[:, 1::2] ** 2, 1)


def test_shuffling_the_tokens_shuffles_the_rows_and_nothing_else():
    """`shuffle-two-tokens`, with the attention of the engine and no positions."""
    rng = np.random.default_rng(3)
    q, k, v = (rng.normal(size=(1, 1, 3, 8)) for _ in range(3))
    swap = [2, 1, 0]  # dog bites man, man bites dog
    positions = np.arange(3)
    facts = {"encoding": Encoding(), "q_positions": positions, "k_positions": positions}
    straight = attention(q, k, v, **facts)
    swapped = attention(q[:, :, swap], k[:, :, swap], v[:, :, swap], **facts)
    assert np.allclose(swapped, straight[:, :, swap])
    assert not np.allclose(swapped, straight)
