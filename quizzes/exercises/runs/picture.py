"""The picture of a matrix that a Run gave: its first rows and columns, on a scale around 0.

A cell that is NaN or infinite is grey. The drawing is that of the lessons' figures.
"""

from functools import lru_cache

import numpy as np
from posenc.figures.live import draw_live
from posenc.figures.palettes import Scheme
from posenc.views import ViewData

from quizzes.exercises.failure_picture import DrawnLayer, axis_of_cells, round_limit
from quizzes.grader.programs import ValuePicture

WIDTH_PX = 340
MOST = 1e300


@lru_cache(maxsize=64)
def draw_value(data: bytes, *, scheme: Scheme) -> DrawnLayer:
    """Return the picture drawn; raises BadFrame for bytes that are none."""
    drawn = draw_live(_view(ValuePicture.from_bytes(data)), scheme=scheme, width_px=WIDTH_PX)
    return DrawnLayer(drawn.svg, drawn.width, drawn.height)


def picture_size(data: bytes) -> tuple[int, int]:
    """Return its width and height in px."""
    drawn = draw_value(data, scheme="light")
    return drawn.width, drawn.height


def words_of(picture: ValuePicture) -> dict[str, str]:
    """Return caption and text alternative, made from the numbers."""
    rows, columns = picture.values.shape
    is_part = (rows, columns) != picture.shape
    caption = f"The first {rows} rows and {columns} columns." if is_part else ""
    finite = picture.values[np.isfinite(picture.values)]
    said = "No number is finite."
    if finite.size:
        said = f"The numbers lie between {_number(finite.min())} and {_number(finite.max())}."
    grey = "" if finite.size == picture.values.size else " Grey cells are NaN or infinite."
    name = f" of part {picture.name}" if picture.name else ""
    alt = f"Heatmap{name}, {rows} rows and {columns} columns. {said}{grey}"
    return {"caption": caption, "alt": alt}


def _number(value: float) -> str:
    return f"{value:.4g}".replace("-", "\u2212")


def _view(picture: ValuePicture) -> ViewData:
    clipped = np.clip(picture.values, -MOST, MOST)  # twice as much would be infinite
    values = np.where(np.isfinite(picture.values), clipped, np.nan)
    limit = round_limit(values)
    rows, columns = values.shape
    return ViewData(
        kind="heatmap",
        scale="signed_unit",
        values=values,
        x=axis_of_cells("column", 0, columns),
        y=axis_of_cells("row", 0, rows),
        limits=(-limit, limit),
        title="Value",
        subtitle="",
        finding="",
        masked="NaN or infinite",
    )
