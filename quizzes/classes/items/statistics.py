"""Statistics of a quiz by Moodle's published definitions ("Quiz statistics calculations").

Nothing here knows Django. `marks` is a table with one row for each attempt and one column for each
item, NaN where an attempt did not meet the item. Moodle has one question in each place of a quiz
and so a full table; an item here is one *version* of a question, which a part of the attempts met.
An item's figures are of the attempts that met it, against their own totals. In a full table every
figure is Moodle's.

A figure that is not defined is None: with fewer than two attempts, and where all marks are equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
# Marks are multiples of 0.00001 points: what is left of a smaller variance is rounding.
NOTHING = 1e-12


@dataclass(frozen=True)
class ItemStatistics:
    """One item. All but `n` are percentages.

    `facility`: mean mark of what is possible. `sd`: its standard deviation (n - 1), of what is
    possible. `guess`: the facility that pure guessing gives. `intended_weight`: its points of all
    points; `effective_weight`: the share of the spread of totals that comes from it, None where its
    marks fall as totals rise. `discrimination`: 100 times the correlation of its marks with those
    of the rest of the test. `efficiency`: the same as a share of what its marks allow at best.
    """

    n: int
    facility: float | None = None
    sd: float | None = None
    guess: float | None = None
    intended_weight: float | None = None
    effective_weight: float | None = None
    discrimination: float | None = None
    efficiency: float | None = None


@dataclass(frozen=True)
class TestStatistics:
    """A whole quiz: its totals as percentages of what is possible, and how its items agree.

    `alpha` is Cronbach's alpha in percent, of the `alpha_n` attempts that met the same questions.
    """

    __test__ = False  # no test of pytest's

    n: int
    mean: float | None = None
    median: float | None = None
    sd: float | None = None
    skewness: float | None = None
    alpha: float | None = None
    alpha_n: int = 0


def item_statistics(
    marks: ArrayLike, most: ArrayLike, guesses: Sequence[float | None]
) -> list[ItemStatistics]:
    """Return the figures of every item.

    `most`: how many points each item gives in each attempt, as a table like `marks` or a row.
    `guesses`: what share of the points pure guessing earns, None where that is not known.
    """
    table, points = _tables(marks, most)
    met = ~np.isnan(table)
    totals, possible = np.nansum(table, axis=1), np.nansum(points, axis=1)
    # Items that a part of the attempts met weigh in the sum of all by that part.
    parts = met.mean(axis=0) if len(table) else np.zeros(table.shape[1])
    items = [_Item(table[:, i], points[:, i], totals, possible) for i in range(table.shape[1])]
    spread = sum(
        part * np.sqrt(one.with_total)
        for part, one in zip(parts, items, strict=True)
        if one.with_total is not None and one.with_total > 0
    )
    return [one.statistics(guess, spread) for one, guess in zip(items, guesses, strict=True)]


class _Item:
    """The marks of one item, in the attempts that met it."""

    def __init__(self, marks: Floats, points: Floats, totals: Floats, possible: Floats) -> None:
        met = ~np.isnan(marks)
        self.marks, self.points = marks[met], points[met]
        self.totals, self.possible = totals[met], possible[met]
        self.n = len(self.marks)
        self.rest = self.totals - self.marks
        self.with_total = covariance(self.marks, self.totals)

    def statistics(self, guess: float | None, spread: float) -> ItemStatistics:
        if not self.n:
            return ItemStatistics(0)
        shares = self.marks / self.points
        deviation = variance(shares)
        possible = self.possible.sum()
        return ItemStatistics(
            n=self.n,
            facility=float(100 * shares.mean()),
            sd=None if deviation is None else float(100 * np.sqrt(deviation)),
            guess=None if guess is None else 100 * guess,
            intended_weight=float(100 * self.points.sum() / possible),
            effective_weight=self._effective_weight(spread),
            discrimination=self._discrimination(),
            efficiency=self._efficiency(),
        )

    def _effective_weight(self, spread: float) -> float | None:
        if self.with_total is None or self.with_total < -NOTHING or spread <= 0:
            return None
        return float(100 * np.sqrt(max(0.0, self.with_total)) / spread)

    def _discrimination(self) -> float | None:
        both = covariance(self.marks, self.rest)
        own, other = variance(self.marks), variance(self.rest)
        if both is None or not own or not other:
            return None
        return float(100 * both / np.sqrt(own * other))

    def _efficiency(self) -> float | None:
        both = covariance(self.marks, self.rest)
        best = covariance(np.sort(self.marks), np.sort(self.rest))
        if both is None or best is None or best <= NOTHING:
            return None
        return float(100 * both / best)


def test_statistics(marks: ArrayLike, most: ArrayLike) -> TestStatistics:
    """Return the figures of a whole quiz; the columns of `marks` are questions here."""
    table, points = _tables(marks, most)
    possible = np.nansum(points, axis=1)
    with_points = possible > 0
    if not with_points.any():
        return TestStatistics(0)
    totals = np.nansum(table, axis=1)[with_points] / possible[with_points]
    deviation = variance(totals)
    alpha, alpha_n = cronbachs_alpha(table)
    return TestStatistics(
        n=len(totals),
        mean=float(100 * totals.mean()),
        median=float(100 * np.median(totals)),
        sd=None if deviation is None else float(100 * np.sqrt(deviation)),
        skewness=skewness(totals),
        alpha=alpha,
        alpha_n=alpha_n,
    )


test_statistics.__test__ = False  # type: ignore[attr-defined]


def cronbachs_alpha(marks: ArrayLike) -> tuple[float | None, int]:
    """Return Cronbach's alpha in percent, and of how many attempts it is.

    It compares full rows only: those of the attempts that met the questions that most met, which
    are all of them unless the quiz was changed meanwhile or draws its questions.
    """
    table = np.asarray(marks, dtype=float)
    if not table.size:
        return None, 0
    kinds, which, times = np.unique(
        ~np.isnan(table), axis=0, return_inverse=True, return_counts=True
    )
    often = int(times.argmax())
    full = table[which.reshape(-1) == often][:, kinds[often]]
    number = full.shape[1]
    whole = variance(full.sum(axis=1))
    if number < 2 or not whole:
        return None, len(full)
    parts = sum(variance(full[:, column]) or 0.0 for column in range(number))
    return float(100 * number / (number - 1) * (1 - parts / whole)), len(full)


def skewness(values: ArrayLike) -> float | None:
    """Return k3 / k2 ** 1.5 of Fisher's k-statistics; None of fewer than three values."""
    found = np.asarray(values, dtype=float)
    n = len(found)
    second = variance(found)
    if n < 3 or not second:
        return None
    third = ((found - found.mean()) ** 3).sum() * n / ((n - 1) * (n - 2))
    return float(third / second**1.5)


def variance(values: Floats) -> float | None:
    """Return the variance with n - 1, 0 for equal values; None of fewer than two."""
    return covariance(values, values)


def covariance(left: Floats, right: Floats) -> float | None:
    """Return the covariance with n - 1; None of fewer than two values."""
    n = len(left)
    if n < 2:
        return None
    found = float(((left - left.mean()) * (right - right.mean())).sum() / (n - 1))
    return 0.0 if abs(found) < NOTHING else found


def _tables(marks: ArrayLike, most: ArrayLike) -> tuple[Floats, Floats]:
    """Return marks and possible points as tables, both NaN where an item was not met."""
    table = np.asarray(marks, dtype=float)
    if table.ndim != 2:
        raise ValueError(f"marks: {table.ndim} dimensions, expected a row for each attempt")
    points = np.broadcast_to(np.asarray(most, dtype=float), table.shape)
    points = np.where(np.isnan(table), np.nan, points)
    if (points <= 0).any():
        raise ValueError("most: every item gives more than 0 points")
    return table, points
