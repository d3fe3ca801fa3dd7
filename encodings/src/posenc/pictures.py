"""Pictures that many encodings share: a map of queries and keys, curves against distance."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc.views import Axis, ColourScale, Fact, Limits, ViewData, cell_axis, number_axis

Values = npt.NDArray[np.float64]


def map_of_pairs(
    values: Values,
    *,
    scale: ColourScale,
    limits: Limits,
    title: str,
    subtitle: str,
    finding: str,
    unit: str,
    summary: Mapping[str, Fact] | None = None,
) -> ViewData:
    """Return the heatmap of one value for each query and key, (Lq, Lk), both from position 0."""
    queries, keys = values.shape
    return ViewData(
        kind="heatmap",
        scale=scale,
        values=values,
        x=cell_axis("position of the key", keys, most=10),
        y=cell_axis("position of the query", queries, most=6),
        limits=limits,
        title=title,
        subtitle=subtitle,
        finding=finding,
        unit=unit,
        row_noun="query",
        row_names=tuple(str(row) for row in range(queries)),
        column_noun="key",
        column_names=tuple(str(column) for column in range(keys)),
        summary=summary or {},
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
    **words: Any,
) -> ViewData:
    """Return curves (series, points) over the numbers `at` (points,), with axes around them.

    `words` are the title, subtitle, finding, unit and summary of the ViewData.
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
        series=series,
        row_noun=row_noun,
        row_names=series,
        column_noun=column_noun,
        column_names=tuple(f"{point:g}" for point in at.tolist()),
        **words,
    )


def _exactly(axis: Axis, at: Values) -> Axis:
    """Return the axis cut to the numbers that are drawn."""
    low, high = float(at[0]), float(at[-1])
    pairs = zip(axis.ticks, axis.tick_labels, strict=True)
    kept = [(tick, label) for tick, label in pairs if low <= tick <= high]
    ticks, labels = zip(*kept, strict=True)
    return Axis(axis.label, (low, high), ticks, labels, values=at)
