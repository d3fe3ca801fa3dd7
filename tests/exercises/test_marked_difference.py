"""Which numbers of expected and got are marked, and which texts are not compared."""

import pytest

from quizzes.exercises.marked_difference import mark_difference


def test_numbers_that_differ_are_marked_on_both_sides():
    sides = mark_difference("[[0.0, 1.0],\n [0.8, 0.5]]", "[[0.0, 1.0],\n [0.5, 0.8]]")
    assert sides is not None
    assert (sides.differing, sides.total) == (2, 4)
    assert sides.expected == "[[0.0, 1.0],\n [<mark>0.8</mark>, <mark>0.5</mark>]]"
    assert sides.got == "[[0.0, 1.0],\n [<mark>0.5</mark>, <mark>0.8</mark>]]"


def test_padding_and_a_signed_zero_are_no_difference():
    sides = mark_difference("[ 0.0, 1e-05]", "[-0.0,  2e-05]")
    assert sides is not None
    assert sides.got == "[-0.0,  <mark>2e-05</mark>]"


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ("[0.0, 1.0]", "[0.0, 1.0]"),
        ("[nan, 1.0]", "[nan, 1.0]"),
        ("[0.0, 1.0]", "[[0.0, 2.0]]"),
        ("[0.0, 1.0]", "raises IndexError: index 99"),
        ("array", "list"),
        ("", ""),
    ],
)
def test_other_texts_have_no_marks(expected, got):
    assert mark_difference(expected, got) is None


def test_a_text_cannot_bring_markup():
    sides = mark_difference("<b> 1", "<b> 2")
    assert sides is not None
    assert sides.got == "&lt;b&gt; <mark>2</mark>"
