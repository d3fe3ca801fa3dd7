"""Shaw's relative position representations: a learned vector for each clipped relative position.

Source: Shaw, Uszkoreit and Vaswani 2018, arXiv:1803.02155, section 3.1, eq. 3 and 4; section 3.2.
Shapes: H = heads, Lq queries, Lk keys, D = head_dim, R = 2 clip_distance + 1 rows.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from posenc.arrays import array_namespace, device, size
from posenc.encoding import Array, Encoding, Shapes, Weights, param
from posenc.errors import named
from posenc.pairs import (
    Relative,
    add_to_scores,
    read_rows,
    relate,
    require_heads,
    require_scores,
    whole_positions,
)
from posenc.registry import register
from posenc.weights import require_affordable, require_weight, wide


@dataclass(frozen=True)
class Shaw(Encoding):
    """Add a vector read by clip(key - query) to each key, and another vector to each value.

    The tables are shared by all heads. Scores gain q . a / sqrt(D), as attention scales by default;
    the mixed values gain the weighted sum of value vectors. Beyond the clip distance every key has
    the vector of the last row: defined, but far keys are told apart no more.
    """

    cost: ClassVar[str] = (
        "2k + 1 products with each query in every layer, and 2k + 1 sums of its attention weights "
        "for the values: never a vector for each pair"
    )

    head_dim: int = param(
        64, ge=1, le=65_536, slider=(1, 256, 1), doc="numbers in one head's vector"
    )
    clip_distance: int = param(
        16,
        ge=0,
        le=65_536,
        slider=(0, 64, 1),
        doc="distance in tokens beyond which keys are treated alike",
    )
    on_the_values: bool = param(True, doc="whether relative vectors are added to the values too")

    def __post_init__(self) -> None:
        """Check every parameter and the size of the tables. Raises ParameterError."""
        super().__post_init__()
        require_affordable("head_dim", self.head_dim, times=(self.rows,))

    @property
    def rows(self) -> int:
        """Return R, the number of different relative positions."""
        return 2 * self.clip_distance + 1

    def row(self, relative: Array) -> Array:
        """Return the row of each key - query, (...) whole numbers -> (...) int64 in [0, R)."""
        relative = whole_positions("relative", relative)
        return self._clipped(relative)

    @property
    def weight_shapes(self) -> Shapes:
        """Return the shapes of the tables of keys and values, (R, D) each."""
        names = ("keys", "values") if self.on_the_values else ("keys",)
        return dict.fromkeys(names, (self.rows, self.head_dim))

    def on_scores(
        self,
        scores: Array,
        q: Array,
        k: Array,
        q_positions: Array,
        k_positions: Array,
        weights: Weights,
    ) -> Array:
        """Return scores (..., H, Lq, Lk) plus q . a / sqrt(D), a being the row of each pair."""
        del k
        require_scores(scores, q_positions, k_positions)
        queries = require_heads("q", q, self.head_dim, scores=scores, axis=-2)
        table = require_weight(weights, "keys", self.weight_shapes["keys"], beside=queries)
        xp = array_namespace(queries)
        table = xp.astype(table, queries.dtype, copy=False)
        products = xp.matmul(queries, xp.matrix_transpose(table)) / math.sqrt(self.head_dim)
        relative = relate(q_positions, k_positions, whole=True)
        rows = relative.place(self._clipped(relative.values))
        return add_to_scores(scores, read_rows(products, rows))

    def on_values(
        self,
        mixed: Array,
        attention: Array,
        q_positions: Array,
        k_positions: Array,
        weights: Weights,
    ) -> Array:
        """Return mixed (..., H, Lq, D) plus the sum of each pair's weight times its value row."""
        if not self.on_the_values:
            return mixed
        with named(scores="attention"):
            require_scores(attention, q_positions, k_positions)
            sums = require_heads("mixed", mixed, self.head_dim, scores=attention, axis=-2)
        xp = array_namespace(sums)
        table = require_weight(weights, "values", self.weight_shapes["values"], beside=sums)
        relative = relate(q_positions, k_positions, whole=True)
        if not size(attention):
            return mixed
        shares = self._shares(wide(attention), relative)
        added = xp.matmul(xp.astype(shares, sums.dtype, copy=False), table)
        return xp.astype(sums + added, mixed.dtype, copy=False)

    def _shares(self, attention: Array, relative: Relative) -> Array:
        """Return the weight of each row for each query, (..., Lq, Lk) -> (..., Lq, R).

        For consecutive tokens one key meets each row but the end rows: its weight is read, not
        summed. Otherwise each row takes a pass over the weights, which still needs no (Lq, Lk, D)
        array.
        """
        xp, last = array_namespace(attention), self.rows - 1
        rows = relative.place(self._clipped(relative.values))
        zero = xp.zeros_like(attention[..., :1])

        def total(row: int) -> Array:
            return xp.sum(xp.where(rows == row, attention, zero), axis=-1, keepdims=True)

        if relative.places is not None or not last:
            return xp.concat([total(row) for row in range(self.rows)], axis=-1)
        queries, keys = attention.shape[-2:]
        start = relative.values[0] + queries - 1  # first key - first query
        columns = xp.arange(queries, device=device(rows))[:, None] - start
        columns = columns + xp.arange(1, last, device=device(rows)) - self.clip_distance
        there = (columns >= 0) & (columns < keys)
        met = xp.where(there, read_rows(attention, xp.clip(columns, 0, keys - 1)), zero)
        return xp.concat([total(0), met, total(last)], axis=-1)

    def _clipped(self, relative: Array) -> Array:
        far = self.clip_distance
        return array_namespace(relative).clip(relative, -far, far) + far


shaw = register(Shaw, slug="shaw", title="Shaw's relative vectors", source="arXiv:1803.02155")
