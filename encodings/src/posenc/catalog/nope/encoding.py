"""No positional encoding (NoPE): position enters nowhere, and a decoder learns order all the same.

Source: Haviv et al. 2022, arXiv:2203.16634; Kazemnejad et al. 2023, arXiv:2305.19466, theorem 1:
with a causal mask the first layer can already recover absolute positions.
Shapes: L = tokens.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc.analysis import score_by_distance
from posenc.attention import attention
from posenc.encoding import Encoding, param, parameters
from posenc.errors import ParameterError
from posenc.number_format import counted, rounded
from posenc.pictures import curves, map_of_pairs
from posenc.registry import REGISTRY, Entry, register
from posenc.views import Axis, ViewData, number_axis

HEADS = 8  # of the layer in which encodings are compared; the first is drawn
HEAD_DIM = 32
SECTIONS = {"time_pairs": 4, "height_pairs": 6, "width_pairs": 6}  # of HEAD_DIM, as Qwen2-VL's
SERIES = ("query equals key", "query and key unrelated")
COINCIDE = "both, one curve"
UNMOVED = 1e-9  # a score that changes by less depends on no distance
# The encodings of the papers that later ones start from: a picture of them alone can be taken in.
CLASSIC = ("sinusoidal", "learned", "rope", "shaw", "t5_bias", "alibi")


@dataclass(frozen=True)
class NoPE(Encoding):
    """Change nothing: none of the four hooks is used.

    Without a mask attention is then permutation-equivariant: shuffled tokens give shuffled outputs.
    A causal mask breaks that, since a token sees only those before it.
    """


nope = register(NoPE, slug="nope", title="No positional encoding", source="arXiv:2305.19466")


@nope.view(
    "equal-tokens",
    title="Attention over tokens that are all the same",
    kind="heatmap",
    scale="magnitude",
    along_x=("tokens",),
    params={
        "tokens": param(12, ge=1, le=1024, slider=(2, 64, 1), doc="how many equal tokens"),
        "causal": param(True, doc="whether a query sees only keys up to its own"),
    },
    in_page="nope/equal-tokens.js",
    in_page_cells=300_000,
    tokens_on="both",
    tokens_note="In this picture every word has the same vector.",
)
def equal_tokens(encoding: NoPE, *, tokens: int, causal: bool) -> ViewData:
    """Return the attention weights of equal tokens, (tokens, tokens)."""
    positions, same = np.arange(tokens), np.ones((tokens, 1))
    values: npt.NDArray[np.float64] = attention(
        same,
        same,
        np.eye(tokens),  # mixing unit vectors leaves the weights themselves
        encoding=encoding,
        q_positions=positions,
        k_positions=positions,
        causal=causal,
    )
    kinds = len(np.unique(values[:, 0]))
    return map_of_pairs(
        values,
        scale="magnitude",
        limits=(0.0, 1.0),
        title="The causal mask alone tells positions apart"
        if causal
        else "Without a mask every position looks alike",
        subtitle=f"{counted(tokens, 'equal token')}, {'a' if causal else 'no'} causal mask.",
        finding=f"The first token weighs {rounded(values[0, 0])} in the first row and "
        f"{rounded(values[-1, 0])} in the last; {_alike(tokens, kinds)}.",
        unit="attention weight",
        summary={"different_rows": kinds},
    )


def _alike(rows: int, kinds: int) -> str:
    """Return the number of kinds of rows in words."""
    if rows == 1:
        return "there is one row"
    if kinds == rows:
        return f"the {rows} rows all differ"
    return f"all {rows} rows are the same" if kinds == 1 else f"{rows} rows are of {kinds} kinds"


@nope.view(
    "compare",
    title="The score against the distance, for every encoding",
    kind="panels",
    scale="magnitude",
    along_x=("distances",),
    params={
        "only": param("all", choices=("all", "classic"), doc="which encodings have a panel"),
        "distances": param(64, ge=1, le=4096, slider=(8, 512, 8), doc="largest distance"),
        "seed": param(
            0, ge=0, le=2**32, slider=(0, 99, 1), doc="of the query, the key and the weights"
        ),
    },
)
def compare(encoding: NoPE, *, only: str, distances: int, seed: int) -> ViewData:
    """Return the change of scores with distance, a panel and two rows for each encoding.

    All panels have one scale. NoPE comes first: the others change what it leaves as it is.
    Encodings that learn come last: their weights here are only drawn.
    `only="classic"` leaves out the encodings that are not among CLASSIC.
    """
    del encoding  # it is one of the panels
    entries = [REGISTRY[slug] for slug in (CLASSIC if only == "classic" else REGISTRY)]
    found = ((entry, _changes(entry, distances, seed)) for entry in entries)
    shown = [(entry, changes) for entry, changes in found if changes is not None]
    shown.sort(key=lambda pair: (pair[0] is not nope, _learns(pair[0])))
    at = np.arange(distances + 1.0)
    table = np.concatenate([changes for _, changes in shown])
    change = number_axis("change", float(table.min()), max(float(table.max()), 0.0))
    panels = tuple(_panel(_named(entry), changes, at, change) for entry, changes in shown)
    return ViewData(
        kind="panels",
        scale="magnitude",
        values=table,
        x=panels[0].x,
        y=panels[0].y,
        limits=change.limits,
        title="What distance alone does to a score, in every encoding",
        subtitle=f"One query and one key, the same at every distance up to {distances}; head 0 of"
        f" {HEADS}, head_dim {HEAD_DIM}, seed {seed}. The score at distance 0 is set to 0. Panels"
        " have one scale; what is untrained has small random weights.",
        finding=_most_and_least(shown),
        unit="change of the score",
        series=(*SERIES, COINCIDE),
        row_noun="encoding",
        row_names=tuple(f"{entry.title}, {name}" for entry, _ in shown for name in SERIES),
        column_noun="distance",
        column_names=tuple(str(distance) for distance in range(distances + 1)),
        panels=panels,
        panel_columns=3,
        summary={"encodings": len(shown)},
    )


def _changes(entry: Entry, distances: int, seed: int) -> npt.NDArray[np.float64] | None:
    """Return the score minus that at distance 0, for both pairs of vectors, (2, distances + 1).

    None for an encoding that does not fit these sizes.
    """
    sizes: dict[str, Any] = {"n_heads": HEADS, "head_dim": HEAD_DIM, "d_model": HEADS * HEAD_DIM}
    sizes |= {"max_len": distances + 1, **SECTIONS}
    names = {parameter.name for parameter in parameters(entry.encoding)}
    rng = np.random.default_rng(seed)
    query, key = rng.normal(size=(2, HEADS, HEAD_DIM))
    at, rows = np.arange(distances + 1), []
    try:
        fitted = entry.encoding(**{name: sizes[name] for name in names & sizes.keys()})
        weights = fitted.init_weights(rng)
        for other in (query, key):
            rows.append(score_by_distance(fitted, at, q=query, k=other, weights=weights)[0])
    except ParameterError:
        return None
    changes = np.stack([row - row[0] for row in rows])
    return changes if np.abs(changes).max() >= UNMOVED else np.zeros_like(changes)


def _panel(
    title: str, changes: npt.NDArray[np.float64], at: npt.NDArray[np.float64], change: Axis
) -> ViewData:
    """Return the two curves of an encoding, or one in their place: the upper would hide the other.

    The three rows are those of the legend above all panels; a curve that is not drawn is NaN.
    """
    rows = np.full((3, len(at)), np.nan)
    if _coincide(changes):
        rows[2] = changes[0]
    else:
        rows[:2] = changes
    panel = curves(
        rows,
        at,
        x_label="distance, query − key",
        y_label="change",
        series=(*SERIES, COINCIDE),
        column_noun="distance",
        title=title,
        subtitle="",
        finding="",
    )
    return replace(panel, y=change, limits=change.limits)


def _coincide(changes: npt.NDArray[np.float64]) -> bool:
    return float(np.abs(changes[0] - changes[1]).max()) < UNMOVED


def _learns(entry: Entry) -> bool:
    return entry.encoding().parameter_count() > 0


def _named(entry: Entry) -> str:
    """Return the words in brackets, "RoPE", or the title: a panel on a phone is narrow.

    Of an encoding that learns stays the name alone: "T5, untrained".
    """
    title = entry.title.rpartition("(")[2].rstrip(")")
    if not _learns(entry):
        return title
    return re.sub(r"('s| relative| position) .*", "", title) + ", untrained"


def _most_and_least(shown: list[tuple[Entry, npt.NDArray[np.float64]]]) -> str:
    """Name the encoding that lowers the score of equal vectors most; count those that do not."""
    lost = {entry.title: -float(changes[0, -1]) for entry, changes in shown}
    most = max(lost, key=lambda title: lost[title])
    still = sum(not changes.any() for _, changes in shown)
    farthest = len(shown[0][1][0]) - 1
    effect = (
        f"{still} of {len(shown)} encodings do not change" if still else "Every encoding changes"
    )
    alike = sum(_coincide(changes) for _, changes in shown)
    return (
        f"At distance {farthest} equal vectors have lost most with {most}:"
        f" {rounded(lost[most])}. {effect} the score{' at all' if still else ''}; with {alike} the"
        " change is the same for equal and for unrelated vectors, and one curve stands for both."
    )
