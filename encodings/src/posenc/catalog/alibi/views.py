"""The views of ALiBi."""

import numpy as np

from posenc.catalog.alibi.encoding import Alibi, alibi
from posenc.encoding import param
from posenc.number_format import rounded
from posenc.views import Band, ViewData, cell_axis, end_axis, log_axis

NOTICED = 10  # nats: a key with this penalty has a share of 1 in 22 000 beside an equal one
BEND = 0.1  # of the logarithmic colours: below it they are nearly linear
MASKED = "later keys, which a causal mask hides"


def missing_head(n_heads: int, head: int) -> str:
    """Return a sentence, and a space, for a head beyond the last; "" for one that there is."""
    if head <= n_heads:
        return ""
    return f"There is no head {head}: head {n_heads} is shown. "


@alibi.view(
    "penalties",
    title="What a head takes off its scores",
    kind="heatmap",
    scale="magnitude",
    along_x=("tokens",),
    params={
        "tokens": param(32, ge=2, le=1024, slider=(8, 128, 4), doc="queries and keys"),
        "head": param(1, ge=1, le=4096, slider=(1, 32, 1), doc="head, from 1"),
    },
    in_page="alibi/penalties.js",
    in_page_cells=300_000,
    tokens_on="both",
)
def penalties(encoding: Alibi, *, tokens: int, head: int) -> ViewData:
    """Return the penalty of each query and key for one head, (tokens, tokens), NaN where masked.

    Heads beyond the last show the last.
    """
    missing = missing_head(encoding.n_heads, head)
    positions, head = np.arange(tokens), min(head, encoding.n_heads)
    slope = float(encoding.slopes[head - 1])
    relative = (positions - positions[:, None]).astype(np.float64)
    values = slope * encoding.distances(relative)  # of this head alone: there may be thousands
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
        bend=BEND,
        bar_ticks=bar_ticks(steepest),
        masked=MASKED,
        title="The further a key is away, the more is taken off its score",
        subtitle=f"Head {head} of {encoding.n_heads}, slope {rounded(slope)}; one logarithmic scale"
        " of colours for all heads.",
        finding=f"{missing}This head takes off {NOTICED} at a distance of {rounded(reach)}; in this"
        f" picture at most {rounded(slope * (tokens - 1))}, the steepest head {rounded(steepest)}.",
        square=True,
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
    along_x=("distances",),
    params={
        "distances": param(100, ge=1, le=100_000, slider=(10, 2000, 10), doc="largest distance")
    },
    in_page="alibi/slopes.js",
    in_page_cells=100_000,
)
def slopes(encoding: Alibi, *, distances: int) -> ViewData:
    """Return the penalty of six heads or fewer at distances 1 .. distances, (heads, distances).

    The scale is logarithmic, on which the flat heads are as legible as the steep ones. Distance 0,
    without a penalty, has no place on it.
    """
    count = encoding.n_heads
    heads = sorted({round(one * (count - 1) / 5) for one in range(6)})
    whole = np.arange(1.0, distances + 1)
    values = encoding.slopes[heads][:, None] * encoding.distances(-whole)
    y = log_axis("penalty", float(values.min()), max(float(values.max()), NOTICED))
    steepest, flattest = float(encoding.slopes.max()), float(encoding.slopes.min())
    return ViewData(
        kind="curves",
        scale="magnitude",
        values=values,
        x=end_axis("distance between query and key", distances, values=whole),
        y=y,
        limits=y.limits,
        band=Band(NOTICED, y.limits[1], f"{NOTICED} or more: hardly seen"),
        title="Some heads see only their neighbours, others far",
        subtitle=f"{len(heads)} of {count} heads, rule {encoding.rule}; logarithmic scale.",
        finding=f"A penalty of {NOTICED} is reached at distance {rounded(NOTICED / steepest)} by"
        f" the steepest head and at {rounded(NOTICED / flattest)} by the flattest.",
        unit="penalty",
        series=tuple(f"head {head + 1}" for head in heads),
        row_noun="head",
        row_names=tuple(str(head + 1) for head in heads),
        column_noun="distance",
        column_names=tuple(str(distance) for distance in range(1, distances + 1)),
    )


def bar_ticks(steepest: float) -> tuple[float, ...]:
    """Return the penalties named on a colour bar that ends at the steepest."""
    return tuple(tick for tick in (0.1, 0.5, 2.0, 8.0) if tick < steepest / 1.5)
