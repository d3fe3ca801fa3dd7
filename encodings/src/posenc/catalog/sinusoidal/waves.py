"""Single dimensions of the code as curves: the effect of d_model, and the slowest dimensions."""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal
from posenc.encoding import param
from posenc.number_format import grouped
from posenc.views import Axis, Between, ViewData, end_axis

Values = npt.NDArray[np.float64]

VALUE = Axis("value", (-1.0, 1.0), (-1.0, 0.0, 1.0), ("−1", "0", "1"))
COMPARED = (4, 5, 12, 13)  # sine and cosine of a fast pair and of a slower one
# Of d_model: sines that take thousands of positions for a turn. Faster ones would make the plot of
# 45 000 positions a thicket: these turn 9 times in it at most.
SLOW = (0.72, 0.8, 0.88, 0.96)
SHORT = 100  # positions of a short text
GENTLE = 0.5  # a sine that moves by less in a short text is a gentle slope there
MOST_POINTS = 2400  # of one curve; a picture has fewer px


@sinusoidal.view(
    "widths",
    title="The same dimension in three widths",
    kind="panels",
    scale="signed_unit",
    along_x=("positions",),
    params={
        "positions": param(
            60, ge=1, le=10**7, slider=(10, 200, 10), doc="positions along the axis"
        ),
        "narrow": param(20, ge=2, le=65_536, slider=(14, 64, 2), doc="d_model of the first panel"),
        "middle": param(50, ge=2, le=65_536, slider=(14, 256, 2), doc="d_model of the second"),
    },
    in_page="sinusoidal/widths.js",
    in_page_cells=100_000,
)
def widths(encoding: Sinusoidal, *, positions: int, narrow: int, middle: int) -> ViewData:
    """Return four dimensions for three d_model, the last the encoding's own, (12, positions).

    Equal widths have one panel and one set of rows.
    """
    each = dict.fromkeys((narrow, middle, encoding.d_model))
    encodings = [replace(encoding, d_model=width) for width in each]
    shown = [j for j in COMPARED if all(_turns(one, j) for one in encodings)] or [0, 1]
    panels = tuple(_panel(one, shown, positions) for one in encodings)
    first, last = (
        one.wavelengths[one.column(shown[-1])[1]] for one in (encodings[0], encodings[-1])
    )
    names = [f"d_model {one.d_model}, dimension {j}" for one in encodings for j in shown]
    return _several(
        panels,
        title="The same dimension turns faster when d_model is larger"
        if last < first
        else "What d_model does to the same dimensions",
        subtitle=f"{grouped(positions)} positions, base {grouped(encoding.base)}.",
        finding=(
            f"One turn of dimension {shown[-1]} takes {_turn(float(first))} positions with d_model"
            f" {narrow} and {_turn(float(last))} with d_model {encoding.d_model}."
        ),
        names=tuple(names),
    )


@sinusoidal.view(
    "large-indexes",
    title="Slow dimensions, near and far",
    kind="panels",
    scale="signed_unit",
    along_x=("positions",),
    params={
        "positions": param(
            45_000, ge=2, le=10**7, slider=(1000, 45_000, 1000), doc="the longer text"
        ),
    },
    in_page="sinusoidal/large-indexes.js",
    in_page_cells=100_000,
)
def large_indexes(encoding: Sinusoidal, *, positions: int) -> ViewData:
    """Return four slow sines over 100 positions and over many; the table has the first 100."""
    last = len(encoding.inv_freq) - 1
    pairs = sorted({min(round(share * encoding.d_model / 2), last) for share in SLOW})
    shown = [2 * pair if encoding.layout == "interleaved" else pair for pair in pairs]
    near, far = _panel(encoding, shown, SHORT), _panel(encoding, shown, positions)
    wavelengths = [float(encoding.wavelengths[encoding.column(j)[1]]) for j in shown]
    ends = sorted({0, len(shown) - 1})  # the fastest and the slowest; one in a narrow code
    moved = np.abs(near.values - near.values[:, :1]).max(axis=1)
    return _several(
        (
            replace(near, title=f"the first {SHORT} positions"),
            replace(far, title=f"{grouped(positions)} positions"),
        ),
        title="Slow dimensions are gentle slopes in a short text"
        if moved.max() < GENTLE
        else "Slow dimensions in a short text and in many positions",
        subtitle=f"d_model {encoding.d_model}, base {grouped(encoding.base)}.",
        finding=(
            f"In {SHORT} positions "
            + " and ".join(f"dimension {shown[i]} moves by {moved[i]:.3f}" for i in ends)
            + f"; one turn takes {' and '.join(_turn(wavelengths[i]) for i in ends)} positions."
        ),
        names=tuple(f"dimension {j}" for j in shown),
        values=near.values,
        beside=2,
    )


