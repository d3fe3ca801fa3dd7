"""Live curves, bars and points: series told apart by colour, and by dash or mark."""

import numpy as np
import numpy.typing as npt

from posenc.figures.axes import DIGIT, frame, left_of, share, x_axis, y_axis
from posenc.figures.keys import height_of_keys, keys_of
from posenc.figures.marks import above, keys_below, zone_marks, zones_behind
from posenc.figures.palettes import series_colour
from posenc.figures.picture import TOP, height_of_plot, right_of_plot
from posenc.figures.scene import Box, Part, Scene, number, shape, text
from posenc.views import Axis, ViewData

Points = npt.NDArray[np.float64]

BELOW = 50  # px under the plot: ticks and label
LEGEND_LINE = 20  # px
SAMPLE = 30  # px, the piece of a curve in the legend
DASHES = (None, "7 3", "2 2.5", "9 3 2 3", "5 2 2 2 2 2", "1 3")
MARKS = (  # around (0, 0), told apart when printed in grey
    "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z",
    "m-2.7 -2.7h5.4v5.4h-5.4z",
    "m0 -3.6l3.4 6h-6.8z",
    "m0 -3.8l3.8 3.8l-3.8 3.8l-3.8 -3.8z",
    "m0 3.6l3.4 -6h-6.8z",
    "m-3 -1h2v-2h2v2h2v2h-2v2h-2v-2h-2z",
)
CLOSEST_MARKS = 9.0  # px; closer marks would hide the curve
BAR_SHARE = 0.8  # of the room from one bar, or group of bars, to the next
MANY_POINTS = 1000  # of a line; fewer are drawn as they are


def curves_scene(view_data: ViewData, width_px: int) -> Scene:
    """Return the scene of curves at the width it is shown at."""
    left = left_of(view_data.y)
    room = width_px - left - right_of_plot(view_data.x)
    names, legend_height = legend(view_data.series, left, room)
    plot = Box(left, TOP + legend_height + above(view_data), room, height_of_plot(room))
    keys = keys_of(view_data, room)
    height = round(plot.bottom + BELOW) + height_of_keys(keys)
    parts = [
        *names,
        *curves_in(plot, view_data),
        *zone_marks(view_data, plot),
        *x_axis(view_data.x, plot, width_px),
        *y_axis(view_data.y, plot, downward=False),
        *keys_below(keys, left, plot.bottom + BELOW),
    ]
    rows, columns = view_data.values.shape
    return Scene(width_px, height, tuple(parts), (plot,), rows, columns, view_data)


def curves_in(plot: Box, view_data: ViewData) -> list[Part]:
    """Return the curves inside a plot, with a faint line at each tick of y and a frame."""
    series_of = {"bars": _bars, "points": _points}.get(view_data.kind, _curve)
    curves = [
        part for row in range(len(view_data.values)) for part in series_of(view_data, row, plot)
    ]
    return [
        *zones_behind(view_data, plot),
        *_band(view_data, plot),
        _grid(view_data.y, plot),
        frame(plot),
        *curves,
    ]


def _curve(view_data: ViewData, row: int, plot: Box) -> list[Part]:
    """Return the line of one curve and a mark at each point, where there is room for them."""
    colour = series_colour(row)
    assert view_data.x.values is not None  # ViewData promises it for curves
    xs = _across(view_data.x.values, view_data.x, plot)
    ys = _down(view_data.values[row], view_data.y, plot)
    between = view_data.between
    if between is None:
        line = _path(*visible_points(xs, ys))
    else:
        across = _across(between.x, view_data.x, plot)
        line = _path(*visible_points(across, _down(between.values[row], view_data.y, plot)))
    dash = DASHES[row % len(DASHES)]
    drawn = shape(
        "lines", "path", d=line, fill="none", stroke=colour, stroke_width=1.8, stroke_dasharray=dash
    )
    if len(xs) > 1 and plot.width / (len(xs) - 1) < CLOSEST_MARKS:
        return [drawn]
    mark = MARKS[row % len(MARKS)]
    at = (f"M{number(x)} {number(y)}{mark}" for x, y in zip(xs, ys, strict=True) if x + y == x + y)
    return [drawn, shape("marks", "path", d="".join(at), fill=colour)]


def _bars(view_data: ViewData, row: int, plot: Box) -> list[Part]:
    """Return the bars of one series from 0, with its mark on each where there are several."""
    xs, ys = _points_in_px(view_data, row, plot)
    zero = plot.bottom - min(max(share(0.0, view_data.y), 0.0), 1.0) * plot.height
    count, all_xs = len(view_data.values), view_data.x.values
    assert all_xs is not None
    apart = float(np.diff(all_xs).min()) if len(all_xs) > 1 else 1.0
    low, high = view_data.x.limits
    room = apart / (high - low) * plot.width * BAR_SHARE / count
    lefts = xs + (row - count / 2) * room
    tops = np.clip(ys, plot.y, plot.bottom)
    there = [pair for pair in zip(lefts, tops, strict=True) if pair[1] == pair[1]]  # no NaN
    path = "".join(
        f"M{number(left)} {number(zero)}V{number(top)}h{number(room)}V{number(zero)}z"
        for left, top in there
    )
    colour = series_colour(row)
    bars = shape("lines", "path", d=path, fill=colour, stroke=colour, stroke_width=0.5)
    if count == 1 or room < CLOSEST_MARKS:
        return [bars]
    mark = MARKS[row % len(MARKS)]
    ends = (f"M{number(left + room / 2)} {number(min(top, zero) - 6)}{mark}" for left, top in there)
    return [bars, shape("marks", "path", d="".join(ends), fill=colour)]


