"""The values behind the rows of a full period: ranges, amplitudes, and one row unrolled."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from posenc.analysis import kept_by_mean
from posenc.catalog.sinusoidal.encoding import Sinusoidal, kinds_of, sinusoidal
from posenc.catalog.sinusoidal.full_period import (
    ROWS,
    hidden_and_clear,
    position_axis,
    require_few_columns,
    zones_of,
)
from posenc.encoding import param
from posenc.number_format import counted, grouped, rounded
from posenc.pictures import side_by_side
from posenc.views import Axis, ViewData, cell_axis, end_axis, require_few

Values = npt.NDArray[np.float64]

MOST_LOOKED_AT = 2**26  # codes whose ranges are found: a second or two
SHARES = Axis("amplitude kept", (0.0, 1.0), (0.0, 0.5, 1.0), ("0", "0.5", "1"))


@lru_cache(maxsize=8)
def row_ranges(encoding: Sinusoidal, positions: int, behind: int) -> Values:
    """Return largest minus smallest code in each row of `behind` positions, (rows, d_model).

    Every position counts, a dimension at a time, so no table of all positions is made.
    """
    starts = np.arange(0, positions, behind)
    last = np.minimum(starts + behind, positions) - 1  # the last row may be shorter
    ranges = np.zeros((len(starts), encoding.d_model))
    for dimension in range(encoding.d_model):
        wave, pair = encoding.column(dimension)
        if wave == "zero":
            continue
        frequency, phase = float(encoding.inv_freq[pair]), np.pi / 2 if wave == "cosine" else 0.0
        if encoding.wavelengths[pair] > 2 * behind:
            at = _ends_and_turning_points(frequency, phase, starts, last)
        else:
            at = np.minimum(starts[:, None] + np.arange(behind), last[:, None])
        ranges[:, dimension] = np.ptp(np.sin(frequency * at + phase), axis=1)
    ranges.flags.writeable = False
    return ranges


def _ends_and_turning_points(
    frequency: float, phase: float, first: npt.NDArray[np.int64], last: npt.NDArray[np.int64]
) -> Values:
    """Return the places of a slow wave's extremes, (rows, 4): in less than half a turn.

    These are the ends, and the whole numbers beside the turning point.
    """
    half_turns = np.ceil((frequency * first + phase) / np.pi - 0.5)
    turning = (np.pi * (half_turns + 0.5) - phase) / frequency
    beside = np.stack([first, last, np.floor(turning), np.ceil(turning)], axis=1)
    return np.asarray(np.clip(beside, first[:, None], last[:, None]))


@sinusoidal.view(
    "behind-a-row",
    title="What a row of 45 000 positions hides",
    kind="panels",
    scale="magnitude",
    along_x=("d_model",),
    params={
        "positions": param(45_000, ge=1, le=10**7, slider=(600, 45_000, 600), doc="all positions"),
        "row": param(0, ge=0, le=ROWS - 1, slider=(0, ROWS - 1, 1), doc="row under the lens"),
    },
)
def behind_a_row(encoding: Sinusoidal, *, positions: int, row: int) -> ViewData:
    """Return the range in each row, the positions of one row, and the amplitude a mean keeps.

    The table has the amplitude of each dimension and its range in the row under the lens. A row
    beyond the last shows the last row.
    """
    _require_few(encoding, positions)
    behind = -(-positions // ROWS)
    ranges = row_ranges(encoding, positions, behind)
    row = min(row, len(ranges) - 1)
    kept = _kept(encoding, behind)
    zones = zones_of(encoding, behind)
    lens = _lens(encoding, row * behind, min(behind, positions - row * behind))
    panels = (_ranges(encoding, ranges, positions, behind), lens, _amplitudes(kept))
    table = replace(
        panels[-1],
        values=np.stack([kept, ranges[row]]),
        row_noun="of a dimension",
        row_names=("amplitude kept", f"range in row {row}"),
    )
    hidden, _ = hidden_and_clear(encoding, behind)
    full = int(np.sum(ranges[row] > 1.9))
    return side_by_side(
        tuple(replace(panel, zones=zones) for panel in panels),
        table=table,
        columns=2,
        scale="magnitude",
        unit="",
        title="What the picture of a full period cannot show, and how we know",
        subtitle=f"{grouped(positions)} positions, {counted(behind, 'position')} behind every row,"
        f" d_model {encoding.d_model}, base {grouped(encoding.base)}.",
        finding=f"Row {row} stands for positions {grouped(row * behind)} to"
        f" {grouped(min((row + 1) * behind, positions) - 1)}: in them {full} of {encoding.d_model}"
        f" dimensions swing by more than 1.9. The mean keeps {rounded(float(kept[0]), 2)} of the"
        f" amplitude of dimension 0 and {rounded(float(kept[-1]), 4)} of the last.",
        summary={"behind": behind, "hidden_pairs": hidden, "kept_first": float(kept[0])},
    )


def _require_few(encoding: Sinusoidal, positions: int) -> None:
    """Raise ParameterError for a picture too large to draw, or to compute within seconds."""
    require_few_columns(encoding, positions)
    setting = f"d_model={encoding.d_model}"
    require_few("positions", positions, each=encoding.d_model, setting=setting, most=MOST_LOOKED_AT)


def _kept(encoding: Sinusoidal, behind: int) -> Values:
    """Return the share of its amplitude that each dimension keeps, (d_model,); 1 for zeros."""
    of_pairs = np.abs(kept_by_mean(encoding.inv_freq, behind))
    columns = (encoding.column(dimension) for dimension in range(encoding.d_model))
    return np.array([1.0 if wave == "zero" else of_pairs[pair] for wave, pair in columns])


def _ranges(encoding: Sinusoidal, ranges: Values, positions: int, behind: int) -> ViewData:
    return ViewData(
        kind="heatmap",
        scale="magnitude",
        values=ranges,
        x=cell_axis("dimension j", encoding.d_model, most=6),
        kinds=kinds_of(encoding),
        y=position_axis(positions, behind, len(ranges)),
        limits=(0.0, 2.0),
        title="Range in each row",
        subtitle="",
        finding="",
        unit="largest − smallest",
        row_noun="row",
        row_names=tuple(map(str, range(len(ranges)))),
        column_noun="dimension",
        column_names=_dimensions(encoding.d_model),
    )


def _amplitudes(kept: Values) -> ViewData:
    last = len(kept) - 1
    x = end_axis("dimension j", last, values=np.arange(last + 1.0))
    return ViewData(
        kind="curves",
        scale="magnitude",
        values=kept[None, :],
        x=replace(x, limits=(-0.5, last + 0.5)),
        y=SHARES,
        limits=(0.0, 1.0),
        title="Amplitude the mean keeps",
        subtitle="",
        finding="",
        series=("amplitude kept",),
        row_noun="curve",
        row_names=("amplitude kept",),
        column_noun="dimension",
        column_names=_dimensions(last + 1),
    )


def _lens(encoding: Sinusoidal, start: int, count: int) -> ViewData:
    rows = cell_axis("position", count, most=6)
    labels = tuple(grouped(start + int(tick)) for tick in rows.ticks)
    return ViewData(
        kind="heatmap",
        scale="signed_unit",
        values=encoding.table(count, start=start),
        x=cell_axis("dimension j", encoding.d_model, most=6),
        kinds=kinds_of(encoding),
        y=replace(rows, tick_labels=labels, minor_ticks=()),
        limits=(-1.0, 1.0),
        title=f"Lens on {counted(count, 'position')}",
        subtitle="",
        finding="",
        row_noun="position",
        row_names=tuple(map(str, range(start, start + count))),
        column_noun="dimension",
        column_names=_dimensions(encoding.d_model),
    )


def _dimensions(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(count)))
