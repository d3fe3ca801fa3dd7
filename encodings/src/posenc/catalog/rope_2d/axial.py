"""Axial RoPE: each axis of a picture has pairs, and a whole ladder of frequencies, of its own.

Source: Black Forest Labs 2024, FLUX.1's code (axes_dim 16, 56, 56); Heo et al. 2024, Rotary
Position Embedding for Vision Transformer, arXiv:2403.13298, section 3.2.
Shapes: L = tokens, D = head_dim, A = axes, P = D/2 pairs; positions are (A, L), or (A, B, L).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from posenc.angles import angles_of
from posenc.arrays import array_namespace
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d.coordinates import order_of, require_coordinates, waves_for
from posenc.encoding import Array, Encoding, Layout, Weights, param
from posenc.errors import ParameterError, named
from posenc.positions import require_floating, require_positions
from posenc.rotation import turn_pairs

MOST_AXES = 3  # more coordinates would not make one whole number that float64 holds exactly


@dataclass(frozen=True)
class AxialRope(Encoding):
    """Rotate the columns of each axis by that axis' coordinate, as a RoPE of that width does.

    The first axes[0] columns of a head follow the first coordinate, the next axes[1] the second,
    and so on, in adjacent pairs. Every axis has a ladder from 1 radian down to base^(-1 + 2/width);
    `Rope2d` cuts one ladder instead.
    """

    cost: ClassVar[str] = (
        "4 multiplications and 2 additions for each pair of a query or key, in every layer"
    )

    head_dim: int = param(128, ge=2, le=65_536, multiple_of=2, doc="numbers in one head's vector")
    axes: tuple[int, ...] = (16, 56, 56)
    base: float = param(10_000.0, ge=1, le=1e15, doc="sets the slowest frequency; no unit")

    def __post_init__(self) -> None:
        """Check every parameter, and that the axes share the head. Raises ParameterError."""
        super().__post_init__()
        object.__setattr__(self, "axes", _require_axes(self.axes, self.head_dim))

    @cached_property
    def ropes(self) -> tuple[Rope, ...]:
        """Return the one-dimensional RoPE of each axis, in adjacent pairs."""
        return tuple(Rope(head_dim=width, base=self.base) for width in self.axes)

    @cached_property
    def inv_freq(self) -> npt.NDArray[np.float64]:
        """Return radians per step along the pair's own axis, (P,), the first axis first."""
        return np.concatenate([rope.inv_freq for rope in self.ropes])

    def angles(self, positions: Array) -> Array:
        """Return coordinate * inv_freq in radians, float64, (A, ..., L) -> (..., L, P)."""
        checked = self._require("positions", positions)
        xp = array_namespace(checked)
        of_axes = [
            angles_of(checked[axis, ...], rope.inv_freq) for axis, rope in enumerate(self.ropes)
        ]
        return xp.concat(of_axes, axis=-1)

    def rotate(self, x: Array, positions: Array, *, layout: Layout = "BHLD") -> Array:
        """Return x (..., H, L, D) rotated, in its dtype; norms are kept.

        With layout="BLHD" x is (..., L, H, D). Positions are (A, L) or (A, B, L) in both layouts.
        Raises ParameterError.
        """
        if require_floating("x", x).ndim < 2 or x.shape[-1] != self.head_dim:
            raise ParameterError("x", x, f"must be (..., L, {self.head_dim}), as head_dim says")
        coordinates = self._require("positions", positions)
        waves = waves_for(x, coordinates, self.angles, layout)
        return turn_pairs(x, *waves, pairing="adjacent", layout=layout)

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
        """Return q (..., H, Lq, D) and k (..., H or fewer, Lk, D) rotated.

        With layout="BLHD" they are (..., Lq, H, D) and (..., Lk, H or fewer, D).
        """
        del weights
        with named(x="q", positions="q_positions"):
            turned_q = self.rotate(q, q_positions, layout=layout)
        with named(x="k", positions="k_positions"):
            return turned_q, self.rotate(k, k_positions, layout=layout)

    def order(self, positions: Array) -> Array:
        """Return one number for each token, (A, ..., L) -> (..., L): by the first axis, the next.

        Raises ParameterError for coordinates that are not whole or not below 2**17.
        """
        return order_of(self._require("positions", positions))

    def positions_in_text(self, positions: Array) -> Array:
        """Return zeros for each token of a text, (..., L) -> (A, ..., L), as FLUX.1 does.

        So RoPE says nothing of the order of words there.
        """
        array = require_positions("positions", positions)
        xp = array_namespace(array)
        return xp.stack([xp.zeros_like(array)] * len(self.axes))

    def _require(self, name: str, positions: object) -> Array:
        names = tuple(f"axis {axis}" for axis in range(len(self.axes)))
        return require_coordinates(name, positions, names)


def _require_axes(axes: object, head_dim: int) -> tuple[int, ...]:
    expected = f"must be 1 to {MOST_AXES} even whole numbers that add up to head_dim={head_dim}"
    if not isinstance(axes, tuple | list) or not 1 <= len(axes) <= MOST_AXES:
        raise ParameterError("axes", axes, expected)
    for width in axes:
        whole = isinstance(width, int | np.integer) and not isinstance(width, bool)
        if not whole or width < 2 or width % 2:
            raise ParameterError("axes", axes, expected)
    if sum(axes) != head_dim:
        raise ParameterError("axes", axes, expected)
    return tuple(map(int, axes))
