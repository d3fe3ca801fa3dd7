"""T5's relative bias: one learned number for each head and each range of distances.

Source: Raffel et al. 2020, arXiv:1910.10683, section 2.1; the buckets as in the authors' code,
google-research/text-to-text-transfer-transformer and Mesh TensorFlow.
Shapes: H = heads, Lq queries, Lk keys, R = num_buckets.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from array_api_compat import array_namespace, device

from posenc.encoding import Array, Encoding, Weights, param
from posenc.errors import ParameterError
from posenc.geometric import ceil_of_geometric
from posenc.pairs import add_to_scores, relate, require_scores, whole_positions
from posenc.pictures import category_limits, curves, map_of_pairs
from posenc.registry import register
from posenc.views import ViewData, require_few_cells
from posenc.weights import INIT_STD, require_weight
from posenc.wording import counted, grouped


@dataclass(frozen=True)
class T5Bias(Encoding):
    """Add a learned number to each score, read by head and by the bucket of key - query.

    Half of the buckets of a direction hold one distance each; the others are logarithmic up to
    max_distance, and the last takes everything beyond. Bidirectional, keys after the query have
    the upper half of all buckets; causal, they share bucket 0 with distance 0 (a mask hides them).
    T5 does not divide scores by sqrt(head_dim): give attention `scale=1` for that.
    """

    cost: ClassVar[str] = (
        "one addition for each score in every layer; the buckets once, for all layers that share "
        "their table, as T5's do"
    )

    n_heads: int = param(8, ge=1, le=4096, slider=(1, 64, 1))
    num_buckets: int = param(32, ge=4, le=1024, multiple_of=2, slider=(4, 64, 2))
    max_distance: int = param(128, ge=2, le=2**31, slider=(64, 1024, 1))
    bidirectional: bool = param(True)

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

        Raises ParameterError for what is not whole.
        """
        relative = whole_positions("relative", relative)
        xp = array_namespace(relative)
        bounds = xp.asarray(self.first_distances[1:].copy(), device=device(relative))
        distances = xp.abs(relative) if self.bidirectional else xp.clip(-relative, 0, None)
        near_to_far = xp.searchsorted(bounds, xp.reshape(distances, (-1,)), side="right")
        buckets = xp.astype(xp.reshape(near_to_far, relative.shape), xp.int64)
        if self.bidirectional:
            buckets = buckets + self._of_a_direction * xp.astype(relative > 0, xp.int64)
        return buckets

    def init_weights(self, rng: np.random.Generator) -> Weights:
        """Return the table (R, H), drawn from N(0, 0.02^2)."""
        return {"table": rng.normal(scale=INIT_STD, size=(self.num_buckets, self.n_heads))}

    def bias(self, q_positions: Array, k_positions: Array, weights: Weights) -> Array:
        """Return the number of each head and pair, (H, Lq, Lk), or (B, H, Lq, Lk) for a batch."""
        relative = relate(q_positions, k_positions, whole=True)
        shape = (self.num_buckets, self.n_heads)
        table = require_weight(weights, "table", shape, beside=relative.values)
        xp = array_namespace(table)
        read = xp.take(table, self.buckets(relative.values), axis=0)
        return relative.spread(xp.matrix_transpose(read))

    def on_scores(
        self,
        scores: Array,
        q: Array,
        k: Array,
        q_positions: Array,
        k_positions: Array,
        weights: Weights,
    ) -> Array:
        """Return scores (..., H, Lq, Lk) plus the bias."""
        del q, k
        require_scores(scores, q_positions, k_positions, n_heads=self.n_heads)
        return add_to_scores(scores, self.bias(q_positions, k_positions, weights))


t5_bias = register(T5Bias, slug="t5_bias", title="T5 relative bias", source="arXiv:1910.10683")


@t5_bias.view(
    "buckets",
    title="The bucket of each query and key",
    kind="heatmap",
    scale="category",
    params={"tokens": param(48, ge=1, slider=(2, 256, 1), doc="queries and keys")},
)
def bucket_map(encoding: T5Bias, *, tokens: int) -> ViewData:
    """Return the bucket of every query and key of a text, (tokens, tokens)."""
    require_few_cells("tokens", tokens, tokens)
    positions = np.arange(tokens)
    values = encoding.buckets(positions - positions[:, None]).astype(np.float64)
    used = len(np.unique(values))
    return map_of_pairs(
        values,
        scale="category",
        limits=category_limits(encoding.num_buckets),
        title="Near keys have a bucket each, far keys share one",
        subtitle=f"{counted(tokens, 'token')}, {_what(encoding)}.",
        finding=f"A text of {counted(tokens, 'token')} uses {used} of the"
        f" {encoding.num_buckets} buckets; its first token reads"
        f" {counted(len(np.unique(values[0])), 'bucket')}, its last"
        f" {len(np.unique(values[-1]))}.",
        unit="bucket",
        summary={"buckets_used": used},
    )


@t5_bias.view(
    "staircase",
    title="The bucket against the distance",
    kind="curves",
    scale="category",
    params={"reach": param(160, ge=1, slider=(8, 1100, 1), doc="farthest key on both sides")},
)
def staircase(encoding: T5Bias, *, reach: int) -> ViewData:
    """Return the bucket of key - query = -reach .. reach, (1, 2 reach + 1)."""
    relative = np.arange(-reach, reach + 1)
    values = encoding.buckets(relative).astype(np.float64)
    return curves(
        values[None, :],
        relative.astype(np.float64),
        scale="category",
        x_label="relative position, key − query",
        y_label="bucket",
        series=("bucket",),
        column_noun="relative position",
        title="Steps of one, then ever longer steps, then one last bucket",
        subtitle=f"Relative positions from −{reach} to {reach}, {_what(encoding)}.",
        finding=_steps(encoding),
        unit="bucket",
        summary={"last_begins_at": int(encoding.first_distances[-1])},
    )


def _what(encoding: T5Bias) -> str:
    way = "both directions" if encoding.bidirectional else "causal"
    farthest = grouped(encoding.max_distance)
    return f"{encoding.num_buckets} buckets, {way}, longest distance {farthest}"


def _steps(encoding: T5Bias) -> str:
    """Return which distances have a bucket of their own and where the last bucket begins."""
    first: Any = encoding.first_distances.tolist()
    widths = [after - before for before, after in pairwise(first)]
    alone = next((i for i, width in enumerate(widths) if width > 1), len(widths))
    return (
        f"Distances 0 to {alone - 1} have a bucket each; the last bucket of a direction begins"
        f" at distance {grouped(first[-1])} and never ends."
    )
