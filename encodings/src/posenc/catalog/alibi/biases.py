"""Figure 8: the penalties of every head, small multiples on one logarithmic scale."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from posenc.catalog.alibi.encoding import Alibi, alibi
from posenc.catalog.alibi.views import BEND, MASKED, NOTICED, bar_ticks
from posenc.encoding import param
from posenc.number_format import counted, rounded
from posenc.pictures import map_of_pairs, side_by_side
from posenc.views import ViewData

MOST_HEADS = 12  # of one picture
SEVERAL_IN_A_ROW = 4


@alibi.view(
    "biases",
    title="What every head takes off its scores",
    kind="panels",
    scale="magnitude",
    along_x=("tokens",),
    params={
        "tokens": param(32, ge=2, le=512, slider=(8, 64, 4), doc="queries and keys"),
        "causal": param(True, doc="whether later keys are masked"),
    },
)
def biases(encoding: Alibi, *, tokens: int, causal: bool) -> ViewData:
    """Return the penalty of each query and key for up to twelve heads, NaN where masked.

    The table has the penalty of each head at each distance, (heads, tokens).
    """
    positions = np.arange(tokens)
    heads = _shown(encoding.n_heads)
    relative = (positions - positions[:, None]).astype(np.float64)
    penalties = encoding.slopes[heads][:, None, None] * encoding.distances(relative)
    if causal or encoding.form == "causal":
        penalties[:, positions[None, :] > positions[:, None]] = np.nan
    steepest = float(encoding.slopes.max()) * (tokens - 1)
    panels = tuple(
        _head(one, head, float(encoding.slopes[head]), steepest)
        for one, head in zip(penalties, heads, strict=True)
    )
    slopes = encoding.slopes[heads]
    reach = NOTICED / slopes
    return side_by_side(
        panels,
        table=_table(panels[0], slopes, heads, tokens),
        columns=SEVERAL_IN_A_ROW,
        title="Each head forgets at its own pace",
        subtitle=f"{len(heads)} of {counted(encoding.n_heads, 'head')}, {tokens} tokens; rows"
        " are queries, columns keys; one logarithmic scale of colours.",
        finding=f"At distance {tokens - 1} head {heads[0] + 1} takes off"
        f" {rounded(float(slopes[0]) * (tokens - 1))} and head {heads[-1] + 1}"
        f" {rounded(float(slopes[-1]) * (tokens - 1))}. The steepest head shown"
        f" has taken off {NOTICED} at distance {rounded(float(reach.min()))}, the flattest at"
        f" {rounded(float(reach.max()))}.",
        summary={"steepest": float(slopes.max()), "flattest": float(slopes.min())},
    )


def _shown(n_heads: int) -> list[int]:
    """Return all heads, or twelve from the first to the last."""
    shown = min(n_heads, MOST_HEADS)
    return sorted({round(one * (n_heads - 1) / max(shown - 1, 1)) for one in range(shown)})


def _head(values: npt.NDArray[np.float64], head: int, slope: float, steepest: float) -> ViewData:
    return map_of_pairs(
        values,
        scale="magnitude",
        limits=(0.0, steepest),
        title=f"head {head + 1}: {_fraction(slope)}",
        subtitle="",
        finding="",
        unit="penalty",
        bend=BEND,
        bar_ticks=bar_ticks(steepest),
        masked=MASKED,
        small=True,
    )


def _table(
    first: ViewData, slopes: npt.NDArray[np.float64], heads: list[int], tokens: int
) -> ViewData:
    return replace(
        first,
        y=replace(first.y, label="query"),
        values=np.multiply.outer(slopes, np.arange(float(tokens))),
        row_noun="head",
        row_names=tuple(str(head + 1) for head in heads),
        column_noun="distance",
        column_names=tuple(str(distance) for distance in range(tokens)),
    )


def _fraction(slope: float) -> str:
    """Return 1/256, or 0.0884 for a slope that is no power of two."""
    times = 1 / slope
    return f"1/{times:.0f}" if times.is_integer() else rounded(slope)
