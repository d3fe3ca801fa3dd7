"""Zeros that chance left, and zeros that something else left."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from quizzes.grader.protocol.drop_count import BAD_LUCK, DropCount, is_likely

SHAPE = (8, 32, 16)
Flags = np.ndarray
Draw = Callable[[np.random.Generator, int], list[Flags]]


@pytest.mark.parametrize("probability", [0.5, 0.3, 0.1, 0.625, 0.01])
@pytest.mark.parametrize("draws", [1, 12, 60, 640])
def test_right_counts_are_refused_less_often_than_promised(draws: int, probability: float) -> None:
    """By the exact binomial distribution, in whole numbers; the code has an inequality instead."""
    zeros, numbers = Fraction(probability).as_integer_ratio()
    refused = sum(
        math.comb(draws, count) * zeros**count * (numbers - zeros) ** (draws - count)
        for count in range(draws + 1)
        if not is_likely(count, draws, probability)
    )
    assert refused <= Fraction(BAD_LUCK) * numbers**draws


def test_the_promise_of_a_whole_pack_is_kept() -> None:
    """Two cases of 16 counts: 4 of shares, 3 of two calls, 9 of neighbours."""
    assert 2 * 16 * BAD_LUCK < 1e-9


@pytest.mark.parametrize(("count", "likely"), [(0, False), (200, False), (320, True), (640, False)])
def test_a_half_of_640_is_about_320(count: int, likely: bool) -> None:
    assert is_likely(count, 640, 0.5) is likely
    assert is_likely(0, 0, 0.5)


def alone(rng: np.random.Generator, calls: int, rate: float = 0.3) -> list[Flags]:
    return [rng.random(SHAPE) < rate for _ in range(calls)]


def spread(*kept: int) -> Draw:
    """Draw along the axes that are kept, the same along the others."""
    shape = tuple(size if axis in kept else 1 for axis, size in enumerate(SHAPE))
    return lambda rng, calls: [
        np.broadcast_to(rng.random(shape) < 0.3, SHAPE) for _ in range(calls)
    ]


def in_blocks(rng: np.random.Generator, calls: int) -> list[Flags]:
    blocks = (8, 32, 8)
    return [np.repeat(rng.random(blocks) < 0.3, 2, axis=-1) for _ in range(calls)]


def every_third(rng: np.random.Generator, calls: int) -> list[Flags]:
    place = np.arange(math.prod(SHAPE)).reshape(SHAPE)
    return [(place * 10 + call) % 10 < 3 for call in range(calls)]


@pytest.mark.parametrize(
    ("draw", "rate", "differ", "are_alone"),
    [
        (alone, True, True, True),
        (lambda rng, calls: alone(rng, 1) * calls, True, False, True),
        (lambda rng, calls: [*alone(rng, 1) * 2, *alone(rng, calls - 2)], True, False, True),
        (lambda rng, calls: alone(rng, calls, 0.7), False, True, True),
        (lambda rng, calls: alone(rng, calls, 0.5), False, True, True),
        (lambda rng, calls: [*alone(rng, 1), *alone(rng, calls - 1, 0.0)], False, False, False),
        (in_blocks, True, True, False),
    ],
)
def test_each_kind_of_count_is_looked_at(
    draw: Draw, rate: bool, differ: bool, are_alone: bool
) -> None:
    drops = DropCount(0.3, np.ones(SHAPE, bool), draw(np.random.default_rng(4), 3))
    assert drops.has_rate is rate
    if rate:
        assert drops.differ is differ
        assert drops.are_alone is are_alone


@pytest.mark.parametrize(
    "draw", [spread(0, 1), spread(0, 2), spread(1, 2), spread(0), spread(2), every_third]
)
def test_what_goes_together_is_not_taken_for_chance(draw: Draw) -> None:
    for seed in range(20):
        drops = DropCount(0.3, np.ones(SHAPE, bool), draw(np.random.default_rng(seed), 3))
        assert not (drops.has_rate and drops.differ and drops.are_alone)


def test_numbers_that_are_0_anyway_are_not_counted() -> None:
    rng = np.random.default_rng(5)
    counted = rng.random(SHAPE) < 0.6
    zeros = [item | ~counted for item in alone(rng, 3)]
    drops = DropCount(0.3, counted, zeros)
    assert drops.has_rate
    assert drops.differ
    assert drops.are_alone
    assert drops.share == pytest.approx(0.3, abs=0.04)
