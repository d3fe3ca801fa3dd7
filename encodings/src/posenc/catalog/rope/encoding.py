"""Rotary position embedding (RoPE): position enters as a rotation of queries and keys.

Source: Su et al. 2021, RoFormer, arXiv:2104.09864, section 3.4, eq. 34. Half-split pairs: GPT-NeoX
and Llama's code in transformers. Dimensions that do not turn: GPT-J and GPT-NeoX.
Shapes: L = tokens, D = head_dim, R = dimensions that turn, P = R/2 pairs; leading axes broadcast.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from posenc.angles import angles_of
from posenc.arrays import array_namespace, device, to_device
from posenc.catalog.rope.fitting import (
    require_divisors,
    require_fitting,
    require_known_names,
    require_known_words,
)
from posenc.catalog.rope.frequencies import frequencies_for, temperature_of
from posenc.catalog.rope.scaling import yarn_ramp, yarn_temperature
from posenc.encoding import Array, Encoding, Layout, Weights, param
from posenc.ends import FARTHEST
from posenc.errors import ParameterError, named
from posenc.positions import (
    for_all_heads,
    length_of_text,
    require_floating,
    require_one_for_each_token,
    require_positions,
    require_same_batch,
    require_whole_number,
)
from posenc.registry import register
from posenc.rotation import turn_pairs


@dataclass(frozen=True)
class Rope(Encoding):
    """Rotate each pair of dimensions of queries and keys by position * inv_freq[i] radians.

    Pair i is (2i, 2i+1), adjacent, as in the paper, or (i, i + R/2), half-split, as in Llama's code
    of transformers: the same encoding up to a fixed permutation of dimensions, but weights
    trained with one are wrong for the other. Only the first int(rotary_share * D) dimensions turn,
    with a ladder of their own. With `share="proportional"` (Gemma 4) the pairs are those of the
    whole head, and all but the first int(rotary_share * D/2), the fastest, have frequency 0.
    A score depends on key - query alone; keys may have fewer heads than queries.

    `scaling` and `factor`, the length of texts over the trained length, stretch the frequencies as
    the authors of each method do. With a factor of 1, the default, every scaling but dynamic NTK is
    plain RoPE. LongRoPE's divisors select LongRoPE: one for each pair, for texts of up to the
    trained length and for longer texts. Its factor sets the temperature alone, by default 1.

    `attention_factor` is the temperature of YaRN or LongRoPE as a file states it. DeepSeek's
    `mscale` and `mscale_all_dim` set YaRN's temperature and, for the layer, `score_scale`.

    With dynamic NTK and LongRoPE the frequencies follow the length of the text, so the angles of
    earlier keys change as the text grows: cache keys before they turn, or turn all keys with one
    `length`.
    """

    cost: ClassVar[str] = (
        "4 multiplications and 2 additions for each pair of a query or key, in every layer"
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
    pairing: Literal["adjacent", "half-split"] = param(
        "adjacent", doc="which dimensions turn together: neighbours, or i and i + half"
    )
    rotary_share: float = param(1.0, ge=0, le=1, doc="share of the dimensions that turn")
    share: Literal["partial", "proportional"] = param(
        "partial", doc="what the share is of: dimensions, or the pairs of a head", hidden=True
    )
    scaling: Literal["none", "linear", "ntk", "dynamic-ntk", "yarn", "llama3"] = param(
        "none", doc="how angles are changed for texts longer than in training"
    )
    factor: float = param(1.0, ge=1, le=1e6, slider=(1, 32, 0.5), doc="longer than trained by")
    trained_length: int = param(
        2048, ge=2, le=2**31, slider=(128, 8192, 128), doc="tokens of a text in training"
    )
    yarn_many_turns: float = param(32.0, ge=1e-3, le=1e6)
    yarn_few_turns: float = param(1.0, ge=1e-3, le=1e6)
    yarn_truncate: bool = param(True, doc="whether the ramp's ends are rounded", hidden=True)
    attention_factor: float | None = param(None, ge=1e-3, le=1e3, doc="temperature as stated")
    mscale: float = param(0.0, ge=0, le=1e3, doc="of YaRN's temperature; 0 is not given")
    mscale_all_dim: float = param(0.0, ge=0, le=1e3, doc="of the score's scale; 0 is not given")
    llama3_low_factor: float = param(1.0, ge=1e-3, le=1e6)
    llama3_high_factor: float = param(4.0, ge=1e-3, le=1e6)
    longrope_short: tuple[float, ...] = ()
    longrope_long: tuple[float, ...] = ()

    def __new__(cls, *_: Any, **names: Any) -> Self:
        """Refuse the names that other libraries use, with ours. Raises ParameterError."""
        require_known_names(names)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Check every parameter and how they fit together. Raises ParameterError."""
        require_known_words(self)
        super().__post_init__()
        require_fitting(self)
        longrope = {"longrope_short": self.longrope_short, "longrope_long": self.longrope_long}
        divisors = require_divisors(longrope, self.turning // 2)
        if divisors and self.scaling != "none":
            raise ParameterError("scaling", self.scaling, "must be none with LongRoPE's divisors")
        for name, checked in divisors.items():
            object.__setattr__(self, name, checked)

    @property
    def turning(self) -> int:
        """Return R, the dimensions in pairs: all D with proportional frequencies."""
        if self.share == "proportional":
            return self.head_dim
        return int(self.rotary_share * self.head_dim)

    @property
    def moving_pairs(self) -> int:
        """Return how many pairs turn at all."""
        if self.share == "proportional":
            return int(self.rotary_share * self.head_dim / 2)
        return self.turning // 2

    @cached_property
    def inv_freq(self) -> npt.NDArray[np.float64]:
        """Return radians per token, (P,), for texts of up to the trained length."""
        return self.inv_freq_for(self.trained_length)

    def inv_freq_for(self, length: int) -> npt.NDArray[np.float64]:
        """Return radians per token, (P,), for a text of `length` tokens. Raises ParameterError."""
        return frequencies_for(self, _require_length(length))

    @property
    def by_length(self) -> bool:
        """Return whether the frequencies depend on how long the text is."""
        return self.scaling == "dynamic-ntk" or bool(self.longrope_long)

    @property
    def temperature(self) -> float:
        """Return the factor of the dimensions that turn; 1 except for YaRN and LongRoPE."""
        return temperature_of(self)

    @property
    def score_scale(self) -> float:
        """Return the factor of the scores beyond 1/sqrt(D): m(s, mscale_all_dim)^2, 1 without it.

        The hooks do not apply it, since it is of the whole layer: give attention the scale
        score_scale / sqrt(D), with D = 192 in DeepSeek-V3. m(s, a) = 0.1 a ln s + 1.
        Source: DeepSeek-V3's inference/model.py.
        """
        if not self.mscale_all_dim:
            return 1.0
        return yarn_temperature(self.factor, self.mscale_all_dim) ** 2

    @property
    def yarn_ramp(self) -> tuple[float, float] | None:
        """Return the pairs at which YaRN's ramp begins and ends, as indexes; None without YaRN."""
        if self.scaling != "yarn":
            return None
        turns = (self.yarn_many_turns, self.yarn_few_turns)
        size = (self.base, self.turning, self.trained_length)
        return yarn_ramp(*size, turns, truncate=self.yarn_truncate)

    def angles(self, positions: Array, *, length: int | None = None) -> Array:
        """Return position * inv_freq in radians, float64, (..., L) -> (..., L, P).

        Where the frequencies depend on it, `length` is the length of the text; by default one more
        than the highest position. Raises ParameterError unless positions are finite, (..., L).
        """
        if length is not None:
            length = _require_length(length)
        if not self.by_length:
            return angles_of(positions, self.inv_freq)
        if length is None:
            length = length_of_text(require_positions("positions", positions))
        return angles_of(positions, self.inv_freq_for(length))

    def rotate(
        self,
        x: Array,
        positions: Array,
        *,
        length: int | None = None,
        layout: Layout = "BHLD",
    ) -> Array:
        """Return x (..., L, D) rotated, in its dtype; x (..., L, H, D) with layout="BLHD".

        Positions are the same in both layouts: (L,), or (B, 1, L) for the texts of a batch.
        The norm of the first R dimensions is multiplied by the temperature, 1 for most scalings;
        the dimensions that do not turn stay as they are.
        Angles are float64, the rotation float32 or wider, and the cast comes last.
        Raises ParameterError unless x is of its layout and positions fit it.
        """
        if require_floating("x", x).ndim < 2 or x.shape[-1] != self.head_dim:
            raise ParameterError("x", x, f"must be (..., L, {self.head_dim}), as head_dim says")
        require_one_for_each_token("positions", positions, "x", x, layout)
        require_same_batch("positions", positions, "x", x, layout=layout)
        waves = self.waves(positions, like=x, length=length)
        return self.turn(x, *waves, layout=layout)

    def waves(
        self, positions: Array, *, like: Array, length: int | None = None
    ) -> tuple[Array, Array]:
        """Return cos and sin of the angles, (..., L, P) each, ready to turn arrays like `like`.

        Raises ParameterError for positions of another library than `like`.
        """
        xp = array_namespace(require_floating("like", like))
        angles = self.angles(positions, length=length)
        if array_namespace(positions) is not xp:
            raise ParameterError("positions", positions, "must be from the same library as like")
        wide = xp.result_type(like.dtype, xp.float32)
        cos, sin = self.temperature * xp.cos(angles), self.temperature * xp.sin(angles)
        home: Any = device(like)
        return to_device(xp.astype(cos, wide), home), to_device(xp.astype(sin, wide), home)

    def turn(self, x: Array, cos: Array, sin: Array, *, layout: Layout = "BHLD") -> Array:
        """Return x (..., L, D) with its pairs turned by angles given as cos and sin (..., L, P).

        With layout="BLHD" x is (..., L, H, D); cos and sin are the same, as `waves` returns them.
        Raises ParameterError.
        """
        shape = getattr(x, "shape", None)  # turn_pairs checks the rest of x
        if not (isinstance(shape, tuple) and shape) or shape[-1] != self.head_dim:
            require_floating("x", x)
            raise ParameterError("x", x, f"must be (..., L, {self.head_dim}), as head_dim says")
        return turn_pairs(x, cos, sin, pairing=self.pairing, layout=layout)

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

        With layout="BLHD" they are (..., Lq, H, D) and (..., Lk, H or fewer, D). Positions are (L,)
        or (B, L) in both layouts.
        """
        del weights
        require_positions("q_positions", q_positions)
        require_positions("k_positions", k_positions)
        length = None
        if self.by_length:
            length = max(length_of_text(q_positions), length_of_text(k_positions))
        with named(x="q", positions="q_positions"):
            turned_q = self.rotate(q, for_all_heads(q_positions), length=length, layout=layout)
        with named(x="k", positions="k_positions"):
            turned_k = self.rotate(k, for_all_heads(k_positions), length=length, layout=layout)
        return turned_q, turned_k


def _require_length(length: object) -> int:
    return require_whole_number("length", length, low=0, high=int(FARTHEST) + 1)


rope = register(
    Rope, slug="rope", title="Rotary position embedding (RoPE)", source="arXiv:2104.09864"
)
