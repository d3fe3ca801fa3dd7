"""Contextual positional encoding (CoPE): keys are counted by gates that depend on their contents.

Source: Golovneva et al. 2024, arXiv:2405.18719.
Shapes: H = heads, Lq queries, Lk keys, D = head_dim, P = max_pos.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posenc.arrays import array_namespace
from posenc.encoding import Array, Encoding, Shapes, Weights, param
from posenc.ends import known_to_ascend
from posenc.number_format import counted, rounded
from posenc.pairs import add_to_scores, read_rows, require_heads, require_scores
from posenc.pictures import map_of_pairs
from posenc.positions import relative_positions
from posenc.registry import register
from posenc.views import ViewData
from posenc.weights import require_affordable, require_weight, wide


@dataclass(frozen=True)
class CoPE(Encoding):
    """Add q . e[p], where p counts the keys from j to the query, each by sigmoid(score).

    A key whose gate is shut counts nothing, so one position may be a word or a sentence. p is no
    whole number: e is interpolated between two rows, and ends at max_pos - 1. Positions only give
    the order of the keys; keys after the query count nothing.
    """

    cost: ClassVar[str] = (
        "a sigmoid and a running sum over the scores, P products with each query and two readings "
        "for each pair, in every layer"
    )

    head_dim: int = param(
        64, ge=1, le=65_536, slider=(1, 256, 1), doc="numbers in one head's vector"
    )
    max_pos: int = param(
        64, ge=1, le=1_048_576, slider=(1, 256, 1), doc="largest position that is counted"
    )

    def __post_init__(self) -> None:
        """Check every parameter and the size of the table. Raises ParameterError."""
        super().__post_init__()
        require_affordable("max_pos", self.max_pos, times=(self.head_dim,))

    @property
    def weight_shapes(self) -> Shapes:
        """Return the shape of the table shared by all heads, (P, D)."""
        return {"table": (self.max_pos, self.head_dim)}

    def draw(self, rng: np.random.Generator) -> Weights:
        """Return a table of zeros, as in the authors' listing."""
        del rng
        return {name: np.zeros(shape) for name, shape in self.weight_shapes.items()}

    def contextual_positions(self, scores: Array, q_positions: Array, k_positions: Array) -> Array:
        """Return p of each pair, (..., H, Lq, Lk), between 0 and P - 1.

        p[i, j] is the sum of the gates of the keys from position j up to that of query i.
        """
        full = wide(require_scores(scores, q_positions, k_positions))
        xp = array_namespace(full)
        later = relative_positions(q_positions, k_positions) > 0
        gates = xp.where(later, xp.zeros_like(full[..., :1]), _sigmoid(full))
        if known_to_ascend(k_positions):
            sums = _summed_back(gates)
        else:
            order = xp.argsort(k_positions, axis=-1, stable=True)
            restored = xp.argsort(order, axis=-1, stable=True)
            sums = _reordered(_summed_back(_reordered(gates, order)), restored)
        return xp.clip(sums, None, self.max_pos - 1)

    def on_scores(
        self,
        scores: Array,
        q: Array,
        k: Array,
        q_positions: Array,
        k_positions: Array,
        weights: Weights,
    ) -> Array:
        """Return scores (..., H, Lq, Lk) plus q . e at the contextual position of each pair."""
        del k
        require_scores(scores, q_positions, k_positions)
        queries = require_heads("q", q, self.head_dim, scores=scores, axis=-2)
        at = self.contextual_positions(scores, q_positions, k_positions)
        table = require_weight(weights, "table", self.weight_shapes["table"], beside=queries)
        xp = array_namespace(queries)
        table = xp.astype(table, queries.dtype, copy=False)
        products = xp.matmul(queries, xp.matrix_transpose(table))
        below = xp.astype(xp.floor(at), xp.int64)
        above = xp.clip(below + 1, None, self.max_pos - 1)  # also at a whole p: gates need a slope
        share = at - xp.astype(below, at.dtype)
        near, far = read_rows(products, below), read_rows(products, above)
        return add_to_scores(scores, far * share + near * (1 - share))


def _sigmoid(scores: Array) -> Array:
    """Return 1 / (1 + exp(-scores)); by tanh, which cannot overflow and is smooth at 0 as well."""
    return (1 + array_namespace(scores).tanh(scores / 2)) / 2


def _summed_back(gates: Array) -> Array:
    """Return the sum of each gate and all later gates."""
    xp = array_namespace(gates)
    return xp.flip(xp.cumulative_sum(xp.flip(gates, axis=-1), axis=-1), axis=-1)


def _reordered(pairs: Array, order: Array) -> Array:
    """Return the keys of pairs (..., H, Lq, Lk) in another order, (Lk,) or (B, Lk)."""
    xp = array_namespace(pairs)
    if order.ndim == 1:
        return xp.take(pairs, order, axis=-1)
    return read_rows(pairs, order[..., None, None, :])


cope = register(CoPE, slug="cope", title="Contextual positions (CoPE)", source="arXiv:2405.18719")


@cope.view(
    "sentences",
    title="Counting sentences instead of tokens",
    kind="heatmap",
    scale="magnitude",
    along_x=("tokens",),
    params={
        "tokens": param(24, ge=1, le=1024, slider=(2, 128, 1), doc="queries and keys"),
        "every": param(
            6, ge=1, le=1024, slider=(1, 16, 1), doc="tokens from full stop to full stop"
        ),
        "score": param(
            6.0, ge=0, le=100, slider=(0, 12, 0.5), doc="of a full stop; minus it for others"
        ),
    },
)
def sentences(encoding: CoPE, *, tokens: int, every: int, score: float) -> ViewData:
    """Return contextual positions where only full stops open their gate, (tokens, tokens)."""
    positions = np.arange(tokens)
    stops = (positions + 1) % every == 0
    scores = np.tile(np.where(stops, score, -score), (tokens, 1))
    values = encoding.contextual_positions(scores, positions, positions)
    first = float(values[-1, 0])
    return map_of_pairs(
        values,
        scale="magnitude",
        limits=(0.0, max(float(values.max()), 1.0)),
        title="A position can be a sentence",
        subtitle=f"{counted(tokens, 'token')}, a full stop every {every}; its score is {score:g},"
        f" that of any other token {'−' if score else ''}{score:g}.",
        finding="From the last token the first one is at contextual position"
        f" {rounded(first)}; the text has {counted(int(stops.sum()), 'full stop')} and"
        f" {counted(tokens, 'token')}.",
        unit="contextual position",
        summary={"first_from_last": first},
    )
