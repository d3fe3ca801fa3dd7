"""What can be drawn of the sinusoidal encoding."""

import numpy as np
import numpy.typing as npt

from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal
from posenc.encoding import param
from posenc.views import (
    MOST_CELLS,
    Axis,
    Between,
    ViewData,
    Zone,
    cell_axis,
    end_axis,
    number_axis,
    require_few,
    tick_step,
)
from posenc.wording import counted, grouped, rounded, run

NAMES: dict[str, str] = {"sine": "sines", "cosine": "cosines", "zero": "always zero"}
HARDLY = 0.1  # of the full range of 2: a column that changes less looks like one colour
DENSE = 300  # offsets, beyond which straight lines from one to the next are finer than a pixel


@sinusoidal.view(
    "heatmap",
    title="The code of each position",
    kind="heatmap",
    scale="signed_unit",
    params={
        "positions": param(20, ge=1, le=10**6, slider=(2, 512, 1), doc="rows of the picture"),
        "position": param(3, ge=0, le=10**6, slider=(0, 511, 1), doc="row of the outlined cell"),
        "dimension": param(
            4, ge=0, le=65_535, slider=(0, 1023, 1), doc="column of the outlined cell"
        ),
        "group": param("none", choices=("none", "sine-cosine"), doc="which columns come first"),
    },
)
def heatmap(
    encoding: Sinusoidal, *, positions: int, position: int, dimension: int, group: str
) -> ViewData:
    """Return the first `positions` codes, (positions, d_model), and the cursor's cell.

    Grouped, all sines stand before all cosines whatever the layout: a large picture is then free
    of stripes.
    """
    given = f"d_model={encoding.d_model}"
    require_few("positions", positions, each=encoding.d_model, given=given, most=MOST_CELLS)
    values = encoding.table(positions)
    inside = position < positions and dimension < encoding.d_model
    base = grouped(encoding.base)
    x, zones, columns = _columns(encoding, group)
    turning, still = _turning_and_still(encoding, values)
    return ViewData(
        kind="heatmap",
        scale="signed_unit",
        values=values[:, columns],
        x=x,
        y=cell_axis("position", positions, most=6),
        limits=(-1.0, 1.0),
        title="Each row is the code of one position",
        subtitle=f"{counted(positions, 'position')} × {encoding.d_model} dimensions, base {base}.",
        finding=_who_moves(encoding, positions, turning, still),
        zones=zones,
        cursor=(position, columns.index(dimension)) if inside else None,
        row_noun="position",
        row_names=tuple(str(row) for row in range(positions)),
        column_noun="dimension",
        column_names=tuple(map(str, columns)),
        summary={
            "pairs_that_turn": turning,
            "pairs_that_hardly_move": len(encoding.inv_freq) - still,
        },
    )


def _columns(encoding: Sinusoidal, group: str) -> tuple[Axis, tuple[Zone, ...], list[int]]:
    """Return the axis of the columns, its zones, and which dimension each column shows."""
    order = list(range(encoding.d_model))
    if group == "none":
        words = {"interleaved": "even = sine, odd = cosine", "concatenated": "sines, then cosines"}
        label = f"dimension j ({words[encoding.layout]})"
        return cell_axis(label, encoding.d_model, most=10), (), order
    waves = {wave: [j for j in order if encoding.column(j)[0] == wave] for wave in NAMES}
    zones, ticks, first = [], [], 0
    for wave, name in NAMES.items():
        found = waves[wave]
        if found:
            last = first + len(found) - 1
            which = f"dimensions {', '.join(map(str, found[:2]))} … {found[-1]}"
            zones.append(Zone(first - 0.5, last + 0.5, f"{name}: {which}"))
            step = tick_step(len(found), 5)
            ticks += [(first + pair, pair) for pair in range(0, len(found), step)]
            first = last + 1
    axis = Axis(
        "pair i of the sines, then of the cosines",
        (-0.5, encoding.d_model - 0.5),
        tuple(float(place) for place, _ in ticks),
        tuple(str(pair) for _, pair in ticks),
    )
    return axis, tuple(zones), [j for found in waves.values() for j in found]


