"""Marks on a live picture and the keys below it, as parts of a scene."""

from posenc.figures.axes import share
from posenc.figures.keys import LINE, SYMBOL, Key, number_places
from posenc.figures.scene import Attributes, Box, Part, number, shape, text
from posenc.views import ViewData

ZONES_ABOVE = 18  # px over a plot with zones, for their numbers
SHADE = 0.6  # opacity of every second zone of curves: both ends of three look alike


def above(view_data: ViewData) -> int:
    """Return the px that marks need over the plot."""
    return ZONES_ABOVE if any(one.zones for one in view_data.panels or (view_data,)) else 0


def zones_behind(view_data: ViewData, plot: Box) -> list[Part]:
    """Return the shades of zones, to be drawn before curves."""
    parts: list[Part] = []
    for zone in view_data.zones[1::2]:
        left, right = (_x(end, view_data, plot) for end in (zone.low, zone.high))
        at: Attributes = {"x": left, "y": plot.y, "width": right - left, "height": plot.height}
        parts.append(shape("zones", "rect", fill="masked", fill_opacity=SHADE, **at))
    return parts


def zone_marks(view_data: ViewData, plot: Box) -> list[Part]:
    """Return a line between zones and the number of each above the plot."""
    zones = view_data.zones
    inner = [_x(zone.low, view_data, plot) for zone in zones[1:]]
    path = "".join(f"M{number(x)} {number(plot.y - 15)}V{number(plot.bottom)}" for x in inner)
    lines: list[Part] = []
    if inner:
        halo = shape("zones", "path", d=path, stroke="paper", stroke_width=3.5, stroke_opacity=0.8)
        dashed = shape(
            "zones", "path", d=path, stroke="text", stroke_width=1.2, stroke_dasharray="4 3"
        )
        lines = [halo, dashed]
    ends = [share(end, view_data.x) for zone in zones for end in (zone.low, zone.high)]
    style: Attributes = {"text_anchor": "middle", "font_weight": "bold", "fill": "text"}
    return lines + [
        text("zones", str(one), plot.x + place, plot.y - 5, **style)
        for one, place in enumerate(number_places(zones, ends, plot.width), start=1)
    ]


def edge_marks(view_data: ViewData, plot: Box) -> list[Part]:
    """Return the lines along the borders of cells, light around dark."""
    parts: list[Part] = []
    for edge in view_data.edges:
        points = [
            f"{number(_x(x, view_data, plot))} {number(_y(y, view_data, plot))}"
            for x, y in edge.corners.tolist()
        ]
        path = "M" + "L".join(points)
        for colour, width in (("paper", 4.0), ("text", 1.8)):
            parts.append(
                shape("marks", "path", d=path, fill="none", stroke=colour, stroke_width=width)
            )
    return parts


def keys_below(keys: tuple[Key, ...], x: float, y: float) -> list[Part]:
    """Return the mark and the words of each key, the first line's upper end at y."""
    parts: list[Part] = []
    for key in keys:
        parts.append(_symbol(key, x, y))
        for words in key.lines:
            parts.append(text("legend", words, x + SYMBOL, y + 10.5, fill="text"))
            y += LINE
    return parts


def _symbol(key: Key, x: float, y: float) -> Part:
    if key.kind == "masked":
        return shape("legend", "rect", x=x, y=y, width=14, height=12, fill="masked")
    if key.kind == "edge":
        path = f"M{number(x)} {number(y + 6)}h14"
        return shape("legend", "path", d=path, stroke="text", stroke_width=1.8)
    return text("legend", key.number, x + 3, y + 10.5, font_weight="bold", fill="text")


def _x(value: float, view_data: ViewData, plot: Box) -> float:
    return plot.x + share(value, view_data.x) * plot.width


def _y(value: float, view_data: ViewData, plot: Box) -> float:
    return plot.y + share(value, view_data.y) * plot.height
