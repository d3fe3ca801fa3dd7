"""The picture of a failing case: reference, yours and difference, on one scale.

Shapes: each layer is (rows, columns), at most 64 x 64, cut out around the worst cell.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from posenc.figures.heatmap import cells_in
from posenc.figures.live import draw_live
from posenc.figures.palettes import Scheme
from posenc.figures.scene import Box
from posenc.figures.svg import document
from posenc.views import Axis, ViewData, tick_step

from quizzes.grader.judge import Picture

LAYERS = {"reference": "Reference", "yours": "Yours", "difference": "Yours − reference"}
HEADS = ("n_heads", "num_heads", "H")  # as exercises name the axis
WIDTH_PX = 340
SMALL_PX = 94
MOST_TICKS = 6


@dataclass(frozen=True)
class Caption:
    """What a page says of one of the three pictures: its name, caption and text alternative."""

    name: str
    caption: str
    alt: str


@dataclass(frozen=True)
class Layer(Caption):
    """One of the three pictures as a page shows it in its size, in px."""

    width: int
    height: int


@dataclass(frozen=True)
class DrawnLayer:
    """A layer as a complete SVG document, and its size in px."""

    svg: str
    width: int
    height: int


def layers_of(arrays: bytes, *, returns: str = "") -> tuple[Layer, ...]:
    """Return the three layers with captions, sizes, and texts made from the numbers.

    `returns`: what the exercise asks for, "array of shape (n_heads, Lq, Lk)": it tells heads apart.
    A single cell has no layers: three squares in one colour say less than the two numbers.
    """
    layers = []
    for said in captions_of(arrays, returns=returns):
        drawn = draw_layer(arrays, layer=said.name, scheme="light")
        layers.append(Layer(said.name, said.caption, said.alt, drawn.width, drawn.height))
    return tuple(layers)


def captions_of(arrays: bytes, *, returns: str = "", whose: str = "Your") -> tuple[Caption, ...]:
    """Return what is said of the three layers without drawing them; see `layers_of`.

    `whose`: for somebody else than the learner, "Their".
    """
    picture = Picture.from_bytes(arrays)
    if picture.reference.size == 1:
        return ()
    plane = _plane(picture, returns)
    return tuple(
        Caption(
            name, f"{caption}, {plane}" if plane else caption, _words(picture, name, plane, whose)
        )
        for name, caption in LAYERS.items()
    )


@lru_cache(maxsize=128)
def draw_layer(arrays: bytes, *, layer: str, scheme: Scheme) -> DrawnLayer:
    """Return one layer drawn; the worst cell is outlined in all three.

    NaN has no colour: it is drawn as 0, and as the largest difference.
    """
    drawn = draw_live(_view(Picture.from_bytes(arrays), layer), scheme=scheme, width_px=WIDTH_PX)
    return DrawnLayer(drawn.svg, drawn.width, drawn.height)


@lru_cache(maxsize=128)
def draw_small(arrays: bytes, *, layer: str, scheme: Scheme) -> DrawnLayer:
    """Return the cells of a layer alone, with the outline of the worst one, for a list."""
    view = _view(Picture.from_bytes(arrays), layer)
    rows, columns = view.values.shape
    side = SMALL_PX / max(rows, columns)
    plot = Box(1, 1, side * columns, side * rows)
    width, height = round(plot.width) + 2, round(plot.height) + 2
    inside = cells_in(view, plot)
    svg = document(tuple(inside.parts), width, height, scheme=scheme, alt=LAYERS[layer])
    return DrawnLayer(svg, width, height)


def _view(picture: Picture, layer: str) -> ViewData:
    values: npt.NDArray[np.float64] = getattr(picture, layer).astype(np.float64)
    limit = _limit(picture)
    nan_as = limit if layer == "difference" else 0.0
    rows, columns = values.shape
    return ViewData(
        kind="heatmap",
        scale="signed_unit",
        values=np.nan_to_num(values, nan=nan_as, posinf=limit, neginf=-limit),
        x=axis_of_cells("column", picture.column0, columns),
        y=axis_of_cells("row", picture.row0, rows),
        limits=(-limit, limit),
        title=LAYERS[layer],
        subtitle="",
        finding="",
        cursor=(picture.worst[0] - picture.row0, picture.worst[1] - picture.column0),
        row_names=tuple(str(picture.row0 + row) for row in range(rows)),
        column_names=tuple(str(picture.column0 + column) for column in range(columns)),
    )


def _plane(picture: Picture, returns: str) -> str:
    """Return which of several planes is shown: `head 8: [8, :, :]`; "" where there is but one."""
    if not picture.plane:
        return ""
    place = f"[{', '.join(map(str, picture.plane))}, :, :]"
    shape = re.search(r"shape \(([\w, ]+)\)", returns)
    names = [name.strip() for name in shape[1].split(",")] if shape else []
    if len(names) != len(picture.plane) + 2:
        return place
    heads = [at for name, at in zip(names, picture.plane, strict=False) if name in HEADS]
    return f"head {heads[0]}: {place}" if len(heads) == 1 else place


def _words(picture: Picture, layer: str, plane: str, whose: str) -> str:
    """Describe a layer from its numbers, for people who do not see it."""
    row, column = picture.worst
    at = f"in row {row}, column {column}"
    value = _signed(_worst(getattr(picture, layer), picture))
    said = {
        "reference": f"The reference value {at} is {value}.",
        "yours": f"{whose} value {at} is {value}.",
        "difference": f"The largest difference is {value}, {at}. {_share(picture)}",
    }
    name = LAYERS[layer].replace("Your", whose).lower()
    of_what = f"{name}, {plane}" if plane else name
    return f"Heatmap, {of_what}, {_extent(picture)}. {said[layer]}"


def axis_of_cells(noun: str, first: int, count: int) -> Axis:
    """Return an axis of so many cells that are counted from `first`."""
    step = tick_step(count, MOST_TICKS)
    ticks = [cell for cell in range(count) if (first + cell) % step == 0]
    labels = tuple(str(first + cell) for cell in ticks)
    return Axis(noun, (-0.5, count - 0.5), tuple(float(cell) for cell in ticks), labels)


def _limit(picture: Picture) -> float:
    """Return the end of the scale that all three layers share: a round number above them."""
    return round_limit(np.stack([getattr(picture, name) for name in LAYERS]).astype(np.float64))


def round_limit(values: npt.NDArray[np.float64]) -> float:
    """Return a round number, at least 1, that no finite value exceeds."""
    finite = np.abs(values[np.isfinite(values)])
    largest = float(finite.max(initial=0.0))
    if largest <= 1.0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(largest))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= largest))


def _worst(values: npt.NDArray[np.float32], picture: Picture) -> float:
    row, column = picture.worst
    return float(values[row - picture.row0, column - picture.column0])


def _share(picture: Picture) -> str:
    differing = int(np.count_nonzero(~(np.abs(picture.difference) <= 1e-4)))
    return f"{differing} of {picture.difference.size} cells differ by more than 0.0001."


def _extent(picture: Picture) -> str:
    rows, columns = picture.reference.shape
    return (
        f"rows {picture.row0} to {picture.row0 + rows - 1},"
        f" columns {picture.column0} to {picture.column0 + columns - 1}"
    )


def _signed(value: float) -> str:
    if not np.isfinite(value):
        return {True: "not a number", False: "infinite"}[bool(np.isnan(value))]
    return f"{value:+.6g}".replace("-", "−")
