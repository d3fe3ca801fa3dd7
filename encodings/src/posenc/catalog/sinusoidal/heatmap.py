"""The heatmap of the sinusoidal encoding: the code of each position."""

import numpy as np
import numpy.typing as npt

from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal
from posenc.encoding import param
from posenc.views import MOST_CELLS, Axis, ViewData, Zone, cell_axis, require_few, tick_step
from posenc.wording import counted, grouped, run

NAMES: dict[str, str] = {"sine": "sines", "cosine": "cosines", "zero": "always zero"}
HARDLY = 0.1  # of the full range of 2: a column that changes less looks like one colour


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
