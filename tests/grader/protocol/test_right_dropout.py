"""How often right dropout of few or many numbers is refused, by the exact distribution."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from quizzes.grader.protocol.case import TRAINING_CALLS, Case
from quizzes.grader.protocol.drop_count import BAD_LUCK, fewest_counted, is_likely
from quizzes.grader.protocol.observation import Leaf
from quizzes.grader.protocol.property_measures import measure_properties

RATES = [0.01, 0.1, 0.3, 0.5, 0.9]
MOST = 16 * BAD_LUCK  # a case looks at some 16 counts
RIGHT = {"dropout_share": 1, "calls_differ": 1, "kept_scaled": 1, "drops_alone": 1}


def facts(zeros: Sequence[np.ndarray], rate: float, *, scaled: bool = True) -> dict[str, int]:
    """Measure a module that drops these numbers of ones in its training calls."""
    plain = np.ones(zeros[0].shape, np.float32)
    kept = plain / np.float32(1 - rate) if scaled else plain
    looks = [*(np.where(item, 0, kept).astype(np.float32) for item in zeros), plain, plain]
    case = Case("d", {"x": plain}, init={"dropout": rate}, probe="call_twice_train")
    leaves = {
        f"look.{place}": Leaf("tensor", "Tensor", "float32", array.shape, values=array)
        for place, array in enumerate(looks)
    }
    measured = measure_properties(case, leaves)
    return {
        key.removeprefix("fact."): int(leaf.values)
        for key, leaf in measured.items()
        if key.startswith("fact.") and leaf.values is not None
    }


def of_chance(dropped: int, count: int, rate: float) -> float:
    return math.comb(count, dropped) * rate**dropped * (1 - rate) ** (count - dropped)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 2, 4), (1, 3, 8), (1, 4, 8), (2, 5, 8)])
def test_chance_seldom_refuses_right_dropout(shape: tuple[int, ...], rate: float) -> None:
    """Each number of zeros in a call has its probability; the other calls are drawn."""
    rng, count, refused = np.random.default_rng(1), math.prod(shape), 0.0
    for dropped in range(count + 1):
        first = rng.permutation(np.arange(count) < dropped).reshape(shape)
        others = [rng.random(shape) < rate for _ in TRAINING_CALLS[1:]]
        if facts([first, *others], rate) != RIGHT:
            refused += of_chance(dropped, count, rate)
    assert refused <= MOST


@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_nothing_refuses_dropout_of_two_numbers(rate: float) -> None:
    """Whatever three calls drop of two numbers, chance does so often."""
    for flags in product([False, True], repeat=6):
        assert facts(list(np.reshape(flags, (3, 1, 2))), rate) == RIGHT


@pytest.mark.parametrize("rate", RATES)
def test_enough_numbers_tell_the_same_dropped_from_chance(rate: float) -> None:
    fewest = fewest_counted(rate)
    agreement = rate**2 + (1 - rate) ** 2
    assert not is_likely(fewest, fewest, agreement)
    assert is_likely(fewest - 1, fewest - 1, agreement)
    none, zeros = np.zeros(fewest, bool), np.arange(fewest) < round(rate * fewest)
    assert facts([none] * 3, rate, scaled=False) == {**RIGHT, "dropout_share": 0, "calls_differ": 0}
    assert facts([none] * 3, rate)["kept_scaled"] == 0
    assert facts([zeros] * 3, rate)["calls_differ"] == 0
    assert facts([~none] * 3, rate) == {
        **RIGHT,
        "dropout_share": 2,
        "calls_differ": 0,
        "kept_scaled": 0,
    }


def test_few_numbers_do_not_excuse_a_wrong_scale() -> None:
    none = np.zeros((1, 2, 4), bool)
    assert facts([none] * 3, 0.1, scaled=False)["kept_scaled"] == 0
