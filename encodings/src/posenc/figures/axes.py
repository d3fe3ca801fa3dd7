"""Axes, frame and colour bar of a live picture, as parts of a scene; sizes in px."""

import math

import numpy as np

from posenc.figures.cells import colour_shares
from posenc.figures.scene import LABEL_SIZE, Attributes, Box, Cells, Part, number, shape, text
from posenc.views import Axis, ColourScale, ViewData, tick_label

DIGIT = 7.7  # the width of a digit at TICK_SIZE
LETTER = 7.5  # the width of a letter at LABEL_SIZE, on average
TICK, MINOR_TICK = 5, 2.5
TICK_LABEL_BELOW, NAME_BELOW = 19, 39  # px from the plot to their base lines


def share(value: float, axis: Axis) -> float:
    """Return the place of a value on its axis: 0 at the low end, 1 at the high end."""
    low, high = axis.limits
    if axis.scale == "log":
        return math.log(value / low) / math.log(high / low)
    return (value - low) / (high - low)


def frame(plot: Box) -> Part:
    """Return the line around the plot, half a pixel outside, so that it covers no cell."""
    at = {"x": plot.x - 0.5, "y": plot.y - 0.5}
    size = {"width": plot.width + 1, "height": plot.height + 1}
    return shape("axes", "rect", fill="none", stroke="soft", **at, **size)


def x_axis(axis: Axis, plot: Box, width: float) -> list[Part]:
    """Return ticks, their labels and the label of the axis below the plot of a picture."""
    stands = {tick: plot.x + share(tick, axis) * plot.width for tick in _all(axis)}
    bottom = number(plot.bottom + 1)
    path = "".join(f"M{number(x)} {bottom}v{_length(tick, axis)}" for tick, x in stands.items())
    below = plot.bottom + TICK_LABEL_BELOW
    labels = [
        text("axes", label, stands[tick], below, text_anchor="middle", fill="text")
        for tick, label in zip(axis.ticks, axis.tick_labels, strict=True)
    ]
    if not axis.label:
        return [_strokes(path), *labels]
    half = len(axis.label) * LETTER / 2  # a long label under a narrow plot stays in the picture
    middle = min(max(plot.x + plot.width / 2, half), width - half)
    name: Attributes = {"text_anchor": "middle", "font_size": LABEL_SIZE, "fill": "text"}
    named = text("axes", axis.label, middle, plot.bottom + NAME_BELOW, **name)
    return [_strokes(path), *labels, named]


def y_axis(axis: Axis, plot: Box, *, downward: bool) -> list[Part]:
    """Return ticks, their labels and the label of the axis left of the plot."""
    shares = {tick: share(tick, axis) for tick in _all(axis)}
    stands = {
        tick: plot.y + (part if downward else 1 - part) * plot.height
        for tick, part in shares.items()
    }
    left = number(plot.x - 1)
    path = "".join(f"M{left} {number(y)}h-{_length(tick, axis)}" for tick, y in stands.items())
    labels = [
        text("axes", label, plot.x - 9, stands[tick] + 4.3, text_anchor="end", fill="text")
        for tick, label in zip(axis.ticks, axis.tick_labels, strict=True)
    ]
    if not axis.label:
        return [_strokes(path), *labels]
    middle = plot.y + plot.height / 2
    beside = plot.x - left_of(axis) + LABEL_SIZE
    turned = f"rotate(-90 {number(beside)} {number(middle)})"
    name: Attributes = {"text_anchor": "middle", "font_size": LABEL_SIZE, "fill": "text"}
    return [
        _strokes(path),
        *labels,
        text("axes", axis.label, beside, middle, transform=turned, **name),
    ]


def left_of(axis: Axis) -> int:
    """Return the px that the words of a y axis need beside its plot."""
    digits = max((len(label) for label in axis.tick_labels), default=1)
    return (LABEL_SIZE if axis.label else 0) + 14 + round(digits * DIGIT)


def colour_bar(view_data: ViewData, plot: Box) -> list[Part]:
    """Return the palette from low to high below the x axis, its ends named, and ticks if any."""
    low, high = (bar_label(view_data, end) for end in view_data.limits)
    bar = bar_below(view_data, plot)
    middle = bar.y + 10.3
    ticks = [
        text(
            "legend",
            bar_label(view_data, tick),
            bar.x + bar.width * along_bar(tick, view_data),
            bar.bottom + 15,
            text_anchor="middle",
            fill="text",
        )
        for tick in view_data.bar_ticks
    ]
    return [
        palette_strip(view_data.scale, bar),
        text("legend", low, bar.x - 7, middle, text_anchor="end", fill="text"),
        text("legend", high, bar.x + bar.width + 7, middle, fill="text"),
        *ticks,
    ]


def bar_below(view_data: ViewData, plot: Box) -> Box:
    """Return the place of the colour bar below a plot, with room for the names of its ends."""
    low, high = (bar_label(view_data, end) for end in view_data.limits)
    left = max(plot.x, (len(low) + 1) * DIGIT)
    right = plot.x + plot.width - len(high) * DIGIT
    return Box(left, plot.bottom + 53, right - left, 12)


def along_bar(value: float, view_data: ViewData) -> float:
    """Return the place of a value on the colour bar, 0 to 1."""
    return float(colour_shares(np.array(value), view_data.limits, view_data.bend))


def bar_label(view_data: ViewData, value: float) -> str:
    """Return the text of a value on the colour bar: with its sign where both signs occur."""
    return signed_tick(value) if view_data.limits[0] < 0 else tick_label(float(f"{value:.4g}"))


def palette_strip(palette: ColourScale, bar: Box) -> Cells:
    """Return the 256 colours side by side."""
    return Cells("legend", bar, np.arange(256, dtype=np.uint8)[None, :], palette)


def signed_tick(value: float) -> str:
    """Return a tick of a scale with a true minus sign: −1, 0, +1."""
    return ("+" if value > 0 else "−" if value < 0 else "") + f"{abs(value):g}"


def _all(axis: Axis) -> tuple[float, ...]:
    return axis.ticks + axis.minor_ticks


def _length(tick: float, axis: Axis) -> str:
    return number(TICK if tick in axis.ticks else MINOR_TICK)


def _strokes(path: str) -> Part:
    return shape("axes", "path", d=path, stroke="soft", fill="none")
