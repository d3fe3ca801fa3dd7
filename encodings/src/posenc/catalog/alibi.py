"""ALiBi: each head takes a penalty that grows with distance off its scores, nothing is learned.

Source: Press et al. 2021, Train Short, Test Long, arXiv:2108.12409, section 3, for head counts that
are powers of two; the authors' released code (function get_slopes) for all others.
Shapes: H = heads, Lq queries, Lk keys.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from array_api_compat import array_namespace, device, to_device

from posenc.angles import beside
from posenc.encoding import Array, Encoding, Weights, param
from posenc.pairs import add_to_scores, relate, require_scores
from posenc.positions import in_float64, require_float_type
from posenc.registry import register
from posenc.views import ViewData, cell_axis, end_axis, number_axis
from posenc.wording import rounded

NOTICED = 10  # nats: a key with this penalty has a share of 1 in 22 000 beside an equal one


@dataclass(frozen=True)
class Alibi(Encoding):
    """Add -slope[h] * |key - query| to the scores of head h.

    For a power of two the slopes are 2^(-8h/H), h = 1 .. H. For other head counts the authors'
    code takes those of the next lower power of two and then every second slope of twice that power,
    so that 12 heads begin at 1/2; the rule "geometric" is the formula applied to any count. The
    symmetric form penalises later keys too; the causal one leaves them to the mask.
    """

    cost: ClassVar[str] = "one addition for each score, in every layer; its H slopes are fixed"

    n_heads: int = param(8, ge=1, le=4096, slider=(1, 32, 1))
    rule: Literal["authors", "geometric"] = param("authors")
    form: Literal["symmetric", "causal"] = param("symmetric")

    @cached_property
    def slopes(self) -> npt.NDArray[np.float64]:
        """Return what a head subtracts for each token of distance, (H,)."""
        if self.rule == "geometric":
            return _geometric(self.n_heads)
        lower = 2 ** math.floor(math.log2(self.n_heads))
        between = _geometric(2 * lower)[0::2]
        return np.concatenate([_geometric(lower), between[: self.n_heads - lower]])

    def penalties(self, relative: Array) -> Array:
        """Return what each head subtracts at relative positions (U,), float64, (H, U)."""
        exact = in_float64(relative)
        xp = array_namespace(exact)
        distance = xp.abs(exact) if self.form == "symmetric" else xp.clip(-exact, min=0.0)
        return beside(self.slopes, exact)[:, None] * distance

    def bias(self, q_positions: Array, k_positions: Array, *, dtype: Any = None) -> Array:
        """Return what is added to scores, (H, Lq, Lk), or (B, H, Lq, Lk) for a batch.

        Float64 unless told otherwise. Raises ParameterError.
        """
        relation = relate(q_positions, k_positions)
        penalties = self.penalties(relation.values)
        xp = array_namespace(penalties)
        terms = xp.astype(-penalties, require_float_type(xp, dtype), copy=False)
        return relation.spread(to_device(terms, device(q_positions)))

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


def _geometric(n_heads: int) -> npt.NDArray[np.float64]:
    """Return 2^(-8h/H) for h = 1 .. H, from Python floats."""
    return np.array([2.0 ** (-8 * head / n_heads) for head in range(1, n_heads + 1)])


alibi = register(Alibi, slug="alibi", title="ALiBi", source="arXiv:2108.12409")


@alibi.view(
    "penalties",
    title="What a head takes off its scores",
    kind="heatmap",
    scale="magnitude",
    params={
        "tokens": param(32, ge=2, slider=(8, 128, 4), doc="queries and keys"),
        "head": param(1, ge=1, slider=(1, 32, 1), doc="head, from 1"),
    },
)
def penalties(encoding: Alibi, *, tokens: int, head: int) -> ViewData:
    """Return the penalty of each query and key for one head, (tokens, tokens), NaN where masked.

    Heads beyond the last show the last.
    """
    positions, head = np.arange(tokens), min(head, encoding.n_heads)
    slope = float(encoding.slopes[head - 1])
    values = 0.0 - encoding.bias(positions, positions)[head - 1]
    if encoding.form == "causal":
        values = np.where(positions[None, :] > positions[:, None], np.nan, values)
    steepest = float(encoding.slopes.max()) * (tokens - 1)
    reach = NOTICED / slope
    return ViewData(
        kind="heatmap",
        scale="magnitude",
        values=values,
        x=cell_axis("position of the key", tokens, most=10),
        y=cell_axis("position of the query", tokens, most=6),
        limits=(0.0, steepest),
        unit="penalty",
        bend=0.1,
        bar_ticks=tuple(tick for tick in (0.1, 0.5, 2.0, 8.0) if tick < steepest / 1.5),
        masked="later keys, which a causal mask hides",
        title="The further a key is away, the more is taken off its score",
        subtitle=f"Head {head} of {encoding.n_heads}, slope {rounded(slope)}; one logarithmic scale"
        " of colours for all heads.",
        finding=f"This head takes off {NOTICED} at a distance of {rounded(reach)}; in this picture"
        f" at most {rounded(slope * (tokens - 1))}, the steepest head {rounded(steepest)}.",
        row_noun="query",
        row_names=tuple(str(row) for row in range(tokens)),
        column_noun="key",
        column_names=tuple(str(column) for column in range(tokens)),
        summary={"slope": slope, "reach": reach},
    )


@alibi.view(
    "slopes",
    title="Penalty against distance, head by head",
    kind="curves",
    scale="magnitude",
    params={"distances": param(100, ge=1, slider=(10, 2000, 10), doc="largest distance")},
)
def slopes(encoding: Alibi, *, distances: int) -> ViewData:
    """Return the penalty of six heads or fewer at each distance, (heads, distances + 1)."""
    count = encoding.n_heads
    heads = sorted({round(one * (count - 1) / 5) for one in range(6)})
    whole = np.arange(distances + 1.0)
    values = 0.0 - encoding.bias(whole, np.zeros(1))[heads, :, 0]
    names = tuple(f"head {head + 1}" for head in heads)
    steepest, flattest = float(encoding.slopes.max()), float(encoding.slopes.min())
    return ViewData(
        kind="curves",
        scale="magnitude",
        values=values,
        x=end_axis("distance between query and key", distances, values=whole),
        y=number_axis("penalty", 0.0, float(values.max())),
        limits=(0.0, float(values.max())),
        title="Some heads see only their neighbours, others far",
        subtitle=f"{len(heads)} of {count} heads, rule {encoding.rule}.",
        finding=f"A penalty of {NOTICED} is reached at distance {rounded(NOTICED / steepest)} by"
        f" the steepest head and at {rounded(NOTICED / flattest)} by the flattest.",
        unit="penalty",
        series=names,
        row_noun="head",
        row_names=names,
        column_noun="distance",
        column_names=tuple(str(distance) for distance in range(distances + 1)),
    )
