"""Reading pictures back: what a live SVG or a reference figure really shows."""

import base64
import io
import re
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import numpy as np
from PIL import Image, ImageFont

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, eq=False)
class Ticks:
    """The ticks of one axis as drawn: labels and their values, and all values, minor ones too.

    Labels may come twice: where columns are grouped, each group is numbered from 0.
    """

    labelled: list[tuple[str, float]]
    values: np.ndarray


def elements(svg, name):
    """Return the elements of that name, in order."""
    return list(ET.fromstring(svg).iter(SVG + name))


def images(svg):
    """Return the embedded PNGs as (rows, columns, 3) arrays: the plot, then the colour bar."""
    urls = [element.get("href") for element in elements(svg, "image")]
    return [rgb(base64.b64decode(url.split(",", 1)[1])) for url in urls]


def images_in(picture, box):
    """Return the embedded PNGs that fill one plot, as (rows, columns, 3) arrays."""
    place = [f"{value:.2f}".rstrip("0").rstrip(".") for value in (box.x, box.y)]
    found = [one for one in elements(picture.svg, "image") if [one.get("x"), one.get("y")] == place]
    return [rgb(base64.b64decode(one.get("href").split(",", 1)[1])) for one in found]


def covered(svg):
    """Return the plot of a heatmap with the cover over its cells without a number, as RGB."""
    plot, cover = [_image(element.get("href")) for element in elements(svg, "image")[:2]]
    return np.asarray(Image.alpha_composite(plot, cover).convert("RGB"))


def _image(url):
    return Image.open(io.BytesIO(base64.b64decode(url.split(",", 1)[1]))).convert("RGBA")


def rgb(png):
    """Return a PNG as a (rows, columns, 3) array."""
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def live_ticks(picture, data, plot):
    """Return the ticks of x and y of one plot, read from the marks and words of a live picture."""
    paths = [path.get("d") for path in elements(picture.svg, "path")]
    at_x, at_y = f" {plot.bottom + 1:.2f}".rstrip("0").rstrip("."), f"M{plot.x - 1:.2f}"
    at_y = at_y.rstrip("0").rstrip(".")
    x_marks = [d for d in paths if re.fullmatch(rf"(M[\d.]+{re.escape(at_x)}v[\d.]+)+", d)]
    y_marks = [d for d in paths if re.fullmatch(rf"({re.escape(at_y)} [\d.]+h-[\d.]+)+", d)]
    xs = [float(x) for d in x_marks for x in re.findall(r"M([\d.]+) ", d)]
    xs = [x for x in xs if plot.x - 0.1 <= x <= plot.x + plot.width + 0.1]
    ys = [float(y) for d in y_marks for y in re.findall(r" ([\d.]+)h", d)]
    ys = [y for y in ys if plot.y - 0.1 <= y <= plot.bottom + 0.1]
    words = [word for word in elements(picture.svg, "text") if word.get("font-size") is None]
    below = [word for word in words if abs(float(word.get("y")) - plot.bottom - 19) < 0.01]
    below = [word for word in below if -1 < float(word.get("x")) - plot.x < plot.width + 1]
    left = [word for word in words if abs(float(word.get("x")) - plot.x + 9) < 0.01]
    left = [word for word in left if -1 < float(word.get("y")) - 4.3 - plot.y < plot.height + 1]

    def x_value(px):
        return _value((px - plot.x) / plot.width, data.x)

    def y_value(px):
        along = (px - plot.y) / plot.height
        return _value(along if data.kind == "heatmap" else 1 - along, data.y)

    return (
        Ticks([(w.text, x_value(float(w.get("x")))) for w in below], np.array([*map(x_value, xs)])),
        Ticks(
            [(w.text, y_value(float(w.get("y")) - 4.3)) for w in left],
            np.array([*map(y_value, ys)]),
        ),
    )


def live_lines(picture, data, plot):
    """Return the points of each curve of a plot as values, [(xs, ys), ...], read from a picture."""
    lines = []
    for path in elements(picture.svg, "path"):
        if re.fullmatch(r"(M[\d.]+ [\d.]+L)([\d.]+ [\d.]+[LM]?)+", path.get("d")):
            points = np.array(re.findall(r"([\d.]+) ([\d.]+)", path.get("d")), dtype=float)
            outside = points[0, 0] < plot.x - 0.1 or points[0, 0] > plot.x + plot.width + 0.1
            if outside or not plot.y - 0.1 <= points[0, 1] <= plot.bottom + 0.1:
                continue
            xs = [_value((x - plot.x) / plot.width, data.x) for x in points[:, 0]]
            ys = [_value((plot.bottom - y) / plot.height, data.y) for y in points[:, 1]]
            lines.append((np.array(xs), np.array(ys)))
    return lines


def reference_ticks(axes):
    """Return the ticks of x and y of matplotlib axes."""
    return tuple(
        Ticks(
            [
                (label.get_text(), tick)
                for label, tick in zip(axis.get_ticklabels(), axis.get_ticklocs(), strict=True)
            ],
            np.concatenate([axis.get_ticklocs(), axis.get_ticklocs(minor=True)]),
        )
        for axis in (axes.xaxis, axes.yaxis)
    )


def words_outside(picture):
    """Return the words of a live picture that reach over its edge, measured in DejaVu Sans."""
    import matplotlib

    fonts = f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans"
    outside = []
    for word in elements(picture.svg, "text"):
        size = float(word.get("font-size", 12))
        path = f"{fonts}-Bold.ttf" if word.get("font-weight") == "bold" else f"{fonts}.ttf"
        length = ImageFont.truetype(path, 100).getlength(word.text) * size / 100
        turned = word.get("transform") is not None
        middle = float(word.get("y" if turned else "x"))
        start = middle - length * {"middle": 0.5, "end": 1.0, None: 0.0}[word.get("text-anchor")]
        if start < 0 or start + length > (picture.height if turned else picture.width):
            outside.append(word.text)
    return outside


def _value(along, axis):
    low, high = axis.limits
    return low * (high / low) ** along if axis.scale == "log" else low + along * (high - low)