def _turns(encoding: Sinusoidal, dimension: int) -> bool:
    return dimension < encoding.d_model and encoding.column(dimension)[0] != "zero"


def _panel(encoding: Sinusoidal, shown: list[int], positions: int) -> ViewData:
    """Return the curves of a few dimensions, marked at every position, (shown, positions)."""
    steps = positions - 1 if positions <= MOST_POINTS else MOST_POINTS
    finer = max(1, min(8, MOST_POINTS // max(steps, 1)))
    fine = np.linspace(0, positions - 1, finer * steps + 1)
    slowness = [float(encoding.wavelengths[encoding.column(j)[1]]) for j in shown[0::2]]
    turns = ", ".join(_turn(one) for one in slowness)
    thinned = np.arange(float(positions)) if positions <= MOST_POINTS else fine
    names = tuple(f"j = {j} ({encoding.column(j)[0]})" for j in shown)
    swings = tuple(_swings(encoding, j, thinned) for j in shown)
    whole = positions <= MOST_POINTS
    return ViewData(
        kind="curves",
        scale="signed_unit",
        values=_waves(encoding, shown, thinned),
        x=end_axis("position", positions - 1, values=thinned),
        y=VALUE,
        limits=(-1.0, 1.0),
        title=f"d_model {encoding.d_model}: waves {turns}",
        subtitle="",
        finding="",
        series=names,
        row_noun="dimension",
        row_names=tuple(
            f"{j} (drawn from end to end)" if fast else str(j)
            for j, fast in zip(shown, swings, strict=True)
        ),
        column_noun="position",
        column_names=tuple(f"{at:.{0 if whole else 1}f}" for at in thinned.tolist()),
        between=Between(fine, _waves(encoding, shown, fine)),
    )


def _waves(encoding: Sinusoidal, shown: list[int], positions: Values) -> Values:
    """Return dimensions at positions, (shown, positions).

    A wave with fewer than four points to a turn is drawn from end to end of its range instead: the
    points alone would make a slow wave that is not there.
    """
    values = np.empty((len(shown), len(positions)))
    for row, j in enumerate(shown):
        wave, pair = encoding.column(j)
        angles = positions * encoding.inv_freq[pair] if wave != "zero" else positions * 0
        values[row] = np.cos(angles) if wave == "cosine" else np.sin(angles)
        if _swings(encoding, j, positions):
            values[row] = np.where(np.arange(len(positions)) % 2, 1.0, -1.0)
    return values


def _swings(encoding: Sinusoidal, dimension: int, positions: Values) -> bool:
    """Return whether positions are too far apart for the wave of a dimension to be seen in them."""
    wave, pair = encoding.column(dimension)
    step = positions[1] - positions[0] if len(positions) > 1 else 0.0
    return wave != "zero" and bool(step > max(encoding.wavelengths[pair] / 4, 1))


def _several(
    panels: tuple[ViewData, ...],
    *,
    title: str,
    subtitle: str,
    finding: str,
    names: tuple[str, ...],
    values: Values | None = None,
    beside: int = 1,
) -> ViewData:
    """Return panels as one picture; the table has a row for each name and a column a position."""
    table = np.concatenate([panel.values for panel in panels]) if values is None else values
    return ViewData(
        kind="panels",
        scale="signed_unit",
        values=table,
        x=panels[0].x,
        y=panels[0].y,
        limits=(-1.0, 1.0),
        title=title,
        subtitle=subtitle,
        finding=finding,
        series=panels[0].series,
        row_noun="dimension",
        row_names=names,
        column_noun="position",
        column_names=tuple(str(column) for column in range(table.shape[1])),
        panels=panels,
        panel_columns=beside,
    )


def _turn(wavelength: float) -> str:
    """Return 13.1 or 43 469."""
    return grouped(math.floor(wavelength + 0.5)) if wavelength >= 1000 else f"{wavelength:.1f}"
