"""The scales of the code: the likeness of two positions, and the wavelength of each pair."""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal
from posenc.encoding import param
from posenc.number_format import counted, grouped, rounded, run
from posenc.pictures import curves, map_of_pairs, side_by_side
from posenc.views import Axis, Band, ViewData, log_axis, require_few

Values = npt.NDArray[np.float64]

OTHER_WIDTHS = (20, 512, 50)


@sinusoidal.view(
    "similarity",
    title="How alike two positions are",
    kind="panels",
    scale="magnitude",
    along_x=("positions",),
    params={"positions": param(128, ge=2, le=1024, slider=(8, 512, 8), doc="rows and columns")},
)
def similarity(encoding: Sinusoidal, *, positions: int) -> ViewData:
    """Return PE(p) . PE(q) over its largest value as a map, and from position 0 as curves.

    The curves belong to the encoding and to two other widths; the table is the map's.
    """
    require_few(
        "positions", positions, each=encoding.d_model, setting=f"d_model={encoding.d_model}"
    )
    values = _likeness(encoding, positions)
    diagonals = [np.ptp(np.diagonal(values, offset)) for offset in range(positions)]
    far, of_offset = float(values[0, -1]), max(diagonals) < 1e-9
    the_map = map_of_pairs(
        values,
        scale="magnitude",
        limits=(math.floor(float(values.min()) * 10) / 10, 1.0),
        title="Every two positions",
        subtitle="",
        finding="",
        unit="likeness",
    )
    the_map = replace(
        the_map,
        x=replace(the_map.x, label="position q"),
        y=replace(the_map.y, label="position p"),
        row_noun="position",
        column_noun="position",
    )
    return side_by_side(
        (_profiles(encoding, values[0]), the_map),  # the legend stands over the first panel
        table=the_map,
        columns=2,
        title="Every diagonal has one colour: only the offset counts"
        if of_offset
        else "With an odd d_model the diagonals are not quite of one colour",
        subtitle=f"PE(p) · PE(q) over its largest value, d_model {encoding.d_model}, base"
        f" {grouped(encoding.base)}.",
        finding=f"Along a diagonal the likeness changes by at most {rounded(max(diagonals), 1)};"
        f" neighbours have {values[0, 1]:.3f}, positions {positions - 1} apart {far:.3f}.",
    )


def _likeness(encoding: Sinusoidal, positions: int) -> Values:
    codes = encoding.table(positions)
    products: Values = codes @ codes.T
    return np.asarray(np.minimum(products / products.max(), 1.0))


def _profiles(encoding: Sinusoidal, own: Values) -> ViewData:
    """Return the likeness to position 0 of this encoding and of two other widths."""
    others = [width for width in OTHER_WIDTHS if width != encoding.d_model][:2]
    rows = [own]
    for width in others:
        codes = replace(encoding, d_model=width).table(len(own))
        rows.append(codes @ codes[0] / (codes[0] @ codes[0]))
    return curves(
        np.stack(rows),
        np.arange(float(len(own))),
        x_label="offset q − p, from p = 0",
        y_label="likeness",
        series=tuple(f"d_model {width}" for width in (encoding.d_model, *others)),
        column_noun="offset",
        title="The first row, and other widths",
        subtitle="",
        finding="",
    )


@sinusoidal.view(
    "wavelengths",
    title="The wavelength of each pair",
    kind="curves",
    scale="magnitude",
    along_x=("d_model",),
    params={
        "text": param(
            512, ge=2, le=2**40, slider=(16, 45_000, 16), scale="log", doc="tokens of a text"
        )
    },
    in_page="sinusoidal/wavelengths.js",
    in_page_cells=10_000,
)
def wavelengths(encoding: Sinusoidal, *, text: int) -> ViewData:
    """Return positions in one turn of each pair against 2i / d_model, (1, pairs)."""
    lengths = encoding.wavelengths
    pairs = len(lengths)
    longer = int(np.sum(lengths > text))
    y = log_axis("wavelength (positions)", float(lengths.min()), float(max(lengths.max(), text)))
    slow = (
        f"{run('pair', pairs - longer, pairs - 1, 'make')} no full turn"
        if longer
        else "every pair makes a full turn"
    )
    grid = "" if encoding.grid == "paper" else f", grid {encoding.grid}"
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
        subtitle=f"{counted(pairs, 'pair')}, base {grouped(encoding.base)}{grid}.",
        finding=f"In a text of {grouped(text)} tokens, {slow}.",
        series=("wavelength",),
        band=Band(float(text), y.limits[1], f"no full turn in {grouped(text)} tokens"),
        row_noun="curve",
        row_names=("wavelength",),
        column_noun="pair",
        column_names=tuple(str(pair) for pair in range(pairs)),
        summary={
            "pairs_that_do_not_turn_once": longer,
            "shortest": float(lengths[0]),
            "longest": float(lengths[-1]),
        },
    )


def _length(wavelength: float) -> str:
    return (
        rounded(round(float(wavelength)), 9) if wavelength >= 1000 else rounded(float(wavelength))
    )
