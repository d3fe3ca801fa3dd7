"""The key below a picture, which explains its marks: grey cells, numbered zones, lines."""

from dataclasses import dataclass
from textwrap import wrap
from typing import Literal

import numpy as np

from posenc.views import ViewData, Zone

LETTER = 7.2  # px, the width of a letter at the size of tick labels
SYMBOL = 22  # px for the square, the number or the line before the words
LINE = 20  # px from one line to the next
CLOSEST_NUMBERS = 11.0  # px between the numbers of two narrow zones


@dataclass(frozen=True)
class Key:
    """One mark and its meaning, in lines short enough for the picture."""

    kind: Literal["masked", "edge", "zone"]
    number: str
    lines: tuple[str, ...]


def keys_of(view_data: ViewData, room: float) -> tuple[Key, ...]:
    """Return every mark of a picture once, its words broken to `room` px."""
    letters = max(12, int((room - SYMBOL) / LETTER))
    found: dict[tuple[str, str], Key] = {}
    for data in view_data.panels or (view_data,):
        marks: list[tuple[Literal["masked", "edge", "zone"], str, str]] = []
        if data.kind == "heatmap" and np.isnan(data.values).any():
            marks.append(("masked", "", data.masked))
        marks += [("edge", "", edge.label) for edge in data.edges]
        marks += [("zone", str(one), zone.label) for one, zone in enumerate(data.zones, start=1)]
        for kind, number, label in marks:
            found.setdefault((kind, label), Key(kind, number, tuple(wrap(label, letters))))
    return tuple(found.values())


def height_of_keys(keys: tuple[Key, ...]) -> int:
    """Return the px that the keys need below a picture."""
    return LINE * sum(len(key.lines) for key in keys) + (6 if keys else 0)


def number_places(zones: tuple[Zone, ...], shares: list[float], width: float) -> list[float]:
    """Return the place of each zone's number, px from the left: in its middle, or next to it.

    `shares` are the zones' ends along the axis, two for each, 0 to 1.
    """
    places: list[float] = []
    for one in range(len(zones)):
        middle = width * (shares[2 * one] + shares[2 * one + 1]) / 2
        places.append(max(middle, places[-1] + CLOSEST_NUMBERS) if places else middle)
    return places
