"""What is said of wrong numbers: another layout, a mixture, lost precision, or nothing."""

from dataclasses import replace

import numpy as np
import pytest

from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.judge.diagnosis import layout_note
from quizzes.grader.judge.messages import (
    ANOTHER_LAYOUT,
    IMPRECISE,
    MIXED_LAYOUTS,
)
from quizzes.grader.judge.property_messages import PROPERTY_MESSAGES
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.observation import Observation
from tests.grader.judge.test_stages import ENTRY, pack, seen

X = np.random.default_rng(1).normal(size=(2, 3, 5, 6))


def turned(x: np.ndarray, *, half: bool = False, digits: int = 12) -> np.ndarray:
    """The pairs (2i, 2i + 1) turned, with `half` the pairs (i, i + D/2)."""
    pairs = x.shape[-1] // 2
    angle = np.arange(x.shape[-2])[:, None] * 100.0 ** (-np.arange(pairs) / pairs)
    cos, sin = np.round(np.cos(angle), digits), np.round(np.sin(angle), digits)
    first = slice(None, pairs) if half else slice(None, None, 2)
    second = slice(pairs, None) if half else slice(1, None, 2)
    result = np.empty_like(x)
    result[..., first] = x[..., first] * cos - x[..., second] * sin
    result[..., second] = x[..., first] * sin + x[..., second] * cos
    return result


RIGHT = turned(X)
ONE_HEAD = np.where(np.arange(3)[:, None, None] == 1, RIGHT, X)
LATE_ROWS_KEPT = np.where(np.arange(5)[:, None] < 3, RIGHT, X)
IN_HALVES = turned(X, half=True)


def note(got: np.ndarray, spread: float | None, *, width: int = 6, graded: bool = True) -> str:
    """Of one case with values and one that looks at scores."""
    entry = replace(ENTRY, tolerance=Tolerance(atol=1e-4))
    cases = (
        Case("values", {"x": X[..., :width]}, spare=not graded),
        Case("scores", {"x": X}, probe="relative_scores"),
    )
    expected = (seen(out=RIGHT[..., :width]), seen(fact__offset_only=1, fact__distance_matters=1))
    holds = spread is not None and spread < 1e-4
    facts = {"fact__offset_only": int(holds), "fact__distance_matters": 1}
    scores = seen(**facts) if spread is None else seen(**facts, seen__offset_only=spread)
    return layout_note(
        replace(pack(), cases=cases, expected=expected, entry=entry),
        (seen(out=got[..., :width]), scores),
    )


def test_a_whole_rotation_in_another_layout_is_called_that() -> None:
    assert note(IN_HALVES, 1e-7) == ANOTHER_LAYOUT


@pytest.mark.parametrize("got", [ONE_HEAD, LATE_ROWS_KEPT])
def test_where_some_rows_are_right_the_layout_is_not_to_blame(got: np.ndarray) -> None:
    assert note(got, 1e-7) == ""


def test_one_pair_is_the_same_in_every_layout_and_proves_nothing() -> None:
    assert note(ONE_HEAD, 1e-7, width=2) == ANOTHER_LAYOUT
    assert note(ONE_HEAD, 1e-7, graded=False) == ANOTHER_LAYOUT


@pytest.mark.parametrize(
    ("got", "spread", "said"),
    [
        (turned(X, digits=2), 0.004, IMPRECISE),
        (IN_HALVES, 0.004, ""),
        (IN_HALVES, 0.3, MIXED_LAYOUTS),
        (IN_HALVES, None, ""),
    ],
)
def test_a_mixture_is_told_from_lost_precision(
    got: np.ndarray, spread: float | None, said: str
) -> None:
    assert note(got, spread) == said


def test_scores_that_were_not_reached_say_nothing() -> None:
    base = pack()
    assert layout_note(base, (Observation(), None, None)) == ""


def test_the_property_itself_speaks_of_mixtures_only_where_there_may_be_one() -> None:
    fault = PROPERTY_MESSAGES["offset_only"].finding
    assert "conventions are mixed" in fault(1, 0, 0.3)
    assert "conventions are mixed" not in fault(1, 0, 0.004)
    assert "differ by 0.4 % from place to place: often precision is lost" in fault(1, 0, 0.004)
