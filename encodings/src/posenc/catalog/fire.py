"""FIRE: a small network of the distance, measured against the position of the query.

Source: Li et al. 2024, Functional Interpolation for Relative Positions Improves Long Context
Transformers, arXiv:2310.04418.
Shapes: H = heads, Lq queries, Lk keys, W = mlp_width.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posenc.arrays import array_namespace, move_axis
from posenc.bias_encoding import BiasEncoding
from posenc.encoding import Array, Shapes, Weights, param
from posenc.number_format import grouped, rounded
from posenc.pictures import curves
from posenc.positions import relative_positions, require_positions
from posenc.registry import register
from posenc.views import ViewData
from posenc.weights import require_weight

NO_DIVISION_BY_ZERO = 1e-6  # as in the authors' listing
FIRST_SLOWNESS = 0.1  # c
QUERIES = (128, 512, 2048, 8192)  # positions whose curves are drawn
NEAR = 64  # distance that the finding speaks of


@dataclass(frozen=True)
class Fire(BiasEncoding):
    """Add network(log(1 + c |i - j|) / log(1 + c max(i, L))) for query position i, key position j.

    The quotient stays between 0 and 1 for every earlier key, however long the text: distances are
    interpolated, never new to the network. c, the multiplier of the threshold L and the two layers
    of the network (1 -> W -> H, ReLU between) are learned.
    """

    relative: ClassVar[bool] = False  # distances are measured against the query's position
    cost: ClassVar[str] = (
        "a network of W (1 + H) multiplications for each pair in every layer; the bias depends on "
        "the query's position, so nothing is shared along diagonals"
    )

    mlp_width: int = param(
        32, ge=1, le=4096, slider=(1, 64, 1), doc="hidden numbers of the network"
    )
    threshold: float = param(
        512.0,
        ge=1,
        le=1e9,
        slider=(1, 4096, 1),
        doc="positions from which distances are seen relative to the position, in tokens",
    )

    @property
    def weight_shapes(self) -> Shapes:
        """Return the shapes of c, the multiplier of L, and the two layers of the network."""
        W, H = self.mlp_width, self.n_heads
        layers = {"hidden_weight": (W, 1), "hidden_bias": (W,)}
        return {"c": (), "multiplier": (), **layers, "out_weight": (H, W), "out_bias": (H,)}

    def draw(self, rng: np.random.Generator) -> Weights:
        """Return c = 0.1, a multiplier of 1, and layers drawn as torch draws linear ones."""
        W, H, wide = self.mlp_width, self.n_heads, 1 / math.sqrt(self.mlp_width)
        return {
            "c": np.array(FIRST_SLOWNESS),
            "multiplier": np.array(1.0),
            "hidden_weight": rng.uniform(-1, 1, (W, 1)),
            "hidden_bias": rng.uniform(-1, 1, W),
            "out_weight": rng.uniform(-wide, wide, (H, W)),
            "out_bias": rng.uniform(-wide, wide, H),
        }

    def shares(self, q_positions: Array, k_positions: Array, weights: Weights) -> Array:
        """Return log(1 + c |i - j|) / log(1 + c max(i, L)), (Lq, Lk) or (B, 1, Lq, Lk)."""
        relative = relative_positions(q_positions, k_positions)
        c = require_weight(weights, "c", (), beside=relative)
        multiplier = require_weight(weights, "multiplier", (), beside=relative)
        xp = array_namespace(relative)
        far = xp.astype(require_positions("q_positions", q_positions), c.dtype)
        far = xp.maximum(far, xp.abs(multiplier * self.threshold))
        scale = xp.log1p(xp.abs(c * far)) + NO_DIVISION_BY_ZERO
        near = xp.log1p(xp.abs(c * xp.astype(relative, c.dtype)))
        scale = scale[..., None] if scale.ndim == 1 else scale[..., None, :, None]
        return near / scale

    def bias(self, q_positions: Array, k_positions: Array, weights: Weights) -> Array:
        """Return the bias of each head and pair, (H, Lq, Lk), or (B, H, Lq, Lk) for a batch."""
        shares = self.shares(q_positions, k_positions, weights)
        xp = array_namespace(shares)
        _, _, first, first_bias, last, last_bias = (
            xp.astype(require_weight(weights, name, shape, beside=shares), shares.dtype, copy=False)
            for name, shape in self.weight_shapes.items()
        )
        hidden = shares[..., None] * first[:, 0] + first_bias
        hidden = xp.maximum(hidden, xp.zeros_like(hidden[..., :1]))
        out = move_axis(xp.matmul(hidden, xp.matrix_transpose(last)) + last_bias, -1, -3)
        return out if shares.ndim == 2 else out[..., 0, :, :, :]


fire = register(Fire, slug="fire", title="FIRE", source="arXiv:2310.04418")


@fire.view(
    "shares",
    title="What the network is given",
    kind="curves",
    scale="magnitude",
    along_x=("reach",),
    params={
        "c": param(
            FIRST_SLOWNESS,
            ge=1e-6,
            le=1e6,
            slider=(0.001, 10, 0.001),
            scale="log",
            doc="how slowly the logarithm of the distance grows",
        ),
        "reach": param(4096, ge=2, le=10**7, slider=(64, 8192, 64), doc="largest distance"),
    },
)
def shares(encoding: Fire, *, c: float, reach: int) -> ViewData:
    """Return the quotient against the distance for queries far and near, (4, points)."""
    near = min(NEAR, reach)
    marked = [one for one in (near, *QUERIES) if one <= reach]
    distances = np.unique([*np.linspace(0, reach, 513).round(), *marked])
    weights = {"c": np.array(c), "multiplier": np.array(1.0)}
    rows = [
        np.where(distances <= query, values[0], np.nan)
        for query in QUERIES
        for values in (encoding.shares(np.array([query]), query - distances, weights),)
    ]
    longest = max(row[np.isfinite(row)][-1] for row in rows)
    return curves(
        np.stack(rows),
        distances,
        x_label="distance, query − key",
        y_label="given to the network",
        series=tuple(f"query at {grouped(query)}" for query in QUERIES),
        column_noun="distance",
        title="However long the text, the network sees numbers from 0 to 1",
        subtitle=f"c = {c:g}, threshold {grouped(encoding.threshold)}; no curve goes beyond the"
        f" first token of the text.{_hidden(encoding.threshold)}",
        finding=f"The largest share here is {rounded(float(longest), 4)}; distance {near}"
        f" has {rounded(float(rows[0][distances == near][0]), 2)} for the query at {QUERIES[0]} and"
        f" {rounded(float(rows[-1][distances == near][0]), 2)} for the one at"
        f" {grouped(QUERIES[-1])}.",
        unit="share",
    )


def _hidden(threshold: float) -> str:
    """Return the curves under another curve: queries up to the threshold share theirs."""
    same = [grouped(query) for query in QUERIES if query <= threshold]
    if len(same) < 2:
        return ""
    first = f"Queries up to {grouped(threshold)} share one curve"
    return f" {first}: {', '.join(same[:-1])} under {same[-1]}."