def _turning_and_still(encoding: Sinusoidal, values: npt.NDArray[np.float64]) -> tuple[int, int]:
    """Return how many pairs turn at least once in these rows, and the first that hardly moves."""
    turning = int(np.sum(encoding.wavelengths <= len(values)))  # wavelengths grow with i
    moves = np.zeros(len(encoding.inv_freq))
    for dimension, span in enumerate(np.ptp(values, axis=0)):
        wave, pair = encoding.column(dimension)
        if wave != "zero":
            moves[pair] = max(moves[pair], span)
    much = np.flatnonzero(moves >= HARDLY)
    return turning, int(much[-1]) + 1 if much.size else 0


def _who_moves(encoding: Sinusoidal, rows: int, turning: int, still: int) -> str:
    """Return which pairs turn at least once in these rows, and which hardly change at all."""
    last = len(encoding.inv_freq) - 1
    first = (
        f"{run('pair', 0, turning - 1, 'turn')} at least once" if turning else "no pair turns once"
    )
    begin = f"In {counted(rows, 'row')} {first}"
    if still > last:
        return f"{begin}; every pair changes by {HARDLY:g} or more."
    return f"{begin}; {run('pair', still, last, 'change')} by less than {HARDLY:g}."


@sinusoidal.view(
    "dot-products",
    title="Dot products against the offset",
    kind="curves",
    scale="signed_unit",
    params={
        "offsets": param(200, ge=1, le=100_000, slider=(20, 1000, 10), doc="largest offset"),
        "position": param(
            0, ge=0, le=2**40, slider=(0, 5000, 1), doc="position the offsets start from"
        ),
    },
)
def dot_products(encoding: Sinusoidal, *, offsets: int, position: int) -> ViewData:
    """Return PE(p) . PE(p + k) for the offsets k = 0 .. offsets, (1, offsets + 1)."""
    require_few("offsets", offsets, each=encoding.d_model, given=f"d_model={encoding.d_model}")
    products = _products(encoding, position, offsets)
    between = _between(encoding, offsets)
    low = min(0.0, float(products.min()), float(between.values.min()) if between else 0.0)
    high = float(products[0])
    base = grouped(encoding.base)
    return ViewData(
        kind="curves",
        scale="signed_unit",
        values=products[None, :],
        x=end_axis("offset k", offsets, values=np.arange(offsets + 1.0)),
        y=number_axis("PE(p) · PE(p + k)", low, high),
        limits=(low, high),
        title="The dot product of two codes depends on their offset alone"
        if encoding.d_model % 2 == 0
        else "One sine without its cosine: the dot product depends on the position too",
        subtitle=f"From position {grouped(position)}, d_model {encoding.d_model}, base {base}.",
        finding=_falls_and_rises(encoding, position, products),
        series=(f"p = {grouped(position)}",),
        between=between,
        row_noun="product",
        row_names=(f"p = {position}",),
        column_noun="offset",
        column_names=tuple(str(offset) for offset in range(offsets + 1)),
        summary={"rises_at": _first_rise(products), "highest": float(products[0])},
    )


def _products(encoding: Sinusoidal, position: int, offsets: int) -> npt.NDArray[np.float64]:
    """Return PE(p) . PE(p + k) for k = 0 .. offsets, from the codes themselves."""
    codes = encoding.table(offsets + 1, start=position)
    products: npt.NDArray[np.float64] = codes @ codes[0]
    return products


def _between(encoding: Sinusoidal, offsets: int) -> Between | None:
    """Return the curve between whole offsets: the sum of cos(k * inv_freq) over the pairs."""
    if offsets > DENSE or encoding.d_model % 2:  # with an odd d_model it depends on the position
        return None
    fine = np.linspace(0, offsets, 4 * offsets + 1)
    return Between(fine, np.cos(fine[:, None] * encoding.inv_freq).sum(axis=1)[None, :])


def _first_rise(products: npt.NDArray[np.float64]) -> int:
    """Return the first offset whose product is larger than that of the one before; -1 for none."""
    rises = np.flatnonzero(np.diff(products) > 0)
    return int(rises[0]) + 1 if rises.size else -1


def _falls_and_rises(encoding: Sinusoidal, position: int, products: npt.NDArray[np.float64]) -> str:
    """Return where the curve starts and first rises, and how little it depends on the position."""
    other = 0 if position >= 1000 else position + 1000
    elsewhere = _products(encoding, other, len(products) - 1)
    apart = rounded(float(np.abs(products - elsewhere).max()), 1)
    rise = _first_rise(products)
    start = f"It starts at {rounded(float(products[0]))}"
    course = f"{start} and first rises at offset {rise}" if rise > 0 else f"{start} and never rises"
    return f"{course}; from position {grouped(other)} it differs by no more than {apart}."
