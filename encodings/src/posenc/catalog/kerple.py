"""KERPLE: a bias from a kernel of the distance, with two learned numbers for each head.

Source: Chi et al. 2022, arXiv:2205.09921, the logarithmic and the power variant; bounds and
first values as in the authors' code, chijames/KERPLE.
Shapes: H = heads, Lq queries, Lk keys, U = distinct relative positions.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from posenc.arrays import array_namespace
from posenc.bias_encoding import BiasEncoding
from posenc.encoding import Array, Shapes, Weights, param
from posenc.number_format import grouped, rounded
from posenc.pairs import relate
from posenc.pictures import curves
from posenc.registry import register
from posenc.views import ViewData
from posenc.weights import require_weight

SMALLEST = 1e-2  # of p and a: a kernel must stay one
LARGEST_POWER = 2.0  # of p: a higher power is no conditionally positive definite kernel


@dataclass(frozen=True)
class Kerple(BiasEncoding):
    """Add -p log(1 + a |key - query|), or -a |key - query|^p, with p and a of each head.

    The logarithm falls ever more slowly, the power falls as ALiBi's line does where p is 1. Learned
    numbers below 0.01, and powers above 2, count as these bounds. Keys after the query are treated
    as those before it; a causal mask hides them.
    """

    cost: ClassVar[str] = "one addition for each score in every layer"

    kernel: Literal["logarithmic", "power"] = param(
        "logarithmic", doc="how the bias falls with the distance: as a logarithm or as a power"
    )

    @property
    def weight_shapes(self) -> Shapes:
        """Return the shapes of p and a, (H,) each."""
        return {"p": (self.n_heads,), "a": (self.n_heads,)}

    def draw(self, rng: np.random.Generator) -> Weights:
        """Return p from [0, 2) and a from [0, 1), uniform as in the authors' code."""
        return {"p": rng.uniform(0, 2, self.n_heads), "a": rng.uniform(0, 1, self.n_heads)}

    def bias(self, q_positions: Array, k_positions: Array, weights: Weights) -> Array:
        """Return the bias of each head and pair, (H, Lq, Lk), or (B, H, Lq, Lk) for a batch."""
        relative = relate(q_positions, k_positions)
        xp, highest = array_namespace(relative.values), LARGEST_POWER
        p, a = (
            xp.clip(require_weight(weights, one, shape, beside=relative.values), SMALLEST)
            for one, shape in self.weight_shapes.items()
        )
        distances = xp.astype(xp.abs(relative.values), p.dtype)
        if self.kernel == "logarithmic":
            terms = -p[:, None] * xp.log1p(a[:, None] * distances)
        else:
            terms = -a[:, None] * distances ** xp.clip(p, None, highest)[:, None]
        return relative.spread(terms)


kerple = register(Kerple, slug="kerple", title="KERPLE", source="arXiv:2205.09921")


@kerple.view(
    "bias",
    title="The bias against the distance",
    kind="curves",
    scale="magnitude",
    along_x=("reach",),
    params={
        "p": param(1.0, ge=SMALLEST, le=LARGEST_POWER, slider=(0.05, 2, 0.05), doc="learned p"),
        "a": param(0.5, ge=SMALLEST, le=100.0, slider=(0.05, 4, 0.05), doc="learned a"),
        "reach": param(128, ge=2, le=100_000, slider=(8, 1000, 1), doc="largest distance"),
    },
)
def bias(encoding: Kerple, *, p: float, a: float, reach: int) -> ViewData:
    """Return the bias of a head with these p and a, and a straight line, (2, reach + 1)."""
    one_head = replace(encoding, n_heads=1)
    distances = np.arange(reach + 1)
    weights = {"p": np.array([p]), "a": np.array([a])}
    fallen = one_head.bias(np.array([reach]), distances, weights)[0, 0, ::-1]
    line = fallen[1] * distances
    return curves(
        np.stack([fallen, line]),
        distances.astype(np.float64),
        x_label="distance, query − key",
        y_label="added to the score",
        series=(f"{encoding.kernel} kernel", "straight line, as ALiBi's"),
        column_noun="distance",
        title="Beside a straight line that begins with the same step",
        subtitle=f"p = {p:g}, a = {a:g}, {encoding.kernel} kernel.",
        finding=f"Both lose {rounded(-float(fallen[1]))} at distance 1; at distance"
        f" {grouped(reach)} the kernel has lost {rounded(-float(fallen[-1]))}, the line"
        f" {rounded(-float(line[-1]))}.",
        unit="added to the score",
    )
