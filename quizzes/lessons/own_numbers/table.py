"""The views of a table of vectors: what anybody's encoding of n positions can be asked.

Shapes: n = positions, d = numbers of each vector. A number that is not finite, or beyond 1e100 in
size, has no colour. With any of these, or with one position, a table has its heatmap alone.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from posenc.encoding import Encoding, param
from posenc.number_format import counted
from posenc.registry import Entry, View
from posenc.views import ViewData, cell_axis, end_axis, number_axis

Numbers = npt.NDArray[np.float64]

LARGEST = 1e100  # in size: products of two, summed, are finite
SAME = 1e-9  # of a vector's product with itself: what float64 leaves of a true zero
HALF = 0.5
GREY = "no number: NaN, infinite or too large"


@dataclass(frozen=True)
class TableOfNumbers(Encoding):
    """An encoding of which only the numbers are known: it has no parameter."""


def usable(table: Numbers) -> bool:
    """Return whether every number of a table is finite and of a size that can be multiplied."""
    return bool((np.abs(table) <= LARGEST).all())  # False for NaN


def table_entry(slug: str, name: str, table: Numbers) -> Entry:
    """Return an entry, as the catalogue has them, with the views of a table (n, d)."""
    entry = Entry(slug=slug, title=name, source="", encoding=TableOfNumbers)
    _add_heatmap(entry, table)
    if usable(table) and len(table) > 1:
        _add_dot_products(entry, table)
        _add_shift(entry, table)
        _add_reach(entry, table)
    return entry


def picture_entry(slug: str, name: str, view: View, picture: ViewData) -> Entry:
    """Return an entry with one view: numbers in the frame of an encoding's view."""
    entry = Entry(slug=slug, title=name, source="", encoding=TableOfNumbers)

    @entry.view(view.slug, title=view.title, kind=view.kind, scale=view.scale)
    def same(encoding: Encoding) -> ViewData:
        """Return the numbers as they are."""
        del encoding
        return picture

    del same
    return entry


def round_up(largest: float) -> float:
    """Return 1, 2 or 5 times a power of ten that is not below; 1 for 0."""
    if not largest > 0:
        return 1.0
    largest = min(max(largest, 1e-300), 1e300)
    power = 10.0 ** math.floor(math.log10(largest))
    return next(step * power for step in (1, 2, 5, 10, 20) if step * power >= largest)


def _add_heatmap(entry: Entry, table: Numbers) -> View:
    n, d = table.shape
    shown = np.where(np.abs(table) <= LARGEST, table, np.nan)
    limit = round_up(float(np.nan_to_num(np.abs(shown)).max()))

    @entry.view(
        "heatmap",
        title="The code of each position",
        kind="heatmap",
        scale="signed_unit",
        params={"positions": _first_rows(n)},
    )
    def heatmap(encoding: Encoding, *, positions: int) -> ViewData:
        """Return the first rows of the table, (positions, d)."""
        del encoding
        return ViewData(
            kind="heatmap",
            scale="signed_unit",
            values=shown[:positions],
            x=cell_axis("dimension j", d, most=10),
            y=cell_axis("position", positions, most=6),
            limits=(-limit, limit),
            title="Each row is the code of one position",
            subtitle=f"{counted(positions, 'position')} × {counted(d, 'dimension')}.",
            finding=_range(shown[:positions]),
            masked=GREY,
            row_noun="position",
            row_names=_counting(positions),
            column_noun="dimension",
            column_names=_counting(d),
        )

    return heatmap


def _add_dot_products(entry: Entry, table: Numbers) -> View:
    n = len(table)
    every = table @ table.T
    limit = round_up(float(np.abs(every).max()))

    @entry.view(
        "dot-products",
        title="Dot products of all positions",
        kind="heatmap",
        scale="signed_unit",
        params={"positions": _first_rows(n)},
    )
    def dot_products(encoding: Encoding, *, positions: int) -> ViewData:
        """Return e(p) . e(q) of the first positions, (positions, positions)."""
        del encoding
        return ViewData(
            kind="heatmap",
            scale="signed_unit",
            values=every[:positions, :positions],
            x=cell_axis("position q", positions, most=10),
            y=cell_axis("position p", positions, most=6),
            limits=(-limit, limit),
            title="The dot product of every two codes",
            subtitle=f"e(p) · e(q) of {counted(positions, 'position')}.",
            finding=_best_partner(every[:positions, :positions]),
            unit="dot product",
            row_noun="position",
            row_names=_counting(positions),
            column_noun="position",
            column_names=_counting(positions),
            square=True,
        )

    return dot_products


