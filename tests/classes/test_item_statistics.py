"""The figures of a quiz agree with an oracle written from Moodle's definitions, and are bounded."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.classes.items.statistics import (
    cronbachs_alpha,
    item_statistics,
    skewness,
    test_statistics,
)
from tests.classes import moodle_oracle

FIGURES = (
    "facility",
    "sd",
    "intended_weight",
    "effective_weight",
    "discrimination",
    "efficiency",
)


def near(ours, theirs):
    if ours is None or theirs is None:
        return ours is theirs
    return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-6)


@st.composite
def quizzes(draw):
    """Marks in thirds and quarters of points, as partial credit gives them."""
    most = draw(st.lists(st.sampled_from([1, 2, 3, Fraction(1, 2)]), min_size=1, max_size=5))
    share = st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 3), Fraction(1)])
    row = st.tuples(*[share] * len(most))
    shares = draw(st.lists(row, min_size=1, max_size=12))
    most = [Fraction(one) for one in most]
    return [[part * full for part, full in zip(one, most, strict=True)] for one in shares], most


@given(quizzes())
def test_every_figure_is_that_of_moodles_definitions(quiz):
    marks, most = quiz
    ours = item_statistics(np.array(marks, dtype=float), [float(one) for one in most], most)
    for one, theirs in zip(ours, moodle_oracle.items(marks, most), strict=True):
        wrong = {name for name in FIGURES if not near(getattr(one, name), theirs[name])}
        assert not wrong, (wrong, one, theirs)
        assert one.n == len(marks)
    assert near(cronbachs_alpha(np.array(marks, dtype=float))[0], moodle_oracle.alpha(marks))
    totals = [sum(row, Fraction(0)) for row in marks]
    assert near(skewness(np.array(totals, dtype=float)), moodle_oracle.skewness(totals))


@given(quizzes(), st.randoms(use_true_random=False))
def test_figures_are_bounded_and_do_not_depend_on_the_order_of_attempts(quiz, chance):
    marks, most = quiz
    table, points = np.array(marks, dtype=float), [float(one) for one in most]
    guesses = [None] * len(most)
    ours = item_statistics(table, points, guesses)
    chance.shuffle(marks)
    again = item_statistics(np.array(marks, dtype=float), points, guesses)
    for one, other in zip(ours, again, strict=True):
        assert all(near(getattr(one, name), getattr(other, name)) for name in FIGURES)
        assert 0 <= one.facility <= 100 + 1e-9
        for name in ("discrimination", "efficiency"):
            value = getattr(one, name)
            # Efficiency may fall below -100: Moodle's divisor is the best order, not the worst.
            assert value is None or value <= 100 + 1e-6
        assert one.discrimination is None or one.discrimination >= -100 - 1e-6


def test_versions_that_parts_of_the_attempts_met_stand_apart():
    nan = math.nan
    marks = [[1, nan, 1], [0, nan, 0], [nan, 1, 1], [nan, 0, 1]]
    old, new, both = item_statistics(marks, [1, 1, 1], [0.25, 0.25, None])
    assert (old.n, new.n, both.n) == (2, 2, 4)
    assert (old.facility, new.facility, both.facility) == (50, 50, 75)
    assert (old.guess, both.guess) == (25, None)
    assert (old.intended_weight, both.intended_weight) == (50, 50)
    assert (old.discrimination, new.discrimination) == (pytest.approx(100), None)
    whole = test_statistics(marks, [1, 1, 1])
    assert (whole.n, whole.mean, whole.alpha_n) == (4, 62.5, 2)


@pytest.mark.parametrize(
    ("marks", "most", "said"),
    [([1.0], [1.0], "1 dimensions"), ([[1.0]], [0.0], "more than 0 points")],
)
def test_a_table_that_cannot_be_one_is_refused(marks, most, said):
    with pytest.raises(ValueError, match=said):
        item_statistics(marks, most, [None])


def test_no_attempt_has_no_figure():
    assert [one.n for one in item_statistics(np.zeros((0, 2)), [1, 1], [None, None])] == [0, 0]
    assert test_statistics(np.zeros((0, 2)), [1, 1]).n == 0
