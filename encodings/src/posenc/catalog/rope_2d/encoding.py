"""RoPE for pictures and films (M-RoPE): pairs follow time, height or width.

Source: Wang et al. 2024, Qwen2-VL, arXiv:2409.12191, and its code in transformers.
Shapes: L = tokens, D = head_dim, P = D/2 pairs; positions are (3, L), or batched (3, B, L).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from posenc.arrays import array_namespace, device, move_axis, size, to_device
from posenc.catalog.rope import Rope
from posenc.encoding import Array, Encoding, Layout, Weights, param
from posenc.ends import lowest_and_highest
from posenc.errors import ParameterError, named
from posenc.pairs import whole_positions
from posenc.positions import (
    for_all_heads,
    in_float64,
    require_floating,
    require_one_for_each_token,
    require_positions,
    require_same_batch,
)
from posenc.registry import register

AXES = ("time", "height", "width")
MOST_PAIRS = 32_768  # in all, as RoPE has
COORDINATES = (
    2**17
)  # on one axis: three coordinates make one whole number that float64 holds exactly


@dataclass(frozen=True)
class Rope2d(Encoding):
    """Rotate each pair by inv_freq[i] times one of three coordinates: time, height or width.

    The frequencies are those of RoPE for all pairs, one falling ladder that is cut in three: the
    first pairs, which turn fastest, follow time, the next height, the last width. A patch of a
    picture has the time at which the picture stands in the text; text has three equal coordinates
    and is turned as RoPE turns it.

    Without pairs for time the ladder is cut in two: height has the fast frequencies and width the
    slow frequencies, with equal halves at most base^(-1/2), 0.01 radians per column. Axial RoPE, of
    vision transformers, gives each axis a ladder that begins at 1 radian: another encoding.
    """

    cost: ClassVar[str] = (
        "4 multiplications and 2 additions for each pair of a query or key, in every layer"
    )

    time_pairs: int = param(
        16, ge=0, le=16_384, slider=(0, 32, 1), doc="pairs that turn with the time"
    )
    height_pairs: int = param(
        24, ge=1, le=16_384, slider=(1, 48, 1), doc="pairs that turn with the row of the patch"
    )
    width_pairs: int = param(
        24, ge=1, le=16_384, slider=(1, 48, 1), doc="pairs that turn with the column of the patch"
    )
    base: float = param(
        10_000.0,
        ge=1,
        le=1e15,
        slider=(10, 1e6, 1),
        scale="log",
        doc="sets the slowest frequency; no unit",
    )
    pairing: Literal["adjacent", "half-split"] = param(
        "half-split", doc="which dimensions turn together: neighbours, or i and i + half"
    )

    def __post_init__(self) -> None:
        """Check every parameter and that there are no more pairs than RoPE has.

        Raises ParameterError.
        """
        super().__post_init__()
        most = MOST_PAIRS - self.height_pairs - self.width_pairs
        if self.time_pairs > most:
            expected = f"must be at most {most} with {MOST_PAIRS - most} pairs on the other axes"
            raise ParameterError("time_pairs", self.time_pairs, expected)

    @property
    def head_dim(self) -> int:
        """Return D, two dimensions for each pair."""
        return 2 * sum(self.sections)

    @property
    def sections(self) -> tuple[int, int, int]:
        """Return the numbers of pairs for time, height and width, `mrope_section` elsewhere."""
        return self.time_pairs, self.height_pairs, self.width_pairs

    @cached_property
    def rope(self) -> Rope:
        """Return the encoding whose frequencies and rotation are used."""
        return Rope(head_dim=self.head_dim, base=self.base, pairing=self.pairing)

    @cached_property
    def axis_of_pair(self) -> npt.NDArray[np.int64]:
        """Return the coordinate of each pair, 0, 1 or 2, (P,)."""
        axes = np.repeat(np.arange(len(AXES)), self.sections)
        axes.flags.writeable = False
        return axes

    def angles(self, positions: Array) -> Array:
        """Return coordinate * inv_freq in radians, float64, (3, ..., L) -> (..., L, P)."""
        exact = in_float64(_require_coordinates("positions", positions))
        xp, home = array_namespace(exact), device(exact)
        axes = xp.asarray(self.axis_of_pair.copy(), device=home)
        followed = move_axis(xp.take(exact, axes, axis=0), 0, -1)
        return followed * xp.asarray(self.rope.inv_freq.copy(), device=home)

    def rotate(self, x: Array, positions: Array, *, layout: Layout = "BHLD") -> Array:
        """Return x (..., H, L, D) rotated, in its dtype; norms are kept.

        With layout="BLHD" x is (..., L, H, D). Positions are (3, L) or (3, B, L) in both layouts.
        Raises ParameterError.
        """
        if require_floating("x", x).ndim < 2 or x.shape[-1] != self.head_dim:
            raise ParameterError("x", x, f"must be (..., L, {self.head_dim}), two for each pair")
        coordinates = _require_coordinates("positions", positions)
        one = coordinates[0, ...]
        require_one_for_each_token("positions", one, "x", x, layout)
        require_same_batch("positions", for_all_heads(one), "x", x, layout=layout)
        angles, xp = self.angles(positions), array_namespace(x)
        if angles.ndim > 2:
            angles = angles[..., None, :, :]  # the same for all heads
        wide = xp.result_type(x.dtype, xp.float32)
        cos, sin = (
            to_device(xp.astype(wave, wide), device(x)) for wave in (xp.cos(angles), xp.sin(angles))
        )
        return self.rope.turn(x, cos, sin, layout=layout)

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
        """Return one number for each token, (3, ..., L) -> (..., L): by time, row, then column.

        In Qwen2-VL's numbering this is the order of the tokens. Raises ParameterError for
        coordinates that are not whole or not below 2**17.
        """
        coordinates = whole_positions("positions", _require_coordinates("positions", positions))
        if size(coordinates):
            for end in map(int, lowest_and_highest(coordinates) or ()):
                if not 0 <= end < COORDINATES:
                    raise ParameterError("positions", end, f"must be from 0 to {COORDINATES - 1}")
        time, height, width = (coordinates[axis, ...] for axis in range(len(AXES)))
        return (time * COORDINATES + height) * COORDINATES + width

    def positions_in_text(self, positions: Array) -> Array:
        """Return three equal coordinates for each token of a text, (..., L) -> (3, ..., L)."""
        array = require_positions("positions", positions)
        return array_namespace(array).stack([array] * len(AXES))


def _require_coordinates(name: str, positions: object) -> Array:
    array = require_positions(name, positions)
    if array.ndim < 2 or array.shape[0] != len(AXES):
        raise ParameterError(name, array, "must be (3, ..., L): time, height and width of tokens")
    return array


rope_2d = register(
    Rope2d, slug="rope_2d", title="RoPE for pictures (M-RoPE)", source="arXiv:2409.12191"
)
