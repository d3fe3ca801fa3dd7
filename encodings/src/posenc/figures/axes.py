"""Axes, frame and colour bar of a live picture, as SVG elements; sizes in px."""

import math
from dataclasses import dataclass

import numpy as np

from posenc.figures.cells import colour_shares
from posenc.figures.palettes import Ink
from posenc.figures.png import palette_png
from posenc.figures.svg import Attributes, data_url, element, number, signed, text
from posenc.views import Axis, ViewData, tick_label

TICK_SIZE, LABEL_SIZE = 12, 13
DIGIT = 7.7  # the width of a digit at TICK_SIZE
LETTER = 7.5  # the width of a letter at LABEL_SIZE, on average
TICK, MINOR_TICK = 5, 2.5


@dataclass(frozen=True)
class Box:
    """A rectangle of the picture, from its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    def lowered(self, by: float) -> "Box":
        """Return the same rectangle further down."""
        return Box(self.x, self.y + by, self.width, self.height)

    @property
    def bottom(self) -> float:
        """Return where it ends."""
        return self.y + self.height


def share(value: float, axis: Axis) -> float:
    """Return how far along its axis a value stands: 0 at the low end, 1 at the high end."""
    low, high = axis.limits
    if axis.scale == "log":
        return math.log(value / low) / math.log(high / low)
    return (value - low) / (high - low)


def frame(plot: Box, ink: Ink) -> str:
    """Return the line around the plot, half a pixel outside, so that it covers no cell."""
    at = {"x": plot.x - 0.5, "y": plot.y - 0.5}
    size = {"width": plot.width + 1, "height": plot.height + 1}
    return element("rect", fill="none", stroke=ink.soft, **at, **size)


def x_axis(axis: Axis, plot: Box, width: float, ink: Ink) -> list[str]:
    """Return ticks, their labels and the label of the axis below the plot of a picture."""
    stands = {tick: plot.x + share(tick, axis) * plot.width for tick in _all(axis)}
    bottom = number(plot.bottom + 1)
    path = "".join(f"M{number(x)} {bottom}v{_length(tick, axis)}" for tick, x in stands.items())
    labels = [
        text(label, stands[tick], plot.bottom + 19, text_anchor="middle", fill=ink.text)
        for tick, label in zip(axis.ticks, axis.tick_labels, strict=True)
    ]
    if not axis.label:
        return [_strokes(path, ink), *labels]
    half = len(axis.label) * LETTER / 2  # a long label under a narrow plot stays in the picture
    middle = min(max(plot.x + plot.width / 2, half), width - half)
    name: Attributes = {"text_anchor": "middle", "font_size": LABEL_SIZE, "fill": ink.text}
    return [_strokes(path, ink), *labels, text(axis.label, middle, plot.bottom + 39, **name)]


def y_axis(axis: Axis, plot: Box, ink: Ink, *, downward: bool) -> list[str]:
    """Return ticks, their labels and the label of the axis left of the plot."""
    shares = {tick: share(tick, axis) for tick in _all(axis)}
    stands = {
        tick: plot.y + (part if downward else 1 - part) * plot.height
        for tick, part in shares.items()
    }
    left = number(plot.x - 1)
    path = "".join(f"M{left} {number(y)}h-{_length(tick, axis)}" for tick, y in stands.items())
    labels = [
        text(label, plot.x - 9, stands[tick] + 4.3, text_anchor="end", fill=ink.text)
        for tick, label in zip(axis.ticks, axis.tick_labels, strict=True)
    ]
    if not axis.label:
        return [_strokes(path, ink), *labels]
    middle = plot.y + plot.height / 2
    beside = plot.x - left_of(axis) + LABEL_SIZE
    turned = f"rotate(-90 {number(beside)} {number(middle)})"
    name: Attributes = {"text_anchor": "middle", "font_size": LABEL_SIZE, "fill": ink.text}
    return [
        _strokes(path, ink),
        *labels,
        text(axis.label, beside, middle, transform=turned, **name),
    ]


def left_of(axis: Axis) -> int:
    """Return the px that the words of a y axis need beside its plot."""
    digits = max((len(label) for label in axis.tick_labels), default=1)
    return (LABEL_SIZE if axis.label else 0) + 14 + round(digits * DIGIT)


def colour_bar(view_data: ViewData, palette: bytes, plot: Box, ink: Ink) -> list[str]:
    """Return the palette from low to high below the x axis, its ends named, and ticks if any."""
    low, high = (bar_label(view_data, end) for end in view_data.limits)
    bar = bar_below(view_data, plot)
    middle = bar.y + 10.3
    ticks = [
        text(
            bar_label(view_data, tick),
            bar.x + bar.width * along_bar(tick, view_data),
            bar.bottom + 15,
            text_anchor="middle",
            fill=ink.text,
        )
        for tick in view_data.bar_ticks
    ]
    return [
        palette_strip(palette, bar),
        text(low, bar.x - 7, middle, text_anchor="end", fill=ink.text),
        text(high, bar.x + bar.width + 7, middle, fill=ink.text),
        *ticks,
    ]


def bar_below(view_data: ViewData, plot: Box) -> Box:
    """Return where the colour bar stands below a plot, with room for the names of its ends."""
    low, high = (bar_label(view_data, end) for end in view_data.limits)
    left = max(plot.x, (len(low) + 1) * DIGIT)
    right = plot.x + plot.width - len(high) * DIGIT
    return Box(left, plot.bottom + 53, right - left, 12)


def along_bar(value: float, view_data: ViewData) -> float:
    """Return how far along the colour bar a value stands, 0 to 1."""
    return float(colour_shares(np.array(value), view_data.limits, view_data.bend))


def bar_label(view_data: ViewData, value: float) -> str:
    """Return how a value is written on the colour bar: with its sign where both signs occur."""
    return signed(value) if view_data.limits[0] < 0 else tick_label(float(f"{value:.4g}"))


def palette_strip(palette: bytes, bar: Box) -> str:
    """Return the 256 colours side by side."""
    strip = palette_png(np.arange(256, dtype=np.uint8)[None, :], palette)
    return picture(strip, bar)


def picture(png: bytes, box: Box) -> str:
    """Return a PNG stretched over a box, its pixels kept square-edged."""
    at = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    how = {"preserveAspectRatio": "none", "image_rendering": "pixelated"}
    return element("image", href=data_url(png), **how, **at)


def _all(axis: Axis) -> tuple[float, ...]:
    return axis.ticks + axis.minor_ticks


def _length(tick: float, axis: Axis) -> str:
    return number(TICK if tick in axis.ticks else MINOR_TICK)


def _strokes(path: str, ink: Ink) -> str:
    return element("path", d=path, stroke=ink.soft, fill="none")
