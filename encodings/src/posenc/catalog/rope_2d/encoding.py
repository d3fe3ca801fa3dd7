"""RoPE for pictures and films (M-RoPE): pairs follow time, height or width.

Source: Wang et al. 2024, Qwen2-VL, arXiv:2409.12191, and its code in transformers.
Shapes: L = tokens, D = head_dim, P = D/2 pairs; positions are (3, L), or batched (3, B, L).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from posenc.arrays import array_namespace, device, move_axis
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d.coordinates import order_of, require_coordinates, waves_for
from posenc.encoding import Array, Encoding, Layout, Weights, param
from posenc.errors import ParameterError, named
from posenc.positions import in_float64, require_floating, require_positions
from posenc.registry import register

AXES = ("time", "height", "width")
MOST_PAIRS = 32_768  # in all, as RoPE has


@dataclass(frozen=True)
class Rope2d(Encoding):
    """Rotate each pair by inv_freq[i] times one of three coordinates: time, height or width.

    The frequencies are those of RoPE for all pairs, one falling ladder that is cut in three: the
    first pairs, which turn fastest, follow time, the next height, the last width. A patch of a
    picture has the time at which the picture stands in the text; text has three equal coordinates
    and is turned as RoPE turns it.

    Without pairs for time the ladder is cut in two: height has the fast frequencies and width the
    slow frequencies, with equal halves at most base^(-1/2), 0.01 radians per column. Axial RoPE, of
    vision transformers, gives each axis a ladder that begins at 1 radian: `AxialRope`.

    With `interleaved` (Qwen3-VL and later) each axis has pairs of all speeds: pair j follows the
    width if j % 3 = 2 and j < 3 width_pairs, the height if j % 3 = 1 and j < 3 height_pairs, and
    the time if neither. With a `rotary_share` below 1 the pairs are that share of a longer head.
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
    interleaved: bool = param(False, doc="whether the axes take turns pair by pair", hidden=True)
    rotary_share: float = param(1.0, ge=1e-3, le=1, doc="share of the dimensions that turn")

    def __post_init__(self) -> None:
        """Check every parameter, that RoPE has so many pairs, and that the axes can take turns.

        Raises ParameterError.
        """
        super().__post_init__()
        self._require_few_pairs()
        if int(self.rotary_share * self.head_dim) != 2 * sum(self.sections):
            expected = f"must leave {2 * sum(self.sections)} dimensions of an even number"
            raise ParameterError("rotary_share", self.rotary_share, expected)
        if self.interleaved:
            counts = np.bincount(self.axis_of_pair, minlength=len(AXES)).tolist()
            for name, count, stated in zip(AXES, counts, self.sections, strict=True):
                if count != stated:
                    expected = f"must be {count} to take turns with {sum(self.sections)} pairs"
                    raise ParameterError(f"{name}_pairs", stated, expected)

    def _require_few_pairs(self) -> None:
        most = MOST_PAIRS - self.height_pairs - self.width_pairs
        if self.time_pairs > most:
            expected = f"must be at most {most} with {MOST_PAIRS - most} pairs on the other axes"
            raise ParameterError("time_pairs", self.time_pairs, expected)
        if 2 * sum(self.sections) > self.rotary_share * 2 * MOST_PAIRS:
            expected = f"must be at least {sum(self.sections) / MOST_PAIRS:g} with so many pairs"
            raise ParameterError("rotary_share", self.rotary_share, expected)

    @property
    def head_dim(self) -> int:
        """Return D: two dimensions for each pair, and those that do not turn."""
        return 2 * round(sum(self.sections) / self.rotary_share)

    @property
    def sections(self) -> tuple[int, int, int]:
        """Return the numbers of pairs for time, height and width, `mrope_section` elsewhere."""
        return self.time_pairs, self.height_pairs, self.width_pairs

    @cached_property
    def rope(self) -> Rope:
        """Return the encoding whose frequencies and rotation are used."""
        return Rope(
            head_dim=self.head_dim,
            base=self.base,
            pairing=self.pairing,
            rotary_share=self.rotary_share,
        )

    @cached_property
    def axis_of_pair(self) -> npt.NDArray[np.int64]:
        """Return the coordinate of each pair, 0, 1 or 2, (P,)."""
        axes = np.repeat(np.arange(len(AXES)), self.sections)
        if self.interleaved:
            pair = np.arange(len(axes))
            turns = pair % len(AXES)  # the pairs of an axis are every third until it has them all
            axes = np.where(pair < len(AXES) * np.array(self.sections)[turns], turns, 0)
        axes.flags.writeable = False
        return axes

    def angles(self, positions: Array) -> Array:
        """Return coordinate * inv_freq in radians, float64, (3, ..., L) -> (..., L, P)."""
        exact = in_float64(require_coordinates("positions", positions, AXES))
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
            raise ParameterError("x", x, f"must be (..., L, {self.head_dim}), as the pairs say")
        coordinates = require_coordinates("positions", positions, AXES)
        waves = waves_for(x, coordinates, self.angles, layout)
        return self.rope.turn(x, *waves, layout=layout)

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
        return order_of(require_coordinates("positions", positions, AXES))

    def positions_in_text(self, positions: Array) -> Array:
        """Return three equal coordinates for each token of a text, (..., L) -> (3, ..., L)."""
        array = require_positions("positions", positions)
        return array_namespace(array).stack([array] * len(AXES))


rope_2d = register(
    Rope2d, slug="rope_2d", title="RoPE for pictures (M-RoPE)", source="arXiv:2409.12191"
)
