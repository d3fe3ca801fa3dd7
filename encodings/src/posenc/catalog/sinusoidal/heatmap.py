"""The heatmap of the sinusoidal encoding: the code of each position."""

import numpy as np
import numpy.typing as npt

from posenc.catalog.sinusoidal.encoding import Sinusoidal, kinds_of, sinusoidal
from posenc.column_kinds import group_columns
from posenc.encoding import param
from posenc.number_format import counted, grouped, run
from posenc.views import MOST_CELLS, Axis, ViewData, cell_axis, require_few

HARDLY = 0.1  # of the full range of 2: a column that changes less looks like one colour


@sinusoidal.view(
    "heatmap",
    title="The code of each position",
    kind="heatmap",
    scale="signed_unit",
    along_x=("d_model", "dimension"),
    params={
        "positions": param(20, ge=1, le=10**6, slider=(2, 512, 1), doc="rows of the picture"),
        "position": param(3, ge=0, le=10**6, slider=(0, 511, 1), doc="row of the outlined cell"),
        "dimension": param(
            4, ge=0, le=65_535, slider=(0, 1023, 1), doc="column of the outlined cell"
        ),
        "group": param(
            "none", choices=("none", "sine-cosine"), doc="all sines before all cosines, or not"
        ),
    },
    in_page="sinusoidal/heatmap.js",
    in_page_cells=300_000,
    tokens_on="rows",
)
def heatmap(
    encoding: Sinusoidal, *, positions: int, position: int, dimension: int, group: str
) -> ViewData:
    """Return the first `positions` codes, (positions, d_model), and the cursor's cell.

    Grouped, all sines stand before all cosines whatever the layout, as they do in a picture whose
    columns would be too narrow to take turns.
    """
    setting = f"d_model={encoding.d_model}"
    require_few("positions", positions, each=encoding.d_model, setting=setting, most=MOST_CELLS)
    values = encoding.table(positions)
    inside = position < positions and dimension < encoding.d_model
    base = grouped(encoding.base)
    turning, still = _turning_and_still(encoding, values)
    data = ViewData(
        kind="heatmap",
        scale="signed_unit",
        values=values,
        x=_axis(encoding),
        y=cell_axis("position", positions, most=6),
        limits=(-1.0, 1.0),
        title="Each row is the code of one position",
        subtitle=f"{counted(positions, 'position')} × {encoding.d_model} dimensions, base {base}.",
        finding=_describe_movement(encoding, positions, turning, still),
        cursor=(position, dimension) if inside else None,
        row_noun="position",
        row_names=tuple(str(row) for row in range(positions)),
        column_noun="dimension",
        column_names=tuple(map(str, range(encoding.d_model))),
        kinds=kinds_of(encoding),
        summary={
            "pairs_that_turn": turning,
            "pairs_that_hardly_move": len(encoding.inv_freq) - still,
        },
    )
    return data if group == "none" else group_columns(data)


def _axis(encoding: Sinusoidal) -> Axis:
    words = {"interleaved": "even = sine, odd = cosine", "concatenated": "sines, then cosines"}
    label = f"dimension j ({words[encoding.layout]})"
    return cell_axis(label, encoding.d_model, most=10)


def _turning_and_still(encoding: Sinusoidal, values: npt.NDArray[np.float64]) -> tuple[int, int]:
    """Return the number of pairs with a turn in these rows, and the first that hardly moves."""
    turning = int(np.sum(encoding.wavelengths <= len(values)))  # wavelengths grow with i
    moves = np.zeros(len(encoding.inv_freq))
    for dimension, span in enumerate(np.ptp(values, axis=0)):
        wave, pair = encoding.column(dimension)
        if wave != "zero":
            moves[pair] = max(moves[pair], span)
    much = np.flatnonzero(moves >= HARDLY)
    return turning, int(much[-1]) + 1 if much.size else 0


def _describe_movement(encoding: Sinusoidal, rows: int, turning: int, still: int) -> str:
    """Return in words which pairs turn at least once in these rows, and which hardly change."""
    last = len(encoding.inv_freq) - 1
    first = (
        f"{run('pair', 0, turning - 1, 'turn')} at least once" if turning else "no pair turns once"
    )
    begin = f"In {counted(rows, 'row')} {first}"
    if still > last:
        return f"{begin}; every pair changes by {HARDLY:g} or more."
    return f"{begin}; {run('pair', still, last, 'change')} by less than {HARDLY:g}."
