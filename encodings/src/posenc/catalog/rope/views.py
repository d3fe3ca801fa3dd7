"""The views of RoPE."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from posenc.catalog.rope.encoding import Rope, rope
from posenc.encoding import Encoding, param
from posenc.errors import ParameterError
from posenc.number_format import counted, grouped, in_degrees, rounded
from posenc.views import Axis, ViewData, end_axis, number_axis, require_few

SHOWN = (0, 1 / 8, 1 / 4, 1 / 2)  # of the pairs have a circle, from the fastest on


@rope.view(
    "scores",
    title="Score against distance",
    kind="curves",
    scale="signed_unit",
    along_x=("distances",),
    params={
        "distances": param(256, ge=1, le=100_000, slider=(16, 2048, 16), doc="largest distance")
    },
    in_page="rope/scores.js",
    in_page_cells=1_100_000,
)
def scores(encoding: Rope, *, distances: int) -> ViewData:
    """Return the score of equal vectors over that at distance 0, (1 or 2, distances + 1)."""
    way = "LongRoPE" if encoding.longrope_long else encoding.scaling
    if way == "none":
        return scores_by_distance({"RoPE": encoding}, distances)
    plain = Rope(
        head_dim=encoding.head_dim,
        base=encoding.base,
        pairing=encoding.pairing,
        rotary_share=encoding.rotary_share,
    )
    return scores_by_distance({f"scaled ({way})": encoding, "RoPE": plain}, distances)


def scores_by_distance(encodings: Mapping[str, Encoding], distances: int) -> ViewData:
    """Return the curves of encodings that turn queries and keys: all ones against all ones.

    Each is divided by its value at distance 0. The curve is no bound: other vectors score
    differently.
    """
    values = np.stack([_scores(encoding, distances) for encoding in encodings.values()])
    whole = np.arange(distances + 1.0)
    low, high = min(0.0, float(values.min())), float(values.max())
    names = tuple(encodings)
    first = next(iter(encodings.values()))
    head_dim, base = getattr(first, "head_dim", 0), getattr(first, "base", 0.0)
    return ViewData(
        kind="curves",
        scale="signed_unit",
        values=values,
        x=end_axis("distance between query and key", distances, values=whole),
        y=number_axis("score, 1 at distance 0", low, high),
        limits=(low, high),
        title="Equal vectors score less the further apart they are, in waves",
        subtitle=f"head_dim {head_dim}, base {grouped(base)}, all ones against all ones.",
        finding=" ".join(map(_finding, names, values)),
        series=names,
        row_noun="encoding",
        row_names=names,
        column_noun="distance",
        column_names=tuple(str(distance) for distance in range(distances + 1)),
    )


def _scores(encoding: Encoding, distances: int) -> npt.NDArray[np.float64]:
    """Return q . k of a query at each distance from a key at 0, relative to distance 0."""
    head_dim = int(getattr(encoding, "head_dim"))  # noqa: B009  (every encoding that turns has one)
    require_few("distances", distances, each=head_dim, setting=f"head_dim={head_dim}")
    queries, key = np.ones((1, distances + 1, head_dim)), np.ones((1, 1, head_dim))
    turned, still = encoding.on_queries_and_keys(
        queries, key, np.arange(distances + 1), np.arange(1), {}
    )
    products: npt.NDArray[np.float64] = turned[0] @ still[0, 0]
    return np.asarray(products / products[0])


def _finding(name: str, scores: npt.NDArray[np.float64]) -> str:
    """Return the fall of the score at the largest distance, and its first rise."""
    rises = np.flatnonzero(np.diff(scores) > 0)
    last = f"{scores[-1]:.2f}".replace("-", "−")
    end = f"{name}: {last} at distance {grouped(len(scores) - 1)}"
    if not np.diff(scores).any():
        return f"{end}, as at every other."
    if not rises.size:
        return f"{end}, falling all the way."
    return f"{end}; it first rises at distance {rounded(float(rises[0] + 1), 6)}."


@rope.view(
    "turns",
    title="Each pair turns by its own angle",
    kind="circles",
    scale="cyclic",
    along_x=("positions",),
    params={"positions": param(6, ge=1, le=360, slider=(2, 24, 1), doc="hands on each circle")},
    in_page="rope/turns.js",
    in_page_cells=10_000,
)
def turns(encoding: Rope, *, positions: int) -> ViewData:
    """Return the angles of four pairs, the fastest to the middle one, (4 or fewer, positions).

    Slower pairs would show a single hand. Four pairs or fewer are all drawn.
    """
    require_turning(encoding)
    inv_freq = encoding.inv_freq_for(positions)
    pairs = _shown(len(inv_freq))
    angles = encoding.angles(np.arange(positions))[:, pairs].T
    degrees = [in_degrees(float(inv_freq[pair])) for pair in pairs]
    names = tuple(f"pair {pair}: {turn}" for pair, turn in zip(pairs, degrees, strict=True))
    unit = Axis("first dimension of the pair", (-1.0, 1.0), (-1.0, 0.0, 1.0), ("−1", "0", "1"))
    return ViewData(
        kind="circles",
        scale="cyclic",
        values=angles,
        x=unit,
        y=replace(unit, label="second dimension of the pair"),
        limits=(0.0, float(max(angles.max(), 1e-9))),
        title="RoPE turns each pair by its own angle for every position",
        subtitle=f"Positions 0 to {positions - 1}, the last one bold;"
        f" {len(pairs)} of {counted(len(inv_freq), 'pair')}, head_dim {encoding.head_dim},"
        f" base {grouped(encoding.base)}.",
        finding=f"Pair {pairs[0]} turns by {degrees[0]} from one position to the next"
        + (f", pair {pairs[-1]} by {degrees[-1]}." if len(pairs) > 1 else "."),
        unit="radians",
        series=names,
        row_noun="pair",
        row_names=tuple(str(pair) for pair in pairs),
        column_noun="position",
        column_names=tuple(str(position) for position in range(positions)),
    )


def require_turning(encoding: Rope) -> None:
    """Raise ParameterError, naming rotary_share, where no pair turns and nothing can be drawn."""
    if not encoding.turning // 2:
        expected = f"must let at least one pair of head_dim={encoding.head_dim} turn"
        raise ParameterError("rotary_share", encoding.rotary_share, expected)


def _shown(count: int) -> list[int]:
    """Return the pairs that have a circle: all, or four."""
    if count <= len(SHOWN):
        return list(range(count))
    return sorted({round(share * (count - 1)) for share in SHOWN})
