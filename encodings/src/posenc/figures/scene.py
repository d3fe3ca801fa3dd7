"""A scene: what stands between the numbers of a picture and its pixels.

Parts in the order they are painted, each in a named layer: places in px, colours as names. So one
scene serves every colour scheme, `svg.py` only writes it, and a page that makes the same scene from
its own numbers (static/figures) shows the same picture.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from posenc.views import ColourScale, ViewData

Layer = Literal["cells", "lines", "marks", "axes", "labels", "zones", "legend", "cursor"]
Attributes = Mapping[str, float | str | None]
Indices = npt.NDArray[np.uint8]

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
TICK_SIZE, LABEL_SIZE = 12, 13


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
        """Return the y of its lower edge."""
        return self.y + self.height


@dataclass(frozen=True)
class Shape:
    """A rect, path, line, circle or text with the attributes that SVG has for it.

    `fill` and `stroke` are names of colours, see `palettes.colours`.
    """

    layer: Layer
    kind: Literal["rect", "path", "line", "circle", "text"]
    attributes: Attributes
    words: str = ""  # of a text


@dataclass(frozen=True, eq=False)
class Cells:
    """A box of cells, each an index (rows, columns) into a palette of 256 colours.

    In the palette "cover", 0 is transparent and 1 the colour of cells without a number.
    """

    layer: Layer
    box: Box
    indices: Indices
    palette: ColourScale | Literal["cover"]


Part = Shape | Cells


@dataclass(frozen=True, eq=False)
class Scene:
    """A whole picture, and where a page finds its cells: `rows` x `columns` of them in a plot.

    `note` says what a pixel stands for when there are more cells than pixels, or when columns are
    in another order than that of the data; `drawn` is the data in the order it is drawn.
    """

    width: int
    height: int
    parts: tuple[Part, ...]
    plots: tuple[Box, ...]
    rows: int
    columns: int
    drawn: ViewData
    note: str = ""


def shape(
    layer: Layer, kind: Literal["rect", "path", "line", "circle"], **attributes: float | str | None
) -> Shape:
    """Return a shape; `stroke_width` stands for stroke-width, None leaves an attribute out."""
    return Shape(layer, kind, attributes)


def text(layer: Layer, words: str, x: float, y: float, **attributes: float | str | None) -> Shape:
    """Return words at a point."""
    return Shape(layer, "text", {"x": x, "y": y, **attributes}, words)


def number(value: float) -> str:
    """Return a coordinate with at most two digits after the point: 12, 12.5, 12.35."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def as_json(scene: Scene) -> dict[str, Any]:
    """Return the scene as plain lists and numbers, to compare it with that of a page."""
    return {
        "width": scene.width,
        "height": scene.height,
        "plots": [_corners(plot) for plot in scene.plots],
        "rows": scene.rows,
        "columns": scene.columns,
        "note": scene.note,
        "parts": [_part_as_json(part) for part in scene.parts],
    }


def _part_as_json(part: Part) -> dict[str, Any]:
    if isinstance(part, Cells):
        rows, columns = part.indices.shape
        return {
            "layer": part.layer,
            "kind": "cells",
            "box": _corners(part.box),
            "palette": part.palette,
            "shape": [rows, columns],
            "indices": part.indices.ravel().tolist(),
        }
    written = {key.replace("_", "-"): one for key, one in part.attributes.items()}
    attributes = {
        key: one if isinstance(one, str) else number(one)
        for key, one in written.items()
        if one is not None
    }
    return {
        "layer": part.layer,
        "kind": part.kind,
        "attributes": attributes,
        "words": part.words,
    }


def _corners(box: Box) -> list[float]:
    return [box.x, box.y, box.width, box.height]
