"""Transformer-XL's relative terms: a projected sine of the distance, and two vectors for each head.

Source: Dai et al. 2019, arXiv:1901.02860, section 3.3, terms (a) to (d), and the authors' code;
XLNet, arXiv:1906.08237, uses the same terms, also for keys after the query.
Shapes: H = heads, Lq queries, Lk keys, D = head_dim, U = distinct distances.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from posenc.arrays import array_namespace, move_axis
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.encoding import Array, Encoding, Shapes, Weights, param
from posenc.number_format import counted, rounded
from posenc.pairs import add_to_scores, relate, require_heads, require_scores
from posenc.pictures import curves
from posenc.positions import require_floating
from posenc.registry import register
from posenc.views import ViewData, require_few
from posenc.weights import require_affordable, require_weight

MOST_CURVES = 4


@dataclass(frozen=True)
class TransformerXL(Encoding):
    """Add (u . k + (q + v) . r) / sqrt(D) to the score q . k / sqrt(D) of each pair.

    r is the sinusoidal code of query - key, sines before cosines, times a learned matrix; u and v
    are learned for each head and stand for the query where it should not matter. Only distances
    enter, so hidden states of an earlier segment can be keys.
    """

    cost: ClassVar[str] = (
        "one product of each query with each distinct distance in every layer, about twice the "
        "work of the scores themselves, and one projection of the distances"
    )

    n_heads: int = param(8, ge=1, le=4096, slider=(1, 64, 1), doc="attention heads of the layer")
    head_dim: int = param(
        64, ge=1, le=65_536, slider=(1, 256, 1), doc="numbers in one head's vector"
    )
    d_model: int = param(
        512, ge=2, le=65_536, multiple_of=2, slider=(2, 1024, 2), doc="numbers in a token's vector"
    )
    base: float = param(
        10_000.0,
        ge=1,
        le=1e15,
        slider=(10, 1e6, 1),
        scale="log",
        doc="sets the slowest frequency; no unit",
    )

    def __post_init__(self) -> None:
        """Check every parameter and the size of the projection. Raises ParameterError."""
        super().__post_init__()
        require_affordable("d_model", self.d_model, times=(self.n_heads, self.head_dim))

    @cached_property
    def sinusoidal(self) -> Sinusoidal:
        """Return the encoding whose codes of distances are projected."""
        return Sinusoidal(d_model=self.d_model, base=self.base, layout="concatenated")

    @property
    def weight_shapes(self) -> Shapes:
        """Return the shapes of u and v, (H, D) each, and of the projection, (d_model, H D)."""
        H, D = self.n_heads, self.head_dim
        return {
            "content_bias": (H, D),
            "position_bias": (H, D),
            "projection": (self.d_model, H * D),
        }

    def project(self, distances: Array, weights: Weights, *, beside: Array) -> Array:
        """Return r of each distance query - key, (U,) -> (H, U, D), in the dtype of `beside`."""
        beside = require_floating("beside", beside)
        shape = self.weight_shapes["projection"]
        projection = require_weight(weights, "projection", shape, beside=beside)
        xp = array_namespace(beside)
        codes = self.sinusoidal.encode(distances, dtype=beside.dtype)
        projected = xp.matmul(codes, xp.astype(projection, beside.dtype, copy=False))
        parted = xp.reshape(projected, (-1, self.n_heads, self.head_dim))
        return move_axis(parted, 1, 0)

    def on_scores(
        self,
        scores: Array,
        q: Array,
        k: Array,
        q_positions: Array,
        k_positions: Array,
        weights: Weights,
    ) -> Array:
        """Return scores (..., H, Lq, Lk) plus the terms (b), (c) and (d), over sqrt(D)."""
        require_scores(scores, q_positions, k_positions, n_heads=self.n_heads)
        queries = require_heads("q", q, self.head_dim, scores=scores, axis=-2)
        keys = require_heads("k", k, self.head_dim, scores=scores, axis=-1)
        u, v = (
            self._per_head(weights, name, queries) for name in ("content_bias", "position_bias")
        )
        relative = relate(q_positions, k_positions)
        xp = array_namespace(queries)
        r = self.project(-relative.values, weights, beside=queries)
        content = xp.matmul(
            u, xp.matrix_transpose(keys)
        )  # the same for every query: (..., H, 1, Lk)
        position = relative.pick(xp.matmul(queries + v, xp.matrix_transpose(r)))
        return add_to_scores(scores, (content + position) / math.sqrt(self.head_dim))

    def _per_head(self, weights: Weights, name: str, queries: Array) -> Array:
        """Return a learned vector of each head, (H, 1, D)."""
        vectors = require_weight(weights, name, self.weight_shapes[name], beside=queries)
        xp = array_namespace(queries)
        return xp.astype(vectors, queries.dtype, copy=False)[:, None, :]


transformer_xl = register(
    TransformerXL,
    slug="transformer_xl",
    title="Transformer-XL's terms",
    source="arXiv:1901.02860",
)


@transformer_xl.view(
    "position-term",
    title="The term of the distance",
    kind="curves",
    scale="magnitude",
    along_x=("reach",),
    params={
        "reach": param(64, ge=1, le=100_000, slider=(8, 1000, 1), doc="largest distance"),
        "seed": param(
            0, ge=0, le=2**32, slider=(0, 99, 1), doc="of the untrained weights and the query"
        ),
    },
)
def position_term(encoding: TransformerXL, *, reach: int, seed: int) -> ViewData:
    """Return (q + v) . r / sqrt(D) of a random query against the distance, (heads, reach + 1)."""
    rng = np.random.default_rng(seed)
    heads, D = min(encoding.n_heads, MOST_CURVES), encoding.head_dim
    width, setting = heads * D, f"d_model={encoding.d_model}"
    require_few("head_dim", D, each=heads * encoding.d_model, setting=setting)
    setting = setting if encoding.d_model > width else f"head_dim={D}"
    require_few("reach", reach, each=max(encoding.d_model, width), setting=setting)
    drawn = replace(encoding, n_heads=heads)
    weights = drawn.init_weights(rng)
    distances = np.arange(reach + 1)
    r = drawn.project(distances, weights, beside=np.empty(0))
    q = rng.normal(size=(heads, D)) + weights["position_bias"]
    values = np.einsum("hd,hud->hu", q, r) / math.sqrt(D)
    moved = np.ptp(values, axis=1)
    return curves(
        values,
        distances.astype(np.float64),
        x_label="distance, query − key",
        y_label="added to the score",
        series=tuple(f"head {head}" for head in range(heads)),
        column_noun="distance",
        title="Each head hears the distance in its own way, even untrained",
        subtitle=f"{counted(heads, 'head')} of {encoding.n_heads}, one random query, weights from"
        f" N(0, 0.02²), seed {seed}.",
        finding=f"Between distance 0 and {reach} the term moves by"
        f" {rounded(float(moved.min()), 2)} to {rounded(float(moved.max()), 2)}; it has learned"
        " nothing yet and is different for every query.",
        unit="added to the score",
    )