def _add_shift(entry: Entry, table: Numbers) -> View:
    n = len(table)
    every = table @ table.T
    # One pair alone cannot vary: the longest offset has two, where there are three positions.
    diagonals = [np.diagonal(every, offset) for offset in range(max(n - 1, 2))]
    curves = np.array([(each.max(), each.mean(), each.min()) for each in diagonals]).T
    itself = float(np.abs(np.diagonal(every)).mean())
    names = ("largest", "mean", "smallest")

    @entry.view(
        "shift",
        title="Does a shift change the scores?",
        kind="curves",
        scale="signed_unit",
        along_x=("offsets",),
        params={"offsets": _farthest(len(diagonals) - 1)},
    )
    def shift(encoding: Encoding, *, offsets: int) -> ViewData:
        """Return largest, mean and smallest e(p) . e(p + k) over all p, (3, offsets + 1)."""
        del encoding
        values = curves[:, : offsets + 1]
        y = number_axis("e(p) · e(p + k)", min(0.0, values.min()), max(0.0, values.max()))
        return ViewData(
            kind="curves",
            scale="signed_unit",
            values=values,
            x=end_axis("offset k", offsets, values=np.arange(offsets + 1.0)),
            y=y,
            limits=y.limits,
            title="Does a shift change the scores?",
            subtitle=f"Over all p of {counted(n, 'position')}. Where the curves meet, it does not.",
            finding=_spread(values, itself),
            series=names,
            row_noun="product",
            row_names=names,
            column_noun="offset",
            column_names=_counting(offsets + 1),
        )

    return shift


def _add_reach(entry: Entry, table: Numbers) -> View:
    n = len(table)
    norms = np.linalg.norm(table, axis=1, keepdims=True)
    unit = np.divide(table, norms, out=np.zeros_like(table), where=norms > 0)
    cosines = np.clip(unit @ unit.T, -1.0, 1.0)
    curve = np.array([np.diagonal(cosines, distance).mean() for distance in range(n)])

    @entry.view(
        "reach",
        title="How far does it reach?",
        kind="curves",
        scale="signed_unit",
        along_x=("distances",),
        params={"distances": _farthest(n - 1)},
    )
    def reach(encoding: Encoding, *, distances: int) -> ViewData:
        """Return the mean cosine of two codes at each distance, (1, distances + 1)."""
        del encoding
        values = curve[None, : distances + 1]
        low = min(0.0, float(values.min()))
        return ViewData(
            kind="curves",
            scale="signed_unit",
            values=values,
            x=end_axis("distance", distances, values=np.arange(distances + 1.0)),
            y=number_axis("mean cosine of e(p) and e(q)", low, 1.0),
            limits=(low, 1.0),
            title="How far does it reach?",
            subtitle=f"Mean over all pairs of {counted(n, 'position')}; 1 is the same direction.",
            finding=_half_way(values[0]),
            series=("mean cosine",),
            row_noun="curve",
            row_names=("mean cosine",),
            column_noun="distance",
            column_names=_counting(distances + 1),
        )

    return reach


def _first_rows(n: int) -> Any:
    return param(n, ge=1, le=n, slider=(1, max(n, 2), 1), doc="rows of the picture")


def _farthest(most: int) -> Any:
    most = max(most, 1)
    return param(most, ge=1, le=most, slider=(1, max(most, 2), 1), doc="how far apart")


def _counting(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(count)))


def _number(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def _range(values: Numbers) -> str:
    finite = values[np.isfinite(values)]
    if not finite.size:
        return "No number has a colour."
    return f"The numbers lie between {_number(finite.min())} and {_number(finite.max())}."


def _best_partner(products: Numbers) -> str:
    """Say for how many positions no other position has a larger product than itself."""
    count = len(products)
    first = int((products.diagonal() >= products.max(axis=1)).sum())
    if first == count:
        return "Every position has its largest product with itself."
    return f"{first} of {counted(count, 'position')} have their largest product with themselves."


def _spread(curves: Numbers, itself: float) -> str:
    """Say at which offset the product varies most with the position, and by how much."""
    spreads = curves[0] - curves[2]
    offset = int(spreads.argmax())
    if float(spreads[offset]) <= SAME * max(itself, 1e-300):
        return f"A shift changes no score: the product varies by at most {spreads[offset]:.1g}."
    share = f", {spreads[offset] / itself:.0%} of e(p) · e(p)" if itself else ""
    low, high = _number(curves[2, offset]), _number(curves[0, offset])
    return f"A shift changes the scores: at offset {offset} they vary from {low} to {high}{share}."


def _half_way(curve: Numbers) -> str:
    """Say where the cosine first falls below a half, and what it is at the end."""
    end = f"at distance {len(curve) - 1} it is {_number(float(curve[-1]))}"
    below = np.flatnonzero(curve < HALF)
    if not below.size:
        return f"The cosine never falls below 0.5; {end}."
    return f"The cosine first falls below 0.5 at distance {int(below[0])}; {end}."
