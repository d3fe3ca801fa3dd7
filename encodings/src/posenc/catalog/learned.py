"""Learned position embedding: a table with one trained row for each position, and none beyond it.

Source: Gehring et al. 2017, Convolutional Sequence to Sequence Learning, arXiv:1705.03122, section
3.1; Vaswani et al. 2017, arXiv:1706.03762, section 3.5 and table 3, row E, against sines.
Shapes: L = positions, N = max_len, D = d_model.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from posenc.arrays import array_namespace, size
from posenc.encoding import Array, Encoding, Shapes, Weights, param
from posenc.ends import lowest_and_highest
from posenc.errors import BeyondTableError, ParameterError
from posenc.number_format import counted
from posenc.pairs import whole_positions
from posenc.positions import require_floating, require_one_for_each_row, require_same_batch
from posenc.registry import register
from posenc.views import ViewData, cell_axis, require_few
from posenc.weights import require_affordable, require_weight, wide


@dataclass(frozen=True)
class Learned(Encoding):
    """Add row p of a trained table to the embedding at position p.

    Position max_len has no row: there is no value to fall back on, so the position is refused. BART
    and OPT keep two more rows in front and read row p + 2; their table here is `weight[2:]`.
    """

    extrapolates: ClassVar[bool] = False
    relative: ClassVar[bool] = False
    cost: ClassVar[str] = "one addition for each number of the embeddings, once for the whole model"

    max_len: int = param(
        512,
        ge=1,
        le=2**24,
        slider=(1, 4096, 1),
        doc="rows of the table: the longest text in tokens",
    )
    d_model: int = param(
        64, ge=1, le=65_536, slider=(1, 1024, 1), doc="numbers in a token's vector"
    )

    def __post_init__(self) -> None:
        """Check every parameter and the size of the table. Raises ParameterError."""
        super().__post_init__()
        require_affordable("max_len", self.max_len, times=(self.d_model,))

    @property
    def weight_shapes(self) -> Shapes:
        """Return the shape of the table, (N, D); it is drawn from N(0, 0.02^2) as GPT-2 does."""
        return {"table": (self.max_len, self.d_model)}

    def on_embeddings(self, x: Array, positions: Array, weights: Weights) -> Array:
        """Return x (..., L, D) plus the row of each position, in the dtype of x.

        Raises ParameterError; for a position that has no row it is an IndexError as well.
        """
        if require_floating("x", x).ndim == 0 or x.shape[-1] != self.d_model:
            raise ParameterError("x", x, f"must be (..., L, {self.d_model}), as d_model says")
        require_one_for_each_row("positions", positions, "x", x)
        require_same_batch("positions", positions, "x", x)
        rows = self._rows(positions)
        table = require_weight(weights, "table", self.weight_shapes["table"], beside=x)
        xp = array_namespace(x)
        read = xp.take(table, xp.reshape(rows, (-1,)), axis=0)
        read = xp.reshape(read, (*rows.shape, self.d_model))
        return xp.astype(wide(x) + read, x.dtype, copy=False)

    def _rows(self, positions: Array) -> Array:
        rows = whole_positions("positions", positions)
        if size(rows):
            for end in map(int, lowest_and_highest(rows) or ()):
                if not 0 <= end < self.max_len:
                    expected = f"must be between 0 and {self.max_len - 1}: the table ends there"
                    raise BeyondTableError("positions", end, expected)
        return rows


learned = register(
    Learned, slug="learned", title="Learned position embedding", source="arXiv:1705.03122"
)


@learned.view(
    "similarity",
    title="How alike the rows of the table are",
    kind="heatmap",
    scale="signed_unit",
    along_x=("max_len", "rows"),
    params={
        "rows": param(32, ge=1, le=1024, slider=(2, 256, 1), doc="first rows of the table"),
        "seed": param(
            0, ge=0, le=2**32, slider=(0, 99, 1), doc="of the random table before training"
        ),
    },
)
def similarity(encoding: Learned, *, rows: int, seed: int) -> ViewData:
    """Return the cosine of every two of the first rows of a fresh table, (rows, rows)."""
    count = min(rows, encoding.max_len)
    require_few("rows", count, each=encoding.d_model, setting=f"d_model={encoding.d_model}")
    drawn = Learned(max_len=count, d_model=encoding.d_model)
    table = drawn.init_weights(np.random.default_rng(seed))["table"]
    unit = table / np.linalg.norm(table, axis=-1, keepdims=True)
    values = np.clip(unit @ unit.T, -1.0, 1.0)
    return ViewData(
        kind="heatmap",
        scale="signed_unit",
        values=values,
        x=cell_axis("position", count, most=10),
        y=cell_axis("position", count, most=6),
        limits=(-1.0, 1.0),
        title="Before training, a position is like no other, not even the next one",
        subtitle=f"Cosine of {counted(count, 'row')} of {encoding.d_model} random numbers.",
        finding=_neighbours(encoding, values),
        unit="cosine",
        row_noun="position",
        row_names=tuple(str(row) for row in range(count)),
        column_noun="position",
        column_names=tuple(str(column) for column in range(count)),
    )


def _neighbours(encoding: Learned, values: Any) -> str:
    """Return the likeness of neighbours against any two rows, and the end of the table."""
    ends = f"the table has no row for position {encoding.max_len}."
    if len(values) < 2:
        return f"There is 1 row; {ends}"
    near = float(np.abs(np.diag(values, 1)).mean())
    others = float(np.abs(values[np.triu_indices(len(values), 1)]).mean())
    return (
        f"Neighbours have a cosine of {near:.2f} in size on average, any two rows {others:.2f};"
        f" {ends}"
    )
