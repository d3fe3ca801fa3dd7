"""ALiBi: each head takes a penalty that grows with distance off its scores, nothing is learned.

Source: Press et al. 2021, Train Short, Test Long, arXiv:2108.12409, section 3, for head counts that
are powers of two; the authors' released code (function get_slopes) for all others.
Shapes: H = heads, Lq queries, Lk keys.
"""

import math
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from posenc.angles import beside
from posenc.arrays import array_namespace, device, is_torch_array, outlives_the_call, to_device
from posenc.encoding import Array, Encoding, Weights, param
from posenc.ends import first_and_last
from posenc.errors import ParameterError
from posenc.pairs import add_to_scores, relate, require_scores
from posenc.pieces import numbers_at_once
from posenc.positions import (
    in_float64,
    require_float_type,
    require_floating,
    require_positions,
)
from posenc.registry import register

EXACT_IN_FLOAT32 = 2**24  # whole numbers up to here


@dataclass(frozen=True)
class Alibi(Encoding):
    """Add -slope[h] * |key - query| to the scores of head h.

    For a power of two the slopes are 2^(-8h/H), h = 1 .. H. For other head counts the authors' code
    takes the slopes of the next lower power of two and then every second slope of twice that power,
    so that 12 heads begin at 1/2; the rule "geometric" is the formula applied to any count. The
    symmetric form penalises later keys too; the causal one leaves them to the mask.
    """

    cost: ClassVar[str] = "one addition for each score, in every layer; its H slopes are fixed"

    n_heads: int = param(8, ge=1, le=4096, slider=(1, 32, 1), doc="attention heads of the layer")
    rule: Literal["authors", "geometric"] = param(
        "authors",
        doc="slopes: as in the authors' code, or in one geometric sequence",
    )
    form: Literal["symmetric", "causal"] = param(
        "symmetric", doc="penalty on both sides, or on earlier keys alone"
    )

    @cached_property
    def slopes(self) -> npt.NDArray[np.float64]:
        """Return the penalty of each head for one token of distance, (H,)."""
        if self.rule == "geometric":
            return _geometric(self.n_heads)
        lower = 2 ** math.floor(math.log2(self.n_heads))
        between = _geometric(2 * lower)[0::2]
        return np.concatenate([_geometric(lower), between[: self.n_heads - lower]])

    def penalties(self, relative: Array) -> Array:
        """Return the penalties of each head at relative positions (U,), float64, (H, U).

        Raises ParameterError.
        """
        if require_positions("relative", relative).ndim != 1:
            raise ParameterError("relative", relative, "must have one axis, (U,)")
        distances = self.distances(in_float64(relative))
        return beside(self.slopes, distances)[:, None] * distances

    def bias(self, q_positions: Array, k_positions: Array, *, dtype: Any = None) -> Array:
        """Return the bias of each head and pair, (H, Lq, Lk), or (B, H, Lq, Lk) for a batch.

        Float64 unless `dtype` says otherwise; in float16 penalties over 65504 are infinite, which
        changes nothing, since such a key has no weight. Raises ParameterError.
        """
        relation = relate(q_positions, k_positions)
        relative, slopes = relation.values, -self.slopes
        xp = array_namespace(relative)
        dtype = require_float_type(xp, dtype)
        if dtype != xp.float64 and self._float32_is_exact(relative):
            exact, slopes = xp.astype(relative, xp.float32), slopes.astype(np.float32)
        else:
            exact = in_float64(relative)
        distances = self.distances(exact)
        slopes = beside(slopes, exact)[:, None]
        if exact.dtype == dtype or not outlives_the_call(exact):
            terms = xp.astype(slopes * distances, dtype, copy=False)
        else:
            terms = xp.empty((self.n_heads, distances.shape[0]), dtype=dtype, device=device(exact))
            wide = dtype != xp.float16 and xp.isdtype(relative.dtype, "integral")
            octaves = self._octaves if wide else self._octaves[:1]
            first = self.n_heads // octaves.shape[0]
            _multiply_in_pieces(slopes[:first], distances, terms[:first])
            _repeat_in_octaves(terms, octaves)
        return relation.spread(to_device(terms, device(q_positions)))

    def _float32_is_exact(self, relative: Array) -> bool:
        """Return whether no product needs more digits: slopes are powers of two up to 8 heads."""
        whole = array_namespace(relative).isdtype(relative.dtype, "integral")
        if not whole or not self._powers_of_two or 0 in relative.shape:
            return False
        ends = first_and_last(relative)
        return ends is not None and max(-ends[0], ends[1]) <= EXACT_IN_FLOAT32

    @cached_property
    def _powers_of_two(self) -> bool:
        return bool((np.frexp(self.slopes)[0] == 0.5).all())

    @cached_property
    def _octaves(self) -> npt.NDArray[np.float64]:
        """Return the factors, powers of two, that give all slopes from those of the first heads.

        (octaves,), a factor for each repetition of the first H / octaves heads, the first 1.
        """
        for apart in (one for one in range(1, self.n_heads) if self.n_heads % one == 0):
            firsts: npt.NDArray[np.float64] = self.slopes[::apart] / self.slopes[0]
            again = np.outer(firsts, self.slopes[:apart])
            if (np.frexp(firsts)[0] == 0.5).all() and (again.ravel() == self.slopes).all():
                return firsts
        return np.ones(1)

    def distances(self, relative: Array) -> Array:
        """Return the penalised distances, float (...): 0 for later keys, if causal."""
        xp = array_namespace(require_floating("relative", relative))
        return xp.abs(relative) if self.form == "symmetric" else xp.clip(-relative, min=0.0)

    def on_scores(
        self,
        scores: Array,
        q: Array,
        k: Array,
        q_positions: Array,
        k_positions: Array,
        weights: Weights,
    ) -> Array:
        """Return scores (..., H, Lq, Lk) with the penalty of each head, in their dtype."""
        del q, k, weights
        require_scores(scores, q_positions, k_positions, n_heads=self.n_heads)
        xp = array_namespace(scores)
        wide = xp.result_type(scores.dtype, xp.float32)
        return add_to_scores(scores, self.bias(q_positions, k_positions, dtype=wide))


