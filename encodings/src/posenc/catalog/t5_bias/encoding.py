"""T5's relative bias: one learned number for each head and each range of distances.

Source: Raffel et al. 2020, arXiv:1910.10683, section 2.1; the buckets as in the authors' code,
google-research/text-to-text-transfer-transformer and Mesh TensorFlow.
Shapes: H = heads, Lq queries, Lk keys, R = num_buckets.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from posenc.arrays import array_namespace, device
from posenc.bias_encoding import BiasEncoding
from posenc.encoding import Array, Shapes, Weights, param
from posenc.ends import first_and_last
from posenc.errors import ParameterError
from posenc.geometric import ceil_of_geometric
from posenc.pairs import read_columns, relate, whole_positions
from posenc.positions import require_float_type
from posenc.registry import register
from posenc.weights import require_weight

OUTSIDE = 2**60  # no relative position is as far


@dataclass(frozen=True)
class T5Bias(BiasEncoding):
    """Add a learned number to each score, read by head and by the bucket of key - query.

    Half of the buckets of a direction hold one distance each; the others are logarithmic up to
    max_distance, and the last takes everything beyond. If bidirectional, keys after the query have
    the upper half of all buckets; if causal, they share bucket 0 with distance 0 (a mask hides
    them). T5 does not divide scores by sqrt(head_dim): give attention `scale=1` for that.
    """

    cost: ClassVar[str] = (
        "one addition for each score in every layer; the buckets once, for all layers that share "
        "their table, as T5's do"
    )

    num_buckets: int = param(
        32,
        ge=4,
        le=1024,
        multiple_of=2,
        slider=(4, 64, 2),
        doc="classes of distances, each with one learned number",
    )
    max_distance: int = param(
        128,
        ge=2,
        le=2**31,
        slider=(64, 1024, 1),
        doc="distance in tokens from which all share the last bucket",
    )
    bidirectional: bool = param(True, doc="whether later keys have buckets of their own")

    def __post_init__(self) -> None:
        """Check every parameter and that the buckets fit together. Raises ParameterError."""
        super().__post_init__()
        if self.max_distance <= self._one_each:
            expected = (
                f"must be more than the {self._one_each} distances with a bucket of their own"
            )
            raise ParameterError("max_distance", self.max_distance, expected)

    @property
    def _of_a_direction(self) -> int:
        return self.num_buckets // 2 if self.bidirectional else self.num_buckets

    @property
    def _one_each(self) -> int:
        return self._of_a_direction // 2

    @cached_property
    def first_distances(self) -> npt.NDArray[np.int64]:
        """Return the smallest distance of each bucket of one direction, (buckets,), exactly."""
        exact, steps = self._one_each, self._of_a_direction - self._one_each
        logarithmic = [
            ceil_of_geometric(exact, self.max_distance, step, steps) for step in range(steps)
        ]
        first = np.array([*range(exact), *logarithmic], dtype=np.int64)
        first.flags.writeable = False
        return first

    def buckets(self, relative: Array) -> Array:
        """Return the bucket of each key - query, (...) whole numbers -> (...) int64.

        Raises ParameterError for positions that are not whole.
        """
        return self._buckets(whole_positions("relative", relative))

    @property
    def weight_shapes(self) -> Shapes:
        """Return the shape of the table, (R, H)."""
        return {"table": (self.num_buckets, self.n_heads)}

    def bias(
        self, q_positions: Array, k_positions: Array, weights: Weights, *, dtype: Any = None
    ) -> Array:
        """Return the bias of each head and pair, (H, Lq, Lk), or (B, H, Lq, Lk) for a batch.

        In the dtype of the table, float32 or wider, unless `dtype` says otherwise. Raises
        ParameterError.
        """
        relative = relate(q_positions, k_positions, whole=True)
        shape = self.weight_shapes["table"]
        table = require_weight(weights, "table", shape, beside=relative.values)
        xp = array_namespace(table)
        dtype = table.dtype if dtype is None else require_float_type(xp, dtype)
        if relative.places is None:
            buckets = self._buckets_in_a_row(relative.values)
        else:
            buckets = self._buckets(relative.values)
        if (
            relative.n_queries == 1
        ):  # reading whole rows is three times as fast; the transpose is a view
            rows = xp.take(xp.astype(table, dtype, copy=False), buckets, axis=0)
            return relative.spread(xp.matrix_transpose(rows))
        terms = read_columns(xp.matrix_transpose(table), buckets)
        return relative.spread(xp.astype(terms, dtype, copy=False))

    @cached_property
    def _runs(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
        """Return the starts of a bucket's runs, the end of the last, key - query, and the buckets.

        The first run begins before, and the last ends after, every relative position.
        """
        far = self.first_distances[1:]
        changes = np.concatenate([1 - far[::-1], [1], far[far > 1]])
        buckets = self._buckets(np.concatenate([changes[:1] - 1, changes]))
        bounds = np.concatenate([[-OUTSIDE], changes, [OUTSIDE]])
        return bounds, buckets.astype(np.int32)  # which torch looks up faster

    def _buckets_in_a_row(self, relative: Array) -> Array:
        """Return the bucket of each of r, r + 1, r + 2 ..., by repetition: buckets are few."""
        ends = first_and_last(relative)
        if ends is None:
            return self._buckets(relative)
        bounds, buckets = self._runs
        low, count = int(ends[0]), relative.shape[0]
        ends = np.minimum(np.maximum(bounds - low, 0), count)
        xp = array_namespace(relative)
        return xp.asarray(np.repeat(buckets, ends[1:] - ends[:-1]), device=device(relative))

    def _buckets(self, relative: Array) -> Array:
        xp = array_namespace(relative)
        bounds = xp.asarray(self.first_distances[1:].copy(), device=device(relative))
        distances = xp.abs(relative) if self.bidirectional else xp.clip(-relative, 0, None)
        near_to_far = xp.searchsorted(bounds, xp.reshape(distances, (-1,)), side="right")
        buckets = xp.astype(xp.reshape(near_to_far, relative.shape), xp.int64, copy=False)
        if not self.bidirectional:
            return buckets
        return xp.where(relative > 0, buckets + self._of_a_direction, buckets)


t5_bias = register(T5Bias, slug="t5_bias", title="T5 relative bias", source="arXiv:1910.10683")