def _points(view_data: ViewData, row: int, plot: Box) -> list[Part]:
    """Return the points of one series, those outside of the axes left out."""
    xs, ys = _points_in_px(view_data, row, plot)
    mark = MARKS[row % len(MARKS)]
    inside = (xs >= plot.x) & (xs <= plot.x + plot.width) & (ys >= plot.y) & (ys <= plot.bottom)
    at = "".join(
        f"M{number(x)} {number(y)}{mark}" for x, y in zip(xs[inside], ys[inside], strict=True)
    )
    return [shape("marks", "path", d=at, fill=series_colour(row), fill_opacity=0.75)]


def _points_in_px(view_data: ViewData, row: int, plot: Box) -> tuple[Points, Points]:
    assert view_data.x.values is not None  # ViewData promises it for all of these
    xs = _across(view_data.x.values, view_data.x, plot)
    return xs, _down(view_data.values[row], view_data.y, plot)


def visible_points(xs: Points, ys: Points) -> tuple[Points, Points]:
    """Return the points of a line that a screen can show: x and y in px, in their order.

    Of the points in one column of pixels the first, the last, the highest and the lowest; all of
    them where there are few, or where the line is broken.
    """
    if not (np.isfinite(xs).all() and np.isfinite(ys).all()):
        return xs, ys
    column = np.floor(xs)
    first = np.flatnonzero(np.append(True, column[1:] != column[:-1]))
    if len(xs) <= max(2 * len(first), MANY_POINTS):
        return xs, ys
    sizes = np.diff(np.append(first, len(xs)))
    last = first + sizes - 1
    by_height = np.lexsort((ys, np.repeat(np.arange(len(first)), sizes)))
    kept = np.unique(np.concatenate([first, last, by_height[first], by_height[last]]))
    return xs[kept], ys[kept]


def _path(xs: Points, ys: Points) -> str:
    """Return a line through the points, broken where one is no number."""
    there = np.isfinite(xs) & np.isfinite(ys)
    pieces, pen = [], "M"
    for x, y, drawn in zip(xs.tolist(), ys.tolist(), there.tolist(), strict=True):
        if drawn:
            pieces.append(f"{pen}{x:.2f} {y:.2f}")
        pen = "L" if drawn else "M"
    return "".join(pieces)


def _across(values: Points, axis: Axis, plot: Box) -> Points:
    return plot.x + _shares(values, axis) * plot.width


def _down(values: Points, axis: Axis, plot: Box) -> Points:
    return plot.bottom - _shares(values, axis) * plot.height


def _shares(values: Points, axis: Axis) -> Points:
    low, high = axis.limits
    if axis.scale == "log":
        return np.asarray(np.log(values / low) / np.log(high / low))
    return (values - low) / (high - low)


def _band(view_data: ViewData, plot: Box) -> list[Part]:
    """Return the shaded part of the y axis and its words."""
    if view_data.band is None:
        return []
    low, high = (share(end, view_data.y) for end in (view_data.band.low, view_data.band.high))
    y, height = plot.bottom - high * plot.height, (high - low) * plot.height
    return [
        shape("zones", "rect", x=plot.x, y=y, width=plot.width, height=height, fill="masked"),
        text("zones", view_data.band.label, plot.x + 8, y + 16, fill="text"),
    ]


def _grid(axis: Axis, plot: Box) -> Part:
    """Return a faint line at each tick of y."""
    heights = (plot.bottom - share(tick, axis) * plot.height for tick in axis.ticks)
    lines = "".join(f"M{number(plot.x)} {number(y)}h{number(plot.width)}" for y in heights)
    return shape("axes", "path", d=lines, stroke="soft", stroke_opacity=0.25, fill="none")


def legend(series: tuple[str, ...], left: float, room: float) -> tuple[list[Part], int]:
    """Return a sample and a name for each curve, in lines as long as the plot, and their height."""
    if len(series) < 2:
        return [], 0
    parts: list[Part] = []
    x, y = left, TOP + 10.0
    for row, name in enumerate(series):
        length = SAMPLE + 8 + len(name) * DIGIT * 0.9 + 14
        if x > left and x + length > left + room:
            x, y = left, y + LEGEND_LINE
        colour = series_colour(row)
        line = f"M{number(x)} {number(y)}h{SAMPLE}"
        middle = f"M{number(x + SAMPLE / 2)} {number(y)}"
        dash = DASHES[row % len(DASHES)]
        parts += [
            shape("legend", "path", d=line, stroke=colour, stroke_width=1.8, stroke_dasharray=dash),
            shape("legend", "path", d=middle + MARKS[row % len(MARKS)], fill=colour),
            text("legend", name, x + SAMPLE + 8, y + 4.3, fill="text"),
        ]
        x += length
    return parts, round(y - TOP + 14)
