"""DeBERTa's disentangled attention: content to position and position to content, in log buckets.

Source: He et al. 2021, arXiv:2006.03654, section 3.1, eq. 2 to 4; the logarithmic buckets of
DeBERTa-v2 and v3, He, Gao and Chen 2021, arXiv:2111.09543, are defined in the authors' code.
Shapes: H = heads, Lq queries, Lk keys, D = head_dim, k = span, so 2k rows.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from posenc.arrays import array_namespace, device
from posenc.encoding import INIT_STD, Array, Encoding, Shapes, Weights, param
from posenc.errors import ParameterError
from posenc.geometric import floor_of_geometric
from posenc.pairs import (
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
class Deberta(Encoding):
    """Add q . K_r[d(i, j)] and k . Q_r[row] to the scores and divide all terms by sqrt(3 D).

    K_r and Q_r are projections of one table of relative positions with 2k rows, and d(i, j) is the
    bucket of query - key plus k, clipped into the table. In eq. 4 a key meets row d(j, i); in the
    released code, which trained the models, it meets d(i, j): `p2c_row` selects the row.
    """

    cost: ClassVar[str] = (
        "2k products with each query and 2k with each key in every layer, and two projections of "
        "the table"
    )

    n_heads: int = param(12, ge=1, le=4096, slider=(1, 64, 1), doc="attention heads of the layer")
    head_dim: int = param(
        64, ge=1, le=65_536, slider=(1, 256, 1), doc="numbers in one head's vector"
    )
    d_model: int = param(
        768, ge=1, le=65_536, slider=(1, 1024, 1), doc="numbers in a token's vector"
    )
    span: int = param(
        256,
        ge=4,
        le=1024,
        multiple_of=2,
        slider=(4, 512, 4),
        doc="rows of the table on each side of distance 0",
    )
    max_distance: int = param(
        512,
        ge=4,
        le=2**31,
        slider=(260, 2048, 1),
        doc="distance in tokens from which all share the last bucket",
    )
    log_buckets: bool = param(True, doc="whether far distances share rows, ever more of them")
    terms: Literal["both", "c2p", "p2c"] = param(
        "both", doc="which scores are added: content to position, position to content, or both"
    )
    p2c_row: Literal["code", "paper"] = param(
        "code", doc="which row position to content reads: as in the code, or as in the paper"
    )

    def __post_init__(self) -> None:
        """Check every parameter and that the buckets fit together. Raises ParameterError."""
        super().__post_init__()
        require_affordable("d_model", self.d_model, times=(self.n_heads, self.head_dim))
        if self.log_buckets and self.max_distance < self.span // 2 + 2:
            expected = f"must be at least {self.span // 2 + 2} with span={self.span}"
            raise ParameterError("max_distance", self.max_distance, expected)

    @cached_property
    def last_distances(self) -> npt.NDArray[np.int64]:
        """Return the largest distance of each bucket 0 .. span-1, (span,), exactly."""
        half = self.span // 2
        if not self.log_buckets:
            return np.arange(self.span)
        beyond = (
            floor_of_geometric(half, self.max_distance - 1, step, half - 1)
            for step in range(self.span - half)
        )
        last = np.array([*range(half), *beyond], dtype=np.int64)
        last.flags.writeable = False
        return last

    def buckets(self, difference: Array) -> Array:
        """Return the bucket of each query - key, whole numbers -> int64 from -k to k.

        Each of the first k/2 distances has its own bucket; beyond, buckets grow logarithmically so
        that max_distance - 1 is in bucket k - 1. Bucket k holds all farther distances.
        """
        difference = whole_positions("difference", difference)
        xp = array_namespace(difference)
        distances = xp.reshape(xp.abs(difference), (-1,))
        bounds = xp.asarray(self.last_distances.copy(), device=device(distances))
        sizes = xp.reshape(xp.searchsorted(bounds, distances, side="left"), difference.shape)
        return xp.astype(sizes, xp.int64) * xp.sign(difference)

    def rows(self, difference: Array) -> Array:
        """Return the row of the table for each query - key, int64 in [0, 2k)."""
        shifted = self.buckets(difference) + self.span
        return array_namespace(shifted).clip(shifted, 0, 2 * self.span - 1)

    @property
    def weight_shapes(self) -> Shapes:
        """Return the shapes of the table (2k, d_model) and of a projection for each term."""
        columns = self.n_heads * self.head_dim
        shapes: dict[str, tuple[int, ...]] = {"table": (2 * self.span, self.d_model)}
        for name in self._projections:
            shapes[f"{name}_projection"] = (self.d_model, columns)
            shapes[f"{name}_bias"] = (columns,)
        return shapes

    def draw(self, rng: np.random.Generator) -> Weights:
        """Return a table and projections from N(0, 0.02^2), and biases of zero."""
        return {
            name: np.zeros(shape)
            if name.endswith("_bias")
            else rng.normal(scale=INIT_STD, size=shape)
            for name, shape in self.weight_shapes.items()
        }

    def on_scores(
        self,
        scores: Array,
        q: Array,
        k: Array,
        q_positions: Array,
        k_positions: Array,
        weights: Weights,
    ) -> Array:
        """Return scores (..., H, Lq, Lk), which are q . k / sqrt(D), with the terms added.

        All is divided by sqrt of the number of terms, so that their sum varies as one does.
        """
        require_scores(scores, q_positions, k_positions, n_heads=self.n_heads)
        queries = require_heads("q", q, self.head_dim, scores=scores, axis=-2)
        keys = require_heads("k", k, self.head_dim, scores=scores, axis=-1)
        relative = relate(q_positions, k_positions, whole=True)
        xp = array_namespace(relative.values)
        terms = 0.0
        if "key" in self._projections:
            products = self._products(queries, "key", weights)
            terms = read_rows(products, relative.place(self.rows(-relative.values)))
        if "query" in self._projections:
            products = self._products(keys, "query", weights)
            turned = relative.values if self.p2c_row == "paper" else -relative.values
            rows = xp.matrix_transpose(relative.place(self.rows(turned)))
            terms = terms + xp.matrix_transpose(read_rows(products, rows))
        added = terms / math.sqrt(self.head_dim)
        parts = math.sqrt(1 + len(self._projections))
        return xp.astype(add_to_scores(wide(scores), added) / parts, scores.dtype, copy=False)

    def _products(self, array: Array, name: str, weights: Weights) -> Array:
        """Return q or k times every row of the projected table, (..., H, L, 2k)."""
        xp, shapes = array_namespace(array), self.weight_shapes
        table, projection, bias = (
            xp.astype(
                require_weight(weights, one, shapes[one], beside=array), array.dtype, copy=False
            )
            for one in ("table", f"{name}_projection", f"{name}_bias")
        )
        projected = xp.reshape(
            xp.matmul(table, projection) + bias, (2 * self.span, self.n_heads, self.head_dim)
        )
        return xp.matmul(array, xp.permute_dims(projected, (1, 2, 0)))

    @property
    def _projections(self) -> tuple[str, ...]:
        return {"both": ("key", "query"), "c2p": ("key",), "p2c": ("query",)}[self.terms]


deberta = register(Deberta, slug="deberta", title="DeBERTa's attention", source="arXiv:2006.03654")
