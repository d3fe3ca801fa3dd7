"""The code in few bits: positions that become equal, and angles that drift.

Source: IEEE 754-2019; bfloat16 is float32 without its lower 16 bits.
"""

from dataclasses import replace
from typing import get_args

import numpy as np
import numpy.typing as npt

from posenc.analysis import cast_error, rounded_to
from posenc.analysis.rounding import FloatName, Stage
from posenc.catalog.sinusoidal.encoding import Sinusoidal, kinds_of, sinusoidal
from posenc.encoding import param
from posenc.number_format import counted, grouped, rounded
from posenc.pictures import side_by_side
from posenc.views import MOST_CELLS, Axis, ViewData, cell_axis, log_axis, require_few

Values = npt.NDArray[np.float64]

FEWER_BITS: tuple[FloatName, ...] = ("float32", "float16", "bfloat16")
POINTS = 80  # of a curve, evenly along a logarithmic axis
SMALLEST = 1e-8  # of the errors shown
ERRORS = Axis(
    "largest error of a code",
    (SMALLEST, 10.0),  # two numbers from -1 to 1 differ by at most 2
    (1e-8, 1e-6, 1e-4, 1e-2, 1.0),
    ("10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "1"),
    scale="log",
)
WORDS: dict[Stage, str] = {
    "angles": "Positions, frequencies and angles are rounded",
    "result": "Only sines and cosines are rounded",
}


@sinusoidal.view(
    "rounded-positions",
    title="Positions in fewer bits",
    kind="panels",
    scale="signed_unit",
    along_x=("d_model",),
    params={
        "dtype": param("bfloat16", choices=FEWER_BITS, doc="what positions are kept in"),
        "start": param(1000, ge=0, le=2**40, slider=(0, 70_000, 1), doc="first position"),
        "positions": param(64, ge=2, le=10**6, slider=(2, 256, 1), doc="rows of the picture"),
    },
)
def rounded_positions(
    encoding: Sinusoidal, *, dtype: FloatName, start: int, positions: int
) -> ViewData:
    """Return the codes of positions, exact and rounded to `dtype`, (positions, d_model) each.

    Only positions are rounded; all that follows is float64. A position beyond the range of `dtype`
    has no code: NaN. The table has the codes of the rounded positions.
    """
    setting = f"d_model={encoding.d_model}"
    require_few("positions", positions, each=encoding.d_model, setting=setting, most=MOST_CELLS)
    at = np.arange(start, start + positions, dtype=np.float64)
    held = rounded_to(at, dtype)
    there = np.isfinite(held)
    codes = np.full((positions, encoding.d_model), np.nan)
    codes[there] = encoding.encode(held[there])
    exact = _rows_of(encoding, encoding.encode(at), start, f"Position {grouped(start)} and on")
    melted = _rows_of(encoding, codes, start, f"The same in {dtype}")
    melted = replace(melted, masked=f"beyond the range of {dtype}: no number")
    left = len(np.unique(held[there]))
    lost = positions - int(there.sum())
    return side_by_side(
        (exact, melted),
        table=melted,
        columns=2,
        scale="signed_unit",
        title=f"{counted(positions, 'position')}, of which {dtype} can tell {left} apart",
        subtitle=f"Positions {grouped(start)} to {grouped(start + positions - 1)},"
        f" d_model {encoding.d_model}, base {grouped(encoding.base)}.",
        finding=_describe_merged(held, at, dtype)
        + (f" {lost} have no code at all." if lost else ""),
        summary={"distinct": left, "beyond_range": lost},
    )


def _rows_of(encoding: Sinusoidal, codes: Values, start: int, title: str) -> ViewData:
    rows = cell_axis("position", len(codes), most=6)
    labels = tuple(grouped(start + int(tick)) for tick in rows.ticks)
    return ViewData(
        kind="heatmap",
        scale="signed_unit",
        values=codes,
        x=cell_axis("dimension j", encoding.d_model, most=6),
        kinds=kinds_of(encoding),
        y=replace(rows, tick_labels=labels, minor_ticks=()),
        limits=(-1.0, 1.0),
        title=title,
        subtitle="",
        finding="",
        row_noun="position",
        row_names=tuple(str(start + row) for row in range(len(codes))),
        column_noun="dimension",
        column_names=tuple(str(dimension) for dimension in range(encoding.d_model)),
    )


def _describe_merged(held: Values, at: Values, dtype: FloatName) -> str:
    """Return the largest group of positions that have become one number, in words."""
    numbers, counts = np.unique(held[np.isfinite(held)], return_counts=True)
    if not counts.size:
        return f"{dtype} ends before these positions:"
    if counts.max() == 1:
        return f"Whatever {dtype} can hold here, it holds as a number of its own."
    most = int(counts.argmax())
    same = at[held == numbers[most]]
    return (
        f"Positions {grouped(same[0])} to {grouped(same[-1])} all become"
        f" {grouped(numbers[most])}: {counted(len(same), 'row')} of one and the same code."
    )


@sinusoidal.view(
    "precision",
    title="The error of a code in fewer bits",
    kind="curves",
    scale="magnitude",
    along_x=("reach",),
    params={
        "stage": param("angles", choices=get_args(Stage), doc="what is rounded"),
        "reach": param(
            100_000, ge=10, le=10**9, slider=(10, 1e6, 10), scale="log", doc="largest position"
        ),
    },
)
def precision(encoding: Sinusoidal, *, stage: Stage, reach: int) -> ViewData:
    """Return the largest error of any sine or cosine at positions 1 .. reach, (3, points).

    NaN where there is no error to see, below 1e-8, and beyond the range of the dtype.
    """
    at = np.unique(np.geomspace(1, reach, POINTS).round())
    errors = np.stack(
        [cast_error(encoding.inv_freq, at, dtype, stage=stage) for dtype in FEWER_BITS]
    )
    last = dict(zip(FEWER_BITS, errors[:, -1].tolist(), strict=True))
    return ViewData(
        kind="curves",
        scale="magnitude",
        values=np.where(errors < SMALLEST, np.nan, errors),
        x=replace(log_axis("position", 1.0, float(reach)), values=at),
        y=ERRORS,
        limits=ERRORS.limits,
        unit="error",
        title="Rounded first, the error grows with the position"
        if stage == "angles"
        else "Rounded last, the error stays where it is",
        subtitle=f"{WORDS[stage]}; d_model {encoding.d_model}, base {grouped(encoding.base)}.",
        finding=f"The largest error at position {grouped(reach)}: "
        + ", ".join(f"{_error(error)} in {dtype}" for dtype, error in last.items())
        + ".",
        series=FEWER_BITS,
        row_noun="dtype",
        row_names=FEWER_BITS,
        column_noun="position",
        column_names=tuple(f"{point:g}" for point in at.tolist()),
        summary={dtype: error for dtype, error in last.items() if np.isfinite(error)},
    )


def _error(error: float) -> str:
    if np.isnan(error):
        return "no number at all"
    return rounded(error, 2 if error >= 1e-4 else 1)
