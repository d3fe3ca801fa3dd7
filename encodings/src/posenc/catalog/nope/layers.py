"""Figures of layers: what windows let through, and what a sink or a temperature does to weights."""

import numpy as np
import numpy.typing as npt

from posenc.attention import softmax
from posenc.catalog.nope.encoding import NoPE, nope
from posenc.encoding import param
from posenc.number_format import counted, grouped, rounded
from posenc.pictures import map_of_pairs
from posenc.views import Axis, ViewData, cell_axis

BEST, SECOND = 2.0, 1.0  # the scores of the first two keys; all others have 0
Numbers = npt.NDArray[np.float64]


@nope.view(
    "windows",
    title="What layers with a window let through",
    kind="heatmap",
    scale="magnitude",
    along_x=("tokens",),
    params={
        "tokens": param(12, ge=1, le=1024, slider=(4, 48, 1), doc="tokens of the text"),
        "window": param(
            4, ge=1, le=1024, slider=(1, 16, 1), doc="keys that a query sees, itself among them"
        ),
        "layers": param(1, ge=1, le=1024, slider=(1, 8, 1), doc="layers, one after the other"),
    },
    in_page="nope/windows.js",
    in_page_cells=10_000,
)
def windows(encoding: NoPE, *, tokens: int, window: int, layers: int) -> ViewData:
    """Return the layers that it takes from each key to each query, (L, L), NaN if there are more.

    A token that counts for an output after one layer is seen directly: with one layer, the picture
    is the mask. Each further layer adds window - 1 tokens.
    """
    del encoding  # a mask asks for no encoding
    at = np.arange(tokens)
    distance = (at[:, None] - at).astype(np.float64)
    needed = np.maximum(np.ceil(distance / max(window - 1, 1)), 1)
    is_reached = (distance >= 0) & (distance <= layers * (window - 1))
    reach = 1 + layers * (window - 1)
    last = min(tokens, reach)
    return map_of_pairs(
        np.where(is_reached, needed, np.nan),
        scale="magnitude",
        limits=(0.0, float(layers)),
        title=f"A query sees at most {counted(window, 'key')}"
        if layers == 1
        else f"Through {grouped(layers)} layers, an output can depend on {counted(reach, 'token')}",
        subtitle=f"{counted(tokens, 'token')}, window {grouped(window)},"
        f" {counted(layers, 'layer')}, causal mask.",
        finding=_of_last(tokens, last, layers),
        unit="layers needed",
        masked="not seen" if layers == 1 else "no part in the output",
        summary={"reach": reach, "last": last, "pairs": int(is_reached.sum())},
    )


def _of_last(tokens: int, last: int, layers: int) -> str:
    """Return what the last query sees, or what its output can depend on."""
    verb = "sees" if layers == 1 else "depends on"
    noun = "key" if layers == 1 else "token"
    begin = "The query at position" if layers == 1 else "The output at position"
    if last == 1:
        return f"{begin} {tokens - 1} {verb} itself alone."
    return f"{begin} {tokens - 1} {verb} {counted(last, noun)}, {tokens - last} to {tokens - 1}."


@nope.view(
    "weights",
    title="What a sink or a temperature does to weights",
    kind="heatmap",
    scale="magnitude",
    along_x=("keys",),
    params={
        "keys": param(3, ge=2, le=1024, slider=(2, 24, 1), doc="keys that the query sees"),
        "sink": param(True, doc="whether the lower row has a sink"),
        "sink_score": param(1.0, ge=0, le=100, slider=(0, 6, 0.5), doc="score of the sink"),
        "temperature": param(
            1.0,
            ge=0,
            le=100,
            slider=(1, 3, 0.05),
            doc="factor of the scores of the lower row",
        ),
    },
    in_page="nope/weights.js",
    in_page_cells=10_000,
)
def weights(
    encoding: NoPE, *, keys: int, sink: bool, sink_score: float, temperature: float
) -> ViewData:
    """Return the weights of one query, (2, keys) or, with a sink, (2, keys + 1).

    The keys have the scores 2, 1, 0, 0 and so on. The upper row is plain softmax. In the lower one,
    a temperature multiplies the scores of the keys, and a sink, the last column, joins the sum.
    """
    del encoding  # scores are set, so nothing turns
    scores = np.zeros(keys)
    scores[:2] = BEST, SECOND
    plain: Numbers = softmax(scores)
    raised = (temperature * scores)[None, None]
    changed: Numbers = softmax(raised, np.array([sink_score]) if sink else None)[0, 0]
    total = float(changed.sum())
    rows = np.stack([plain, changed])
    if sink:
        rows = np.hstack([rows, [[np.nan], [1 - total]]])
    return ViewData(
        kind="heatmap",
        scale="magnitude",
        values=rows,
        x=_key_axis(keys, has_sink=sink),
        y=Axis("softmax", (-0.5, 1.5), (0.0, 1.0), ("plain", "changed")),
        limits=(0.0, 1.0),
        unit="weight",
        masked="no sink" if sink else "",
        title=_of_weights(sink=sink, temperature=temperature),
        subtitle=f"{counted(keys, 'key')} with the scores 2, 1{_others(keys)}"
        + (f", a sink of {rounded(sink_score, 6)}" if sink else "")
        + (f", temperature {rounded(temperature, 6)}." if temperature != 1 else "."),
        finding=f"The first key has the weight {rounded(float(plain[0]))}, and then"
        f" {rounded(float(changed[0]))}."
        + (f" The weights of the keys then add up to {rounded(total)}." if sink else ""),
        row_noun="softmax",
        row_names=("plain", "changed"),
        column_noun="key",
        column_names=(*map(str, range(keys)), *(["sink"] if sink else [])),
        summary={"plain": float(plain[0]), "first": float(changed[0]), "total": total},
    )


def _key_axis(keys: int, *, has_sink: bool) -> Axis:
    """Return the axis of the keys and, behind them, of the sink."""
    axis = cell_axis("key", keys, most=8)
    if not has_sink:
        return axis
    kept = tuple(tick for tick in axis.ticks if keys - tick > keys / 16)  # room for the word
    return Axis(
        axis.label,
        (-0.5, keys + 0.5),
        (*kept, float(keys)),
        (*(str(int(tick)) for tick in kept), "sink"),
        axis.minor_ticks,
    )


def _others(keys: int) -> str:
    """Return the scores behind the first two in words."""
    if keys <= 3:
        return " and 0" if keys == 3 else ""
    return ", and 0 for all others"


def _of_weights(*, sink: bool, temperature: float) -> str:
    if temperature == 1:
        return "A sink takes weight from every key" if sink else "The weights of one query"
    effect = "sharpens" if temperature > 1 else "flattens"
    if sink:
        return f"A temperature {effect} the weights, and a sink takes some"
    return f"A temperature {'above' if temperature > 1 else 'below'} 1 {effect} the weights"
