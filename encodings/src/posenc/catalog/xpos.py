"""xPos: RoPE whose scores also fade with distance, since queries shrink and keys grow by position.

Source: Sun et al. 2022, A Length-Extrapolatable Transformer, arXiv:2212.10554, algorithm 1.
Shapes: L = tokens, D = head_dim, P = D/2 pairs; leading axes broadcast.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from posenc.angles import beside
from posenc.arrays import array_namespace, device, size, to_device
from posenc.catalog.rope import Rope
from posenc.catalog.rope.views import scores_by_distance
from posenc.encoding import Array, Encoding, Layout, Weights, param
from posenc.ends import FARTHEST, lowest_and_highest
from posenc.errors import ParameterError, named
from posenc.positions import (
    beside_heads,
    for_all_heads,
    in_float64,
    require_positions,
    require_whole_number,
)
from posenc.registry import register
from posenc.views import ViewData

ROOM = 4  # powers of two between the largest factor and the end of a dtype: for pairs up to 16
QUERIES, KEYS = 1, -1  # signs of the power


@dataclass(frozen=True)
class XPos(Encoding):
    """Rotate pairs as RoPE does; multiply pair i of queries by zeta[i]^((p - middle) / scale_base).

    Keys are multiplied by the inverse and zeta[i] = (2i/D + gamma) / (1 + gamma), so that the score
    of an earlier key fades by zeta[i]^(distance / scale_base); the score of a later key, which a
    causal mask hides, grows. Only the distance matters: powers are counted from the middle of each
    text's keys, where they stay small, and positions that leave the range of the dtype are refused.
    Without a mask later keys may be about half as far away, or less. Pairs are adjacent.

    The middle moves as keys are added, so a cache holds keys as they were before the hook. Turned
    keys may be kept with `rotate_keys` and `rotate_queries`, where one `middle` is given for good.
    """

    cost: ClassVar[str] = (
        "6 multiplications and 2 additions for each pair of a query or key, in every layer"
    )

    head_dim: int = param(
        64, ge=2, le=65_536, multiple_of=2, slider=(2, 256, 2), doc="numbers in one head's vector"
    )
    base: float = param(
        10_000.0,
        ge=1,
        le=1e15,
        slider=(10, 1e6, 1),
        scale="log",
        doc="sets the slowest frequency; no unit",
    )
    scale_base: float = param(
        512.0,
        ge=1,
        le=1e9,
        slider=(16, 4096, 16),
        scale="log",
        doc="how slowly scores fade; larger is slower, in tokens",
    )
    gamma: float = param(
        0.4, ge=1e-3, le=100, slider=(0.1, 2, 0.1), doc="how evenly the pairs fade; no unit"
    )

    @cached_property
    def rope(self) -> Rope:
        """Return the RoPE that does the rotation."""
        return Rope(head_dim=self.head_dim, base=self.base)

    @property
    def zeta(self) -> npt.NDArray[np.float64]:
        """Return the factor of each pair over scale_base tokens, (P,), below 1."""
        pairs = np.arange(0, self.head_dim, 2)
        return np.asarray((pairs / self.head_dim + self.gamma) / (1 + self.gamma))

    def on_queries_and_keys(
        self,
        q: Array,
        k: Array,
        q_positions: Array,
        k_positions: Array,
        weights: Weights,
        *,
        layout: Layout = "BHLD",
    ) -> tuple[Array, Array]:
        """Return q (..., H, Lq, D) rotated and shrinking, k rotated and growing with position.

        With layout="BLHD" they are (..., Lq, H, D) and (..., Lk, H or fewer, D).
        Raises ParameterError for a query too early, or a key too late, for the dtype. Scores of
        later keys need a mask: call `require_all_seen` without one.
        """
        q, k = self.rope.on_queries_and_keys(q, k, q_positions, k_positions, weights, layout=layout)
        _require_one_batch(q, k)
        middle = _middle(k_positions)
        with named(positions="q_positions"):
            scaled_q = self._scaled(q, q_positions, middle, QUERIES, layout)
        with named(positions="k_positions"):
            return scaled_q, self._scaled(k, k_positions, middle, KEYS, layout)

    def require_all_seen(self, q: Array, q_positions: Array, k_positions: Array) -> None:
        """Raise ParameterError for a key too far after a query for the dtype of q.

        Both factors meet in its score, which may be up to 256 before it grows.
        """
        if not size(q_positions) or not size(k_positions):
            return
        queries, keys = in_float64(q_positions), in_float64(k_positions)
        xp = array_namespace(keys)
        after = xp.max(keys, axis=-1) - xp.min(queries, axis=-1)
        ends, limit = lowest_and_highest(after), self._reach(q, 2 * ROOM)
        if ends is not None and ends[1] > limit:
            expected = f"must be at most {limit} after every query without a causal mask"
            why = f"in {q.dtype} xPos reaches no farther, and one key is {math.ceil(ends[1])} after"
            raise ParameterError("k_positions", k_positions, f"{expected}: {why}")

    def rotate_queries(
        self, q: Array, positions: Array, *, middle: int, layout: Layout = "BHLD"
    ) -> Array:
        """Return q (..., H, L, D) rotated, with powers counted from a position `middle`.

        With layout="BLHD" q is (..., L, H, D).
        Raises ParameterError, also for a query too far before it for the dtype of q.
        """
        return self._rotated("q", q, positions, middle, QUERIES, layout)

    def rotate_keys(
        self, k: Array, positions: Array, *, middle: int, layout: Layout = "BHLD"
    ) -> Array:
        """Return k (..., H, L, D) rotated, with powers counted from a position `middle`.

        With layout="BLHD" k is (..., L, H, D).
        Raises ParameterError, also for a key too far after it for the dtype of k.
        """
        return self._rotated("k", k, positions, middle, KEYS, layout)

    def _rotated(
        self, name: str, x: Array, positions: Array, middle: int, sign: int, layout: Layout
    ) -> Array:
        most = int(FARTHEST)
        middle = require_whole_number("middle", middle, low=-most, high=most)
        with named(x=name):
            at = for_all_heads(require_positions("positions", positions))
            turned = self.rope.rotate(x, at, layout=layout)
        return self._scaled(turned, positions, middle, sign, layout)

    def _scaled(
        self, x: Array, positions: Array, middle: Array | int, sign: int, layout: Layout
    ) -> Array:
        """Return x of its layout, pair i times zeta[i]^(sign (p - middle) / scale_base)."""
        xp, exact = array_namespace(x), in_float64(positions)
        away = sign * (exact - middle)
        self._require_within_range(away, middle, sign, x)
        power = away[..., None] / self.scale_base
        factors = xp.repeat(beside(self.zeta, exact) ** power, 2, axis=-1)
        if factors.ndim > 2:
            factors = factors[..., None, :, :]
        wide = xp.result_type(x.dtype, xp.float32)
        factors = beside_heads(xp.astype(to_device(factors, device(x)), wide), layout)
        return xp.astype(xp.astype(x, wide) * factors, x.dtype)

    def _reach(self, x: Array, room: int) -> int:
        """Return in how many tokens a factor grows to 2^room below the largest number of x."""
        powers_of_two = -math.log2(self.zeta[0]) / self.scale_base
        return int((math.log2(array_namespace(x).finfo(x.dtype).max) - room) / powers_of_two)

    def _require_within_range(self, away: Array, middle: Array | int, sign: int, x: Array) -> None:
        """Raise ParameterError where a factor would leave the dtype of x.

        Only large factors matter: small factors become zeros, and so do their scores.
        """
        ends = lowest_and_highest(away) if size(away) else None
        if ends is None:
            return
        xp, limit = array_namespace(x), self._reach(x, ROOM)
        if ends[0] >= -limit:
            return
        worst = int(xp.argmin(xp.reshape(away, (-1,))))
        position = float(xp.reshape(sign * away + middle, (-1,))[worst])
        origin = int(position - sign * ends[0])
        bound = f"at least {origin - limit}" if sign == QUERIES else f"at most {origin + limit}"
        raise ParameterError(
            "positions",
            int(position) if position.is_integer() else position,
            f"must be {bound}: in {x.dtype} xPos reaches {limit} tokens from the middle, {origin}",
        )


def _middle(positions: Array) -> Array | int:
    """Return the middle of the keys of each text, (..., L) -> (..., 1) whole float64 numbers."""
    if not size(positions):
        return 0
    exact = in_float64(positions)
    xp = array_namespace(exact)
    ends = xp.min(exact, axis=-1, keepdims=True) + xp.max(exact, axis=-1, keepdims=True)
    return xp.floor((ends + 1) / 2)


def _require_one_batch(q: Array, k: Array) -> None:
    """Raise ParameterError unless q and k (..., H, L, D) have the same batch."""
    try:
        np.broadcast_shapes(q.shape[:-3], k.shape[:-3])
    except ValueError:
        expected = f"must be batched as q is, {tuple(q.shape[:-3])}"
        raise ParameterError("k", k, expected) from None


xpos = register(XPos, slug="xpos", title="xPos", source="arXiv:2212.10554")


@xpos.view(
    "scores",
    title="Score against distance",
    kind="curves",
    scale="signed_unit",
    along_x=("distances",),
    params={
        "distances": param(256, ge=1, le=100_000, slider=(16, 2048, 16), doc="largest distance")
    },
)
def scores(encoding: XPos, *, distances: int) -> ViewData:
    """Return the score of equal vectors over that at distance 0, (2, distances + 1)."""
    return scores_by_distance({"xPos": encoding, "RoPE": encoding.rope}, distances)
