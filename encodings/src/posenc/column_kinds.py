"""Columns of a heatmap that take turns (sine, cosine, sine ...), and the same columns grouped.

The eye, or a program that makes the picture smaller, mixes columns of a few px that take turns to a
colour that no value has: half-way between sin(0) and cos(0). Such a picture is drawn with all
columns of one kind together: neighbours are then of nearly the same frequency, and a mean of them
is a value of that kind.
"""

from dataclasses import replace

import numpy as np

from posenc.views import Axis, ViewData, Zone, tick_step

NARROWEST_IN_TURN = 3.0  # px of a column beside one of another kind
TICKS = 5  # of each kind at most


def columns_for(view_data: ViewData, width: float) -> ViewData:
    """Return the data as it is drawn `width` px wide: grouped where columns would be too narrow."""
    columns = len(view_data.kinds)
    if not _take_turns(view_data.kinds) or width >= NARROWEST_IN_TURN * columns:
        return view_data
    return group_columns(view_data)


def group_columns(view_data: ViewData) -> ViewData:
    """Return the same cells with all columns of one kind together, in the order they come in."""
    kinds = tuple(dict.fromkeys(view_data.kinds))
    rank = np.array([kinds.index(kind) for kind in view_data.kinds])
    order = np.argsort(rank, kind="stable").tolist()
    names = view_data.column_names
    cursor = view_data.cursor
    return replace(
        view_data,
        values=view_data.values[:, order],
        kinds=tuple(view_data.kinds[column] for column in order),
        column_names=tuple(names[column] for column in order) if names else (),
        cursor=(cursor[0], order.index(cursor[1])) if cursor else None,
        x=_axis(view_data.kinds, kinds),
        zones=_zones(view_data, order),
    )


def note_of_groups(data: ViewData, drawn: ViewData) -> str:
    """Return the reason why the columns are not in the order of the data; "" when they are."""
    if drawn is data:
        return ""
    words = ", then all ".join(dict.fromkeys(drawn.kinds))
    return f"To fit the width, the columns are grouped: all {words}."


def kind_starts(kinds: tuple[str, ...]) -> list[int]:
    """Return the columns whose kind differs from that of the column before."""
    return [one for one in range(1, len(kinds)) if kinds[one] != kinds[one - 1]]


def _take_turns(kinds: tuple[str, ...]) -> bool:
    return len(kind_starts(kinds)) >= len(set(kinds)) > 1


def _axis(columns: tuple[str, ...], kinds: tuple[str, ...]) -> Axis:
    """Return the axis: within each kind, its columns are numbered from 0."""
    places, labels, first = [], [], 0
    for kind in kinds:
        count = columns.count(kind)
        for pair in range(0, max(1, count * 7 // 8), tick_step(count, TICKS)):  # room for the next
            places.append(float(first + pair))
            labels.append(str(pair))
        first += count
    words = ", then of the ".join(kinds)
    return Axis(f"pair i of the {words}", (-0.5, first - 0.5), tuple(places), tuple(labels))


def _zones(view_data: ViewData, order: list[int]) -> tuple[Zone, ...]:
    """Return a zone for each kind; where the data have zones of their own, their parts in it."""
    given = view_data.zones
    names = view_data.column_names or tuple(map(str, range(len(order))))
    zones: list[Zone] = []
    for kind in dict.fromkeys(view_data.kinds):
        columns = [column for column in order if view_data.kinds[column] == kind]
        first = order.index(columns[0])
        if not given:
            few = ", ".join(names[column] for column in columns[:2])
            label = f"{kind}: {view_data.column_noun}s {few} … {names[columns[-1]]}"
            zones.append(Zone(first - 0.5, first + len(columns) - 0.5, label))
        for zone in given:
            inside = [place for place, one in enumerate(columns) if zone.low < one < zone.high]
            if inside:
                ends = (first + inside[0] - 0.5, first + inside[-1] + 0.5)
                zones.append(Zone(*ends, f"{kind}: {zone.label}"))
    return tuple(zones)
