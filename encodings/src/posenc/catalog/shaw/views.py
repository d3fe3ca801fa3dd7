"""The views of Shaw's relative vectors."""

from dataclasses import replace

import numpy as np

from posenc.catalog.shaw.encoding import Shaw, shaw
from posenc.encoding import param
from posenc.number_format import counted, grouped
from posenc.pictures import category_limits, curves, map_of_pairs, side_by_side
from posenc.views import Edge, ViewData, Zone


@shaw.view(
    "lookup",
    title="The row of the table each pair reads",
    kind="panels",
    scale="category",
    along_x=("tokens",),
    params={"tokens": param(24, ge=1, le=1024, slider=(2, 128, 1), doc="queries and keys")},
    tokens_on="both",
)
def lookup(encoding: Shaw, *, tokens: int) -> ViewData:
    """Return the row read by every query and key of a text, and the row of each distance.

    The table is the map's, (tokens, tokens).
    """
    positions = np.arange(tokens)
    values = encoding.row(positions - positions[:, None]).astype(np.float64)
    distances = np.abs(positions - positions[:, None])
    clipped = int(np.sum(distances > encoding.clip_distance))
    the_map = map_of_pairs(
        values,
        scale="category",
        limits=category_limits(encoding.rows),
        title="Row of each pair",
        subtitle="",
        finding="",
        unit="row",
        edges=_edges(tokens, encoding.clip_distance),
    )
    ramp = replace(clip.compute(encoding, reach=max(tokens - 1, 1)), title="Row of each distance")
    return side_by_side(
        (the_map, ramp),
        table=the_map,
        columns=2,
        title="Pairs farther apart than the clip distance read the two end rows",
        subtitle=f"{counted(tokens, 'token')}, clip distance {encoding.clip_distance},"
        f" a table of {counted(encoding.rows, 'row')}.",
        finding=f"{grouped(clipped)} of {counted(tokens * tokens, 'pair')} are clipped: they read"
        f" row 0 or row {encoding.rows - 1}, as if they were {encoding.clip_distance} apart.",
        summary={"clipped_pairs": clipped},
    )


@shaw.view(
    "clip",
    title="The row against the relative position",
    kind="curves",
    scale="category",
    along_x=("reach",),
    params={
        "reach": param(24, ge=1, le=100_000, slider=(4, 200, 1), doc="farthest key on both sides")
    },
    in_page="shaw/clip.js",
    in_page_cells=10_000,
)
def clip(encoding: Shaw, *, reach: int) -> ViewData:
    """Return the row of key - query = -reach .. reach, (1, 2 reach + 1)."""
    relative = np.arange(-reach, reach + 1)
    values = encoding.row(relative).astype(np.float64)
    far = encoding.clip_distance
    shared = max(reach - far + 1, 0)
    return curves(
        values[None, :],
        relative.astype(np.float64),
        scale="category",
        stairs=True,
        x_label="relative position, key − query",
        y_label="row of the table",
        series=("row",),
        column_noun="relative position",
        title="A ramp between two flat ends" if far else "Nothing tells distances apart",
        subtitle=f"Relative positions from −{reach} to {reach}, clip distance {far}.",
        finding=f"Each relative position from −{far} to {far} has one of {encoding.rows} rows; the"
        f" last row serves {counted(shared, 'distance')} here."
        if far
        else "One row is read by every relative position.",
        unit="row",
        zones=_zones(far, reach, encoding.rows),
        summary={"rows": encoding.rows, "distances_of_the_last_row": shared},
    )


def _zones(far: int, reach: int, rows: int) -> tuple[Zone, ...]:
    """Return the clip zones: both ends, and the distances that have rows of their own."""
    if reach <= far or not far:
        return ()
    return (
        Zone(-reach, -far - 0.5, "clipped: all read row 0"),
        Zone(-far - 0.5, far + 0.5, "a row for each relative position"),
        Zone(far + 0.5, reach, f"clipped: all read row {rows - 1}"),
    )


def _edges(tokens: int, far: int) -> tuple[Edge, ...]:
    """Return the stairs between the pairs that are clipped and those that are not."""
    if tokens - 1 <= far:
        return ()
    label = "beyond these lines pairs are clipped"
    stairs = []
    for query in range(tokens - far - 1):
        key = query + far + 0.5
        stairs += [(key, query - 0.5), (key, query + 0.5)]
    later = np.array([*stairs, (tokens - 0.5, stairs[-1][1])])
    return (Edge(later, label), Edge(later[:, ::-1].copy(), label))
