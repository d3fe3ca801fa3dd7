"""Pictures that many encodings share: a map of queries and keys, curves against distance."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc.views import Axis, Between, ColourScale, Limits, ViewData, cell_axis, number_axis

Values = npt.NDArray[np.float64]


def map_of_pairs(
    values: Values,
    *,
    scale: ColourScale,
    limits: Limits,
    small: bool = False,
    **words: Any,
) -> ViewData:
    """Return the heatmap of one value for each query and key, (Lq, Lk), both from position 0.

    `words` are the title, subtitle, finding, unit and the other fields of ViewData. A `small`
    picture, one of many, has few ticks and no label beside its rows.
    """
    queries, keys = values.shape
    x = cell_axis("position of the key", keys, most=10)
    y = cell_axis("position of the query", queries, most=6)
    if small:
        x = replace(cell_axis("key", keys, most=4), minor_ticks=())
        y = replace(cell_axis("", queries, most=4), minor_ticks=())
    return ViewData(
        kind="heatmap",
        scale=scale,
        values=values,
        x=x,
        y=y,
        limits=limits,
        square=True,
        row_noun="query",
        row_names=tuple(str(row) for row in range(queries)),
        column_noun="key",
        column_names=tuple(str(column) for column in range(keys)),
        **words,
    )


def side_by_side(
    panels: tuple[ViewData, ...], *, table: ViewData, columns: int, **words: Any
) -> ViewData:
    """Return one picture of these panels; its values and their names are those of `table`.

    `words` are the title, subtitle, finding and summary of the whole.
    """
    return replace(
        table,
        kind="panels",
        series=(),
        between=None,
        band=None,
        zones=(),
        edges=(),
        cursor=None,
        panels=panels,
        panel_columns=columns,
        **words,
    )


def category_limits(count: int) -> Limits:
    """Return the ends of a colour scale for the numbers 0 .. count-1."""
    return 0.0, float(max(count - 1, 1))


def curves(
    values: Values,
    at: Values,
    *,
    x_label: str,
    y_label: str,
    series: tuple[str, ...],
    column_noun: str,
    row_noun: str = "curve",
    scale: ColourScale = "magnitude",
    stairs: bool = False,
    **words: Any,
) -> ViewData:
    """Return curves (series, points) over the numbers `at` (points,), with axes around them.

    `stairs` are flat around each whole number and rise between two of them. `words` are the title,
    subtitle, finding, unit and the other fields of ViewData.
    """
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    y = number_axis(y_label, min(low, 0.0), max(high, 0.0))
    return ViewData(
        kind="curves",
        scale=scale,
        values=values,
        x=_exactly(number_axis(x_label, float(at[0]), float(at[-1])), at),
        y=y,
        limits=y.limits,
        between=_stairs(values, at) if stairs else None,
        series=series,
        row_noun=row_noun,
        row_names=series,
        column_noun=column_noun,
        column_names=tuple(f"{point:g}" for point in at.tolist()),
        **words,
    )


def _stairs(values: Values, at: Values) -> Between:
    """Return both ends of each step, half a number before and after its middle."""
    ends = np.clip(np.repeat(at, 2) + np.tile((-0.5, 0.5), len(at)), at[0], at[-1])
    return Between(ends, np.repeat(values, 2, axis=1))


def _exactly(axis: Axis, at: Values) -> Axis:
    """Return the axis cut to the numbers that are drawn."""
    low, high = float(at[0]), float(at[-1])
    pairs = zip(axis.ticks, axis.tick_labels, strict=True)
    kept = [(tick, label) for tick, label in pairs if low <= tick <= high]
    ticks, labels = zip(*kept, strict=True)
    return Axis(axis.label, (low, high), ticks, labels, values=at)
