"""Sinusoidal positional encoding: a position is a vector of sines and cosines, nothing is learned.

Source: Vaswani et al. 2017, Attention Is All You Need, arXiv:1706.03762, section 3.5.
Shapes: L = positions, D = d_model, P = pairs: ceil(D/2) on the paper's grid, otherwise D//2.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from posenc.angles import angles_of
from posenc.arrays import array_namespace, device, to_device
from posenc.encoding import Array, Encoding, Weights, param
from posenc.errors import ParameterError
from posenc.positions import (
    require_device,
    require_float_type,
    require_floating,
    require_library,
    require_one_for_each_row,
    require_same_batch,
    require_whole_number,
)
from posenc.registry import register
from posenc.wave_tables import WaveTables
from posenc.weights import MOST_WEIGHTS

Wave = Literal["sine", "cosine", "zero"]

WAVES: tuple[Wave, Wave] = ("sine", "cosine")


@dataclass(frozen=True)
class Sinusoidal(Encoding):
    """Add sin(p * inv_freq[i]) and cos(p * inv_freq[i]) of position p to the embeddings.

    Pair i turns by inv_freq[i] = base^(-2i/D) radians per token on the paper's grid, and by
    base^(-i/(P-1)) on the grid of tensor2tensor, the authors' code, whose slowest pair has a period
    of exactly 2 pi base. Interleaved, the paper's layout, puts pair i in columns 2i and 2i+1;
    concatenated puts all sines before all cosines. With an odd D the paper's last pair has a sine
    only, and tensor2tensor's table ends in a column of zeros.
    """

    relative: ClassVar[bool] = False
    cost: ClassVar[str] = "one addition for each number of the embeddings, once for the whole model"

    d_model: int = param(
        512, ge=2, le=65_536, slider=(2, 1024, 1), doc="numbers in a token's vector"
    )
    base: float = param(
        10_000.0,
        ge=1,
        le=1e15,
        slider=(10, 1e6, 1),
        scale="log",
        doc="sets the slowest frequency; no unit",
    )
    grid: Literal["paper", "tensor2tensor"] = param(
        "paper", doc="which frequencies: the paper's, or those of its code"
    )
    layout: Literal["interleaved", "concatenated"] = param(
        "interleaved", doc="sine and cosine in turn, or all sines first"
    )

    @cached_property
    def inv_freq(self) -> npt.NDArray[np.float64]:
        """Return radians per token, (P,): from Python floats, so every library gets these bits."""
        pairs = (self.d_model + 1) // 2 if self.grid == "paper" else self.d_model // 2
        step, below = self.exponent(1)
        exponents = (step * np.arange(pairs) / below).tolist()
        inv_freq = np.array([self.base**-exponent for exponent in exponents])
        inv_freq.flags.writeable = False
        return inv_freq

    @cached_property
    def _tables(self) -> WaveTables:
        return WaveTables(self.inv_freq)

    def exponent(self, pair: int) -> tuple[int, int]:
        """Return the fraction in base^(above/below), the divisor of pair i."""
        if self.grid == "paper":
            return 2 * pair, self.d_model
        return pair, max(self.d_model // 2 - 1, 1)

    @property
    def wavelengths(self) -> npt.NDArray[np.float64]:
        """Return the positions in one turn of each pair, (P,)."""
        return 2 * np.pi / self.inv_freq

    def angles(self, positions: Array) -> Array:
        """Return position * inv_freq in radians, float64, (..., L) -> (..., L, P).

        Raises ParameterError unless positions are finite, (..., L).
        """
        return angles_of(positions, self.inv_freq)

    def encode(self, positions: Array, *, dtype: Any = None) -> Array:
        """Return the code of each position, (..., L) -> (..., L, D), float64 without `dtype`.

        Angles are float64 and the cast comes last: float32 angles are off by 1e-2 at position 1e5.
        """
        angles = self.angles(positions)
        xp = array_namespace(angles)
        dtype = require_float_type(xp, dtype)
        code = xp.empty((*angles.shape[:-1], self.d_model), dtype=xp.float64, device=device(angles))
        sines, cosines = self._places(code)
        sines[...] = xp.sin(angles)
        cosines[...] = xp.cos(angles[..., : cosines.shape[-1]])
        return to_device(xp.astype(code, dtype), device(positions))

    def table(
        self,
        length: int,
        *,
        start: int = 0,
        xp: Any = np,
        dtype: Any = None,
        device: Any = None,
    ) -> Array:
        """Return the codes of positions start .. start + length-1, (L, D), from the library `xp`.

        Float64 unless `dtype` says otherwise. Much faster than `encode`, and as near the truth:
        within 2e-11 up to position 1e5. The tables of numpy and torch are within 1e-15 of each
        other.
        Raises ParameterError, for a table of more than 2^31 numbers too.
        """
        longest = MOST_WEIGHTS // self.d_model
        length = require_whole_number("length", length, low=0, high=longest)
        start = require_whole_number("start", start, low=0, high=2**53 - MOST_WEIGHTS)
        xp = require_library(xp)
        home = require_device(xp, device)
        table = xp.empty((length, self.d_model), dtype=require_float_type(xp, dtype))
        if self.d_model > 2 * len(self.inv_freq):
            table[:, -1] = 0
        self._tables.fill(table, start=start, interleaved=self.layout == "interleaved")
        return table if home is None else to_device(table, home)

    def on_embeddings(self, x: Array, positions: Array, weights: Weights) -> Array:
        """Return x (..., L, D) plus the code of its positions, in the dtype of x."""
        del weights
        if require_floating("x", x).ndim == 0 or x.shape[-1] != self.d_model:
            raise ParameterError("x", x, f"must be (..., L, {self.d_model}), as d_model says")
        require_one_for_each_row("positions", positions, "x", x)
        require_same_batch("positions", positions, "x", x)
        return x + self.encode(positions, dtype=x.dtype)

    def column(self, dimension: int) -> tuple[Wave, int]:
        """Return the kind of a dimension, "sine", "cosine" or "zero", and its pair."""
        dimension = require_whole_number("dimension", dimension, low=0, high=self.d_model - 1)
        pairs = len(self.inv_freq)
        if self.layout == "interleaved":
            pair, wave = dimension // 2, dimension % 2
        else:
            pair, wave = dimension % pairs, dimension // pairs
        beyond = pair >= pairs or wave > 1
        return ("zero", pairs) if beyond else (WAVES[wave], pair)

    def _places(self, code: Array) -> tuple[Array, Array]:
        """Return the parts of code (..., D) for sines and cosines; set other columns to zero."""
        pairs, D = len(self.inv_freq), self.d_model
        code[..., 2 * pairs :] = 0
        if self.layout == "interleaved":
            return code[..., 0 : 2 * pairs : 2], code[..., 1 : 2 * pairs : 2]
        return code[..., :pairs], code[..., pairs : pairs + D // 2]


sinusoidal = register(
    Sinusoidal, slug="sinusoidal", title="Sinusoidal positional encoding", source="arXiv:1706.03762"
)


def kinds_of(encoding: Sinusoidal) -> tuple[str, ...]:
    """Return the kind of each column of the code, in words."""
    pairs = len(encoding.inv_freq)
    waves = ("sines", "cosines") * pairs
    if encoding.layout == "concatenated":
        waves = ("sines",) * pairs + ("cosines",) * pairs
    return (*waves, "always zero")[: encoding.d_model]