def _multiply_in_pieces(slopes: Array, distances: Array, terms: Array) -> None:
    """Write slopes (H, 1) times distances (U,) to terms (H, U), rounded once, by way of float64."""
    xp, (heads, count) = array_namespace(terms), terms.shape
    step = max(1, min(numbers_at_once(terms, size=8) // heads, count))
    beyond_float16 = nullcontext() if is_torch_array(terms) else np.errstate(over="ignore")
    room = xp.empty((heads, step), dtype=distances.dtype, device=device(distances))
    for first in range(0, count, step):
        part = distances[first : first + step]
        made = xp.multiply(slopes, part, out=room[:, : part.shape[0]])
        with beyond_float16:
            terms[:, first : first + step] = made


def _repeat_in_octaves(terms: Array, octaves: npt.NDArray[np.float64]) -> None:
    """Write the first heads of terms (H, U), times powers of two, to the others: no digit is lost.

    No term of a whole distance is too small for that, and only float16 has terms too large.
    """
    (heads, count), repeated = terms.shape, octaves.shape[0] - 1
    if repeated and count:
        xp, first = array_namespace(terms), heads // (repeated + 1)
        shares = xp.astype(beside(octaves[1:], terms), terms.dtype, copy=False)
        others = terms[first:].reshape((repeated, first, count))
        xp.multiply(terms[:first], shares[:, None, None], out=others)


def _geometric(n_heads: int) -> npt.NDArray[np.float64]:
    """Return 2^(-8h/H) for h = 1 .. H, from Python floats."""
    return np.array([2.0 ** (-8 * head / n_heads) for head in range(1, n_heads + 1)])


alibi = register(Alibi, slug="alibi", title="ALiBi", source="arXiv:2108.12409")
