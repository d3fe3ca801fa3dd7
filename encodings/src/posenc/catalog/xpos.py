"""xPos: RoPE whose scores also fade with distance, since queries grow and keys shrink by position.

Source: Sun et al. 2022, A Length-Extrapolatable Transformer, arXiv:2212.10554, algorithm 1.
Shapes: L = tokens, D = head_dim, P = D/2 pairs; leading axes broadcast.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from posenc.angles import beside
from posenc.arrays import array_namespace, device, to_device
from posenc.catalog.rope import Rope
from posenc.catalog.rope.views import scores_by_distance
from posenc.encoding import Array, Encoding, Weights, param
from posenc.positions import in_float64
from posenc.registry import register
from posenc.views import ViewData


@dataclass(frozen=True)
class XPos(Encoding):
    """Rotate pairs as RoPE does; multiply pair i of queries by zeta[i]^(p / scale_base).

    Keys are multiplied by the inverse and zeta[i] = (2i/D + gamma) / (1 + gamma), so that the score
    of an earlier key fades by zeta[i]^(distance / scale_base). Only the distance matters; powers
    are counted from the middle of the text, as in the authors' code, to stay small. Pairs are
    adjacent.
    """

    cost: ClassVar[str] = (
        "6 multiplications and 2 additions for each pair of a query or key, in every layer"
    )

    head_dim: int = param(64, ge=2, le=65_536, multiple_of=2, slider=(2, 256, 2))
    base: float = param(10_000.0, ge=1, le=1e15, slider=(10, 1e6, 1), scale="log")
    scale_base: float = param(512.0, ge=1, le=1e9, slider=(16, 4096, 16), scale="log")
    gamma: float = param(0.4, ge=1e-3, le=100, slider=(0.1, 2, 0.1))

    @cached_property
    def rope(self) -> Rope:
        """Return the rotation it builds on."""
        return Rope(head_dim=self.head_dim, base=self.base)

    @property
    def zeta(self) -> npt.NDArray[np.float64]:
        """Return what a pair is multiplied by in scale_base tokens, (P,), below 1."""
        pairs = np.arange(0, self.head_dim, 2)
        return np.asarray((pairs / self.head_dim + self.gamma) / (1 + self.gamma))

    def on_queries_and_keys(
        self, q: Array, k: Array, q_positions: Array, k_positions: Array, weights: Weights
    ) -> tuple[Array, Array]:
        """Return q (..., H, Lq, D) rotated and growing, k rotated and shrinking with position."""
        q, k = self.rope.on_queries_and_keys(q, k, q_positions, k_positions, weights)
        middle = (_highest(k_positions) + 1) // 2
        return self._grown(q, q_positions, middle, 1), self._grown(k, k_positions, middle, -1)

    def _grown(self, x: Array, positions: Array, middle: int, sign: int) -> Array:
        """Return x (..., H, L, D) with pair i times zeta[i]^(sign (p - middle) / scale_base)."""
        xp, exact = array_namespace(x), in_float64(positions)
        power = sign * (exact - middle)[..., None] / self.scale_base
        growth = array_namespace(exact).repeat(beside(self.zeta, exact) ** power, 2, axis=-1)
        if growth.ndim > 2:
            growth = growth[..., None, :, :]
        wide = xp.result_type(x.dtype, xp.float32)
        growth = xp.astype(to_device(growth, device(x)), wide)
        return xp.astype(xp.astype(x, wide) * growth, x.dtype)


def _highest(positions: Array) -> int:
    return int(array_namespace(positions).max(positions)) if 0 not in positions.shape else 0


xpos = register(XPos, slug="xpos", title="xPos", source="arXiv:2212.10554")


@xpos.view(
    "scores",
    title="Score against distance",
    kind="curves",
    scale="signed_unit",
    params={"distances": param(256, ge=1, slider=(16, 2048, 16), doc="largest distance")},
)
def scores(encoding: XPos, *, distances: int) -> ViewData:
    """Return the score of equal vectors over that at distance 0, (2, distances + 1)."""
    return scores_by_distance({"xPos": encoding, "RoPE": encoding.rope}, distances)
