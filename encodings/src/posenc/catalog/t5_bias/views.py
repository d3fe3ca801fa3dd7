"""The views of T5's relative bias."""

from dataclasses import replace
from itertools import count

import numpy as np

from posenc.catalog.t5_bias.encoding import T5Bias, t5_bias
from posenc.encoding import param
from posenc.number_format import counted, distances_to, grouped
from posenc.pictures import category_limits, curves, map_of_pairs, side_by_side
from posenc.views import Edge, ViewData, Zone


@t5_bias.view(
    "buckets",
    title="The bucket of each query and key",
    kind="panels",
    scale="category",
    along_x=("tokens",),
    params={"tokens": param(48, ge=1, le=1024, slider=(2, 256, 1), doc="queries and keys")},
    tokens_on="both",
)
def bucket_map(encoding: T5Bias, *, tokens: int) -> ViewData:
    """Return the bucket of every query and key of a text beside the staircase they are read from.

    The table is the map's, (tokens, tokens).
    """
    positions = np.arange(tokens)
    values = encoding.buckets(positions - positions[:, None]).astype(np.float64)
    used = len(np.unique(values))
    the_map = map_of_pairs(
        values,
        scale="category",
        limits=category_limits(encoding.num_buckets),
        title="Bucket of each pair",
        subtitle="",
        finding="",
        unit="bucket",
        edges=_direction(encoding, tokens),
    )
    steps = replace(staircase.compute(encoding, reach=max(tokens - 1, 1)), title="Read from")
    return side_by_side(
        (the_map, steps),
        table=the_map,
        columns=2,
        title="Near keys have a bucket each, far keys share one",
        subtitle=f"{counted(tokens, 'token')}, {_describe_buckets(encoding)}.",
        finding=f"A text of {counted(tokens, 'token')} uses {used} of the"
        f" {encoding.num_buckets} buckets; its first token reads"
        f" {counted(len(np.unique(values[0])), 'bucket')}, its last"
        f" {len(np.unique(values[-1]))}.",
        summary={"buckets_used": used},
    )


def _direction(encoding: T5Bias, tokens: int) -> tuple[Edge, ...]:
    """Return the stairs between the two halves of the buckets: one colour scale is for both."""
    if not encoding.bidirectional or tokens < 2:
        return ()
    half, last = encoding.num_buckets // 2, encoding.num_buckets - 1
    stairs = [(query + 0.5, query + end) for query in range(tokens - 1) for end in (-0.5, 0.5)]
    corners = np.array([*stairs, (tokens - 0.5, tokens - 1.5)])
    label = f"above it keys come after the query: the upper half of the buckets, {half} to {last}"
    return (Edge(corners, label),)


@t5_bias.view(
    "staircase",
    title="The bucket against the distance",
    kind="curves",
    scale="category",
    along_x=("reach",),
    params={
        "reach": param(160, ge=1, le=100_000, slider=(8, 1100, 1), doc="farthest key on both sides")
    },
    in_page="t5_bias/staircase.js",
    in_page_cells=10_000,
)
def staircase(encoding: T5Bias, *, reach: int) -> ViewData:
    """Return the bucket of key - query = -reach .. reach, (1, 2 reach + 1)."""
    relative = np.arange(-reach, reach + 1)
    values = encoding.buckets(relative).astype(np.float64)
    return curves(
        values[None, :],
        relative.astype(np.float64),
        scale="category",
        stairs=True,
        x_label="relative position, key − query",
        y_label="bucket",
        series=("bucket",),
        column_noun="relative position",
        title="Steps of one, then ever longer steps, then one last bucket",
        subtitle=f"Relative positions from −{reach} to {reach}, {_describe_buckets(encoding)}.",
        finding=_steps(encoding),
        unit="bucket",
        zones=_zones(encoding, reach),
        summary={"last_begins_at": int(encoding.first_distances[-1])},
    )


def _zones(encoding: T5Bias, reach: int) -> tuple[Zone, ...]:
    """Return the zones where each distance has its own bucket, and where distances share one."""
    near = _alone(encoding) - 1
    if not 0 < near < reach:
        return ()
    share = "distances begin to share buckets"
    after = f"later keys: {share}" if encoding.bidirectional else "later keys all read bucket 0"
    middle = near if encoding.bidirectional else 0
    return (
        Zone(-reach, -near - 0.5, f"earlier keys: {share}"),
        Zone(-near - 0.5, middle + 0.5, f"distances to {near} have a bucket each"),
        Zone(middle + 0.5, reach, after),
    )


def _alone(encoding: T5Bias) -> int:
    """Return the number of distances, from 0 on, with a bucket of their own."""
    first = set(encoding.first_distances.tolist())
    return next(distance for distance in count() if distance + 1 not in first)


def _describe_buckets(encoding: T5Bias) -> str:
    way = "both directions" if encoding.bidirectional else "causal"
    farthest = grouped(encoding.max_distance)
    return f"{encoding.num_buckets} buckets, {way}, longest distance {farthest}"


def _steps(encoding: T5Bias) -> str:
    """Return the distances with a bucket of their own and the start of the last bucket."""
    near = distances_to(_alone(encoding) - 1).capitalize()
    return (
        f"{near} a bucket each; the last bucket of a direction"
        f" begins at distance {grouped(int(encoding.first_distances[-1]))} and never ends."
    )
