"""Thumbnails for a list: plots alone, without axes and words, all of them in one SVG.

One file is one request. A page shows a thumbnail by its name: `<img src="thumbnails.svg#rope">`.
No matplotlib here, which a web process never loads.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from posenc.errors import ParameterError
from posenc.figures.circles import circle
from posenc.figures.curves import curves_in
from posenc.figures.heatmap import cells_in
from posenc.figures.palettes import INKS, Scheme
from posenc.figures.scene import Box, Cells, Part, shape
from posenc.figures.svg import element, written
from posenc.views import Between, ViewData

WIDTH, HEIGHT = 72, 48  # px
EDGE = 3  # px around curves and circles, whose lines would be cut
MOST_POINTS = 2 * WIDTH  # of a curve
MOST_CURVES = 4  # more are a tangle at this size
CIRCLES = (3, 2)  # columns and rows of a picture of circles


def draw_thumbnails(pictures: Mapping[str, ViewData], *, scheme: Scheme) -> str:
    """Return one SVG with a thumbnail of WIDTH x HEIGHT px for each picture, under its name.

    Of panels the first is drawn. Raises ParameterError for an unknown scheme.
    """
    if scheme not in INKS:
        raise ParameterError("scheme", scheme, "must be one of light, dark")
    places = [Box(0, row * HEIGHT, WIDTH, HEIGHT) for row in range(len(pictures))]
    children = []
    for (name, data), place in zip(pictures.items(), places, strict=True):
        at = f"0 {place.y} {WIDTH} {HEIGHT}"
        children.append(element("view", id=name, viewBox=at))
        parts = _plot(data.panels[0] if data.panels else data, place)
        children += [written(part, scheme) for part in parts]
    return element(
        "svg",
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
    )


def is_of_one_colour(data: ViewData) -> bool:
    """Return whether a thumbnail would be one flat colour, which tells it from no other."""
    first = data.panels[0] if data.panels else data
    if first.kind != "heatmap":
        return False
    return bool(np.nanmin(first.values) == np.nanmax(first.values))


def _plot(data: ViewData, place: Box) -> list[Part]:
    paper = shape("cells", "rect", **vars(place), fill="paper")
    if data.kind == "heatmap":
        return [paper, *(part for part in cells_in(data, place).parts if isinstance(part, Cells))]
    if data.kind == "circles":
        return [paper, *_circles(data, place)]
    inside = Box(EDGE, place.y + EDGE, WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE)
    lines = [part for part in curves_in(inside, _thinned(data)) if part.layer == "lines"]
    return [paper, *lines[:: -(-len(lines) // MOST_CURVES)]]


def _thinned(data: ViewData) -> ViewData:
    """Return curves with at most MOST_POINTS points each: 513 of them are 3 KB of the file."""
    xs, between = data.x.values, data.between
    assert xs is not None  # ViewData promises it for curves
    step = -(-len(xs) // MOST_POINTS)
    if between is not None:
        fine = -(-len(between.x) // MOST_POINTS)
        between = Between(between.x[::fine], between.values[:, ::fine])
    axis = replace(data.x, values=xs[::step])
    return replace(data, x=axis, values=data.values[:, ::step], between=between)


def _circles(data: ViewData, place: Box) -> list[Part]:
    columns, rows = CIRCLES
    side = min(WIDTH / columns, HEIGHT / rows)
    parts: list[Part] = []
    for row in range(min(columns * rows, len(data.values))):
        x, y = row % columns * side, place.y + row // columns * side
        box = Box(x + EDGE, y + EDGE, side - 2 * EDGE, side - 2 * EDGE)
        parts += [part for part in circle(data, row, box) if part.layer in ("axes", "lines")]
    return parts
