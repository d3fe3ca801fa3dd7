"""The views of RoPE for pictures."""

import math

import numpy as np
import numpy.typing as npt

from posenc.catalog.rope_2d.encoding import Rope2d, rope_2d
from posenc.encoding import param
from posenc.errors import ParameterError
from posenc.number_format import counted
from posenc.views import MOST_NUMBERS, ViewData, cell_axis


@rope_2d.view(
    "patches",
    title="The score of one patch with every other",
    kind="heatmap",
    scale="magnitude",
    along_x=("side", "column"),
    params={
        "side": param(16, ge=1, le=1024, slider=(2, 64, 1), doc="rows and columns of patches"),
        "row": param(5, ge=0, le=1023, slider=(0, 63, 1), doc="of the patch that asks"),
        "column": param(8, ge=0, le=1023, slider=(0, 63, 1), doc="of the patch that asks"),
    },
)
def patches(encoding: Rope2d, *, side: int, row: int, column: int) -> ViewData:
    """Return the score of equal vectors over that of a patch with itself, (side, side)."""
    largest = math.isqrt(MOST_NUMBERS // encoding.head_dim)
    if side > largest:
        expected = f"must be at most {largest} with {encoding.head_dim // 2} pairs"
        raise ParameterError("side", side, expected)
    row, column = min(row, side - 1), min(column, side - 1)
    rows, columns = np.divmod(np.arange(side * side), side)
    grid = np.stack([np.zeros_like(rows), rows, columns])
    same = np.ones((1, side * side, encoding.head_dim))
    turned = encoding.rotate(same, grid)[0]
    scores = turned @ turned[row * side + column] / encoding.head_dim
    values = np.clip(scores.reshape(side, side), -1.0, 1.0)
    tenth_below = min(math.floor(10 * values.min()) / 10, 0.9)
    return ViewData(
        kind="heatmap",
        scale="magnitude",
        values=values,
        x=cell_axis("column of the patch", side, most=10),
        y=cell_axis("row of the patch", side, most=6),
        limits=(tenth_below, 1.0),
        title="How much another row or another column lowers the score",
        subtitle=f"{side} × {side} patches; {counted(encoding.height_pairs, 'pair')} for height,"
        f" {encoding.width_pairs} for width, {encoding.time_pairs} for time.",
        finding=_falls(values, row, column),
        unit="score, 1 with itself",
        cursor=(row, column),
        row_noun="row",
        row_names=tuple(str(one) for one in range(side)),
        column_noun="column",
        column_names=tuple(str(one) for one in range(side)),
    )


def _falls(values: npt.NDArray[np.float64], row: int, column: int) -> str:
    """Return the lowest score along the column and along the row of the patch."""
    rows, columns = float(values[:, column].min()), float(values[row, :].min())
    more = "rows" if rows < columns else "columns"
    told = "both alike" if rows == columns else f"{more} are told apart better"
    return (
        f"From 1 with itself it falls to {rows:.4f} at another row and to {columns:.4f} at another"
        f" column: {told}. The lowest of all is {values.min():.4f}."
    ).replace("-", "−")
