"""The scales of the code: how alike two positions are, and how long a turn of each pair takes."""

import math

import numpy as np

from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal
from posenc.encoding import param
from posenc.views import Axis, Band, ViewData, cell_axis, log_axis
from posenc.wording import counted, grouped, rounded, run


@sinusoidal.view(
    "similarity",
    title="How alike two positions are",
    kind="heatmap",
    scale="magnitude",
    params={"positions": param(128, ge=2, slider=(8, 512, 8), doc="rows and columns")},
)
def similarity(encoding: Sinusoidal, *, positions: int) -> ViewData:
    """Return PE(p) . PE(q) over its largest value, (positions, positions)."""
    codes = encoding.table(positions)
    values = codes @ codes.T
    values = values / values.max()
    least = float(values.min())
    diagonals = [np.ptp(np.diagonal(values, offset)) for offset in range(positions)]
    names = tuple(str(position) for position in range(positions))
    far = float(values[0, -1])
    return ViewData(
        kind="heatmap",
        scale="magnitude",
        values=np.minimum(values, 1.0),
        x=cell_axis("position q", positions, most=10),
        y=cell_axis("position p", positions, most=6),
        limits=(math.floor(least * 10) / 10, 1.0),
        unit="likeness",
        title="Every diagonal has one colour: only the offset counts"
        if max(diagonals) < 1e-9
        else "With an odd d_model the diagonals are not quite of one colour",
        subtitle=f"PE(p) · PE(q) over its largest value, d_model {encoding.d_model}, base"
        f" {grouped(encoding.base)}.",
        finding=f"Along a diagonal the likeness changes by at most {rounded(max(diagonals), 1)};"
        f" neighbours have {values[0, 1]:.3f}, positions {positions - 1} apart {far:.3f}.",
        row_noun="position",
        row_names=names,
        column_noun="position",
        column_names=names,
    )


@sinusoidal.view(
    "wavelengths",
    title="The wavelength of each pair",
    kind="curves",
    scale="magnitude",
    params={"text": param(512, ge=2, slider=(16, 45_000, 16), scale="log", doc="tokens of a text")},
)
def wavelengths(encoding: Sinusoidal, *, text: int) -> ViewData:
    """Return positions in one turn of each pair against 2i / d_model, (1, pairs)."""
    lengths = encoding.wavelengths
    pairs = len(lengths)
    longer = int(np.sum(lengths > text))
    y = log_axis("wavelength (positions)", float(lengths.min()), float(max(lengths.max(), text)))
    slow = run("pair", pairs - longer, pairs - 1, "turn") if longer else "no pair turns"
    relative = 2 * np.arange(pairs) / encoding.d_model
    quarters = (0.0, 0.25, 0.5, 0.75, 1.0)
    return ViewData(
        kind="curves",
        scale="magnitude",
        values=lengths[None, :],
        x=Axis(
            "2i / d_model", (0.0, 1.0), quarters, ("0", "0.25", "0.5", "0.75", "1"), values=relative
        ),
        y=y,
        limits=y.limits,
        unit="positions",
        title=f"Wavelengths grow from {_length(lengths[0])} to {_length(lengths[-1])} positions",
        subtitle=f"{counted(pairs, 'pair')}, base {grouped(encoding.base)}, grid {encoding.grid}.",
        finding=f"In a text of {grouped(text)} tokens {slow} less than once round.",
        series=("wavelength",),
        band=Band(float(text), y.limits[1], f"no full turn in {grouped(text)} tokens"),
        row_noun="curve",
        row_names=("wavelength",),
        column_noun="pair",
        column_names=tuple(str(pair) for pair in range(pairs)),
        summary={"pairs_that_do_not_turn_once": longer},
    )


def _length(wavelength: float) -> str:
    return (
        rounded(round(float(wavelength)), 9) if wavelength >= 1000 else rounded(float(wavelength))
    )
