"""The views of a table of vectors: what anybody's encoding of n positions can be asked.

Shapes: n = positions, d = numbers of each vector. A number that is not finite, or beyond 1e100 in
size, is grey. With any of these, or with one position, a table has its heatmap alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from posenc.encoding import Encoding, param
from posenc.number_format import counted
from posenc.registry import Entry, View
from posenc.views import ViewData, cell_axis, end_axis, number_axis

Numbers = npt.NDArray[np.float64]

MOST_POSITIONS = 1024
LARGEST = 1e100  # in size: products of two, summed, are finite
SAME = 1e-9  # of a vector's product with itself: what float64 leaves of a true zero
HALF = 0.5
GREY = "no number: NaN, infinite or too large"


@dataclass(frozen=True)
class TableOfNumbers(Encoding):
    """An encoding of which only the numbers are known: it has no parameter."""


@dataclass(frozen=True, eq=False)
class TableData(ViewData):
    """A picture of a table. `numbers`: as they were returned; the picture has NaN for grey ones."""

    numbers: Numbers | None = None


def usable(table: Numbers) -> bool:
    """Return whether every number of a table is finite and of a size that can be multiplied."""
    return bool((np.abs(table) <= LARGEST).all())  # False for NaN


@dataclass(frozen=True, eq=False)
class Tables:
    """The tables (n, d) that one program gave, by the size with which it was called.

    `along`: the axis of that size, 0 where n moves and 1 where d does. `hand`: the one that is
    shown first. All of the others are finite if it is.
    """

    by_size: Mapping[int, Numbers]
    hand: int
    along: Literal[0, 1] = 0

    @classmethod
    def of(cls, table: Numbers) -> Tables:
        """Return one table, by itself."""
        return cls({len(table): table}, len(table))

    @property
    def first(self) -> Numbers:
        """The table that is shown first."""
        return self.by_size[self.hand]

    @property
    def most_rows(self) -> int:
        """The positions of the longest table."""
        return max(map(len, self.by_size.values()))

    def at(self, positions: int | None = None, d_model: int | None = None) -> Numbers:
        """Return the first positions of the table whose size is the nearest."""
        size = (positions, d_model)[self.along]
        size = self.hand if size is None else size
        nearest = min(self.by_size, key=lambda known: abs(known - size))
        return self.by_size[nearest][:positions]

    def sizes(self, *, has_rows: bool) -> dict[str, Any]:
        """Return the sliders of a view: that of the size, and of the rows where it shows these."""
        sliders: dict[str, Any] = {}
        if has_rows or (self.along == 0 and len(self.by_size) > 1):
            least = 1 if has_rows else 2
            sliders["positions"] = _first_rows(len(self.first), least, self.most_rows)
        if self.along == 1 and len(self.by_size) > 1:
            low, high = min(self.by_size), max(self.by_size)
            doc = "numbers for each position"
            sliders["d_model"] = param(self.hand, ge=low, le=high, slider=(low, high, 1), doc=doc)
        return sliders


def table_entry(slug: str, name: str, tables: Tables) -> Entry:
    """Return an entry, as the catalogue has them, with the views of a table (n, d).

    Raises ValueError for more than MOST_POSITIONS: every two of them have a product.
    """
    if tables.most_rows > MOST_POSITIONS:
        words = f"a table of {tables.most_rows} positions: at most {MOST_POSITIONS} can be drawn"
        raise ValueError(words)
    entry = Entry(slug=slug, title=name, source="", encoding=TableOfNumbers)
    _add_heatmap(entry, tables)
    if usable(tables.first) and len(tables.first) > 1:
        _add_dot_products(entry, tables)
        _add_shift(entry, tables)
        _add_reach(entry, tables)
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


def _add_heatmap(entry: Entry, tables: Tables) -> View:
    limit = max(round_up(_largest(table)) for table in tables.by_size.values())

    @entry.view(
        "heatmap",
        title="The code of each position",
        kind="heatmap",
        scale="signed_unit",
        params=tables.sizes(has_rows=True),
    )
    def heatmap(encoding: Encoding, **sizes: int) -> ViewData:
        """Return the first rows of the table, (positions, d)."""
        del encoding
        table = tables.at(**sizes)
        positions, d = table.shape
        shown = _drawable(table)
        return TableData(
            kind="heatmap",
            scale="signed_unit",
            values=shown,
            numbers=table,
            x=cell_axis("dimension j", d, most=10),
            y=cell_axis("position", positions, most=6),
            limits=(-limit, limit),
            title="Each row is the code of one position",
            subtitle=f"{counted(positions, 'position')} × {counted(d, 'dimension')}.",
            finding=_range(shown),
            masked=GREY,
            row_noun="position",
            row_names=_counting(positions),
            column_noun="dimension",
            column_names=_counting(d),
        )

    return heatmap


def _add_dot_products(entry: Entry, tables: Tables) -> View:
    # No product of two vectors is larger than the largest of a vector with itself.
    longest = max(float((table**2).sum(axis=1).max()) for table in tables.by_size.values())
    limit = round_up(longest)

    @entry.view(
        "dot-products",
        title="Dot products of all positions",
        kind="heatmap",
        scale="signed_unit",
        params=tables.sizes(has_rows=True),
    )
    def dot_products(encoding: Encoding, **sizes: int) -> ViewData:
        """Return e(p) . e(q) of the first positions, (positions, positions)."""
        del encoding
        table = tables.at(**sizes)
        every, positions = table @ table.T, len(table)
        return ViewData(
            kind="heatmap",
            scale="signed_unit",
            values=every,
            x=cell_axis("position q", positions, most=10 if positions <= 100 else 5),
            y=cell_axis("position p", positions, most=6),
            limits=(-limit, limit),
            title="The dot product of every two codes",
            subtitle=f"e(p) · e(q) of {counted(positions, 'position')}.",
            finding=_best_partner(every),
            unit="dot product",
            row_noun="position",
            row_names=_counting(positions),
            column_noun="position",
            column_names=_counting(positions),
            square=True,
        )

    return dot_products


def _add_shift(entry: Entry, tables: Tables) -> View:
    names = ("largest", "mean", "smallest")

    @entry.view(
        "shift",
        title="Does a shift change the scores?",
        kind="curves",
        scale="signed_unit",
        along_x=("offsets",),
        params={"offsets": _farthest(tables.most_rows - 2), **tables.sizes(has_rows=False)},
    )
    def shift(encoding: Encoding, *, offsets: int, **sizes: int) -> ViewData:
        """Return largest, mean and smallest e(p) . e(p + k) over all p, (3, offsets + 1)."""
        del encoding
        table = tables.at(**sizes)
        every, n = table @ table.T, len(table)
        # One pair alone cannot vary: the longest offset has two, where there are three positions.
        diagonals = [np.diagonal(every, offset) for offset in range(min(max(n - 1, 2), n))]
        curves = np.array([(each.max(), each.mean(), each.min()) for each in diagonals]).T
        itself = float(np.abs(np.diagonal(every)).mean())
        offsets = min(offsets, len(diagonals) - 1)
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
            finding=_spread(values, itself, is_every=values.shape == curves.shape),
            series=names,
            row_noun="product",
            row_names=names,
            column_noun="offset",
            column_names=_counting(offsets + 1),
        )

    return shift


def _add_reach(entry: Entry, tables: Tables) -> View:
    @entry.view(
        "reach",
        title="How far does it reach?",
        kind="curves",
        scale="signed_unit",
        along_x=("distances",),
        params={"distances": _farthest(tables.most_rows - 1), **tables.sizes(has_rows=False)},
    )
    def reach(encoding: Encoding, *, distances: int, **sizes: int) -> ViewData:
        """Return the mean cosine of two codes at each distance, (1, distances + 1)."""
        del encoding
        table = tables.at(**sizes)
        n, (unit, zeros) = len(table), _directions(table)
        distances = min(distances, n - 1)
        cosines = np.clip(unit @ unit.T, -1.0, 1.0)
        curve = [np.diagonal(cosines, distance).mean() for distance in range(distances + 1)]
        values = np.array(curve)[None]
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
            finding=_without_direction(zeros, n) + _half_way(values[0]),
            series=("mean cosine",),
            row_noun="curve",
            row_names=("mean cosine",),
            column_noun="distance",
            column_names=_counting(distances + 1),
        )

    return reach


def _drawable(table: Numbers) -> Numbers:
    return np.where(np.abs(table) <= LARGEST, table, np.nan)


def _largest(table: Numbers) -> float:
    return float(np.nan_to_num(np.abs(_drawable(table))).max())


def _first_rows(n: int, least: int, most: int) -> Any:
    slider = (least, max(most, least + 1), 1)
    return param(n, ge=least, le=most, slider=slider, doc="rows of the picture")


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
        return "Every number is grey."
    return f"The numbers lie between {_number(finite.min())} and {_number(finite.max())}."


def _best_partner(products: Numbers) -> str:
    """Say for how many positions no other position has a larger product than itself."""
    count = len(products)
    first = int((products.diagonal() >= products.max(axis=1)).sum())
    if first == count:
        return "Every position has its largest product with itself."
    return f"{first} of {counted(count, 'position')} have their largest product with themselves."


def _spread(curves: Numbers, itself: float, *, is_every: bool) -> str:
    """Say at which offset the product varies most with the position, and by how much.

    `is_every`: there is no further offset, so what no offset here changes, none does.
    """
    spreads = curves[0] - curves[2]
    offset = int(spreads.argmax())
    if float(spreads[offset]) <= SAME * max(itself, 1e-300):
        begin = "A shift" if is_every else f"Up to offset {curves.shape[1] - 1}, a shift"
        return f"{begin} changes no score: the product varies by at most {spreads[offset]:.1g}."
    share = f", {spreads[offset] / itself:.0%} of the mean e(p) · e(p)" if itself else ""
    low, high = _number(curves[2, offset]), _number(curves[0, offset])
    return f"A shift changes the scores: at offset {offset} they vary from {low} to {high}{share}."


def _half_way(curve: Numbers) -> str:
    """Say where the mean cosine first falls below a half, and what it is at the end."""
    end = f"at distance {len(curve) - 1} it is {_number(float(curve[-1]))}"
    below = np.flatnonzero(curve < HALF)
    if not below.size:
        return f"The mean cosine never falls below 0.5; {end}."
    return f"The mean cosine first falls below 0.5 at distance {int(below[0])}; {end}."


def _directions(table: Numbers) -> tuple[Numbers, int]:
    """Return each vector (n, d) with length 1, zeros as they are, and the number of the latter."""
    sizes = np.abs(table).max(axis=1, keepdims=True)  # squares of small numbers would be 0
    scaled = np.divide(table, sizes, out=np.zeros_like(table), where=sizes > 0)
    norms = np.linalg.norm(scaled, axis=1, keepdims=True)
    return np.divide(scaled, norms, out=scaled, where=norms > 0), int((sizes == 0).sum())


def _without_direction(zeros: int, n: int) -> str:
    """Say how many of n vectors have no direction, as a sentence before another; "" for none."""
    if not zeros:
        return ""
    have, their = ("has", "its") if zeros == 1 else ("have", "their")
    return (
        f"{zeros} of {n} vectors {have} only zeros, so no direction: {their} cosines count as 0. "
    )
