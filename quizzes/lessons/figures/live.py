"""The live answer: picture, text, value card and table of one set of parameters, together."""

import re
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import parse_qsl

import numpy as np
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from posenc.errors import ParameterError, QueryError
from posenc.figures.card import value_card
from posenc.figures.describe import describe, signed_digits
from posenc.figures.live import LivePicture, draw_live, scene_of
from posenc.figures.palettes import Scheme
from posenc.figures.scene import Scene
from posenc.figures.svg import write
from posenc.query import Selection
from posenc.views import ViewData

from quizzes.lessons.figures.address import (
    SCHEMES,
    TABLE,
    WIDTHS,
    compute,
    file_address,
    files_of,
    find_view,
    select,
    table_address,
    texts_of,
)
from quizzes.lessons.figures.values import numbers_of, table_html
from quizzes.pages.mathematics import mathml

LARGEST_IN_PAGE = 8_000  # bytes of one picture; a heatmap has 5 000
# Escaped rather than as base64, four similar pictures compress to half the bytes.
_UNSAFE = re.compile(r"""[\s<>"#%&']""")


@dataclass(frozen=True)
class FirstPicture:
    """A first picture of a page. A small picture is a data: address."""

    scheme: str
    width_name: str
    address: str
    width: int
    height: int
    plot: tuple[float, ...]
    rows: int
    columns: int
    order: list[int] | None
    note: str
    kind: str

    @property
    def geometry(self) -> dict[str, Any]:
        """Return the data with which a click on the picture finds its cell."""
        names = ("plot", "width", "height", "rows", "columns", "order", "kind")
        return {name: getattr(self, name) for name in names}


def payload(
    selection: Selection,
    *,
    scheme: Scheme,
    width: str,
    table: bool,
    values: bool = False,
    picture: bool = True,
) -> dict[str, Any]:
    """Return the answer of a `.json` address: all parts that the page replaces in one frame.

    With `values` also the numbers, as the CSV file has them. Without `picture` the page has drawn
    it already: `svg` is "". Raises QueryError.
    """
    data = compute(selection)
    scene = scene_of(data, WIDTHS[width])
    return {
        "parameters": texts_of(selection),
        "title": data.title,
        "subtitle": data.subtitle,
        "finding": data.finding,
        "note": scene.note,
        "alt": (alt := describe(data)),
        "svg": write(scene, scheme=scheme, alt=alt) if picture else "",
        "width": scene.width,
        "height": scene.height,
        "plot": plot_of(scene),
        "rows": scene.rows,
        "columns": scene.columns,
        "order": order_of(scene.drawn),
        "kind": data.kind,
        "cursor": cursor_text(data),
        "card": card_html(selection),
        "table": table_html(data) if table else None,
        "files": files_of(selection) | {TABLE: table_address(selection)},
        **(numbers_of(data) if values else {}),
    }


def first_pictures(encoding: str, view: str, canonical: str) -> tuple[FirstPicture, ...]:
    """Return a picture in every width and scheme, for the page to choose from.

    So the first paint is right in the dark, on a phone and without a script. Raises QueryError.
    """
    selection = select(*find_view(encoding, view), dict(parse_qsl(canonical)))
    data = compute(selection)
    found = []
    for name in WIDTHS:
        for scheme in SCHEMES:
            picture = draw_live(data, scheme=cast(Scheme, scheme), width_px=WIDTHS[name])
            address = _first_address(picture, selection, scheme=scheme, width=name)
            size = (picture.width, picture.height, plot_of(picture.scene))
            cells = (picture.rows, picture.columns, order_of(picture.drawn))
            found.append(
                FirstPicture(scheme, name, address, *size, *cells, picture.note, data.kind)
            )
    return tuple(found)


def live_svg(selection: Selection, *, scheme: Scheme, width: str) -> str:
    """Return the live picture as a file of its own. Raises QueryError."""
    return draw_live(compute(selection), scheme=scheme, width_px=WIDTHS[width]).svg


def _first_address(picture: LivePicture, selection: Selection, **dress: str) -> str:
    """Return a data: address, or that of a file if four copies would make the page too large."""
    if len(picture.svg.encode()) > LARGEST_IN_PAGE:
        return file_address(selection, "live.svg", **dress)
    return "data:image/svg+xml," + _UNSAFE.sub(lambda sign: f"%{ord(sign[0]):02X}", picture.svg)


def plot_of(scene: Scene) -> tuple[float, ...]:
    """Return the place of the cells in the picture: x, y, width, height."""
    plot = scene.plots[0]
    return (plot.x, plot.y, plot.width, plot.height)


def order_of(data: ViewData) -> list[int] | None:
    """Return the dimension in each column drawn, None if they stand in their order."""
    if data.cursor is None or data.column_names == tuple(map(str, range(len(data.column_names)))):
        return None
    return [int(name) for name in data.column_names]


def cell_words(selection: Selection, at: tuple[int, int]) -> str:
    """Return one cell of a heatmap as it is drawn, in words. Raises QueryError."""
    data = scene_of(compute(selection), WIDTHS["wide"]).drawn
    rows, columns = data.values.shape if data.kind == "heatmap" else (0, 0)
    if not (at[0] < rows and at[1] < columns):
        expected = f"must be below {rows},{columns}: the picture has that many rows and columns"
        raise QueryError([ParameterError("at", f"{at[0]},{at[1]}", expected)])
    return _in_words(data, *at)


def cursor_text(data: ViewData) -> str:
    """Return the outlined cell in words, for listeners to the page."""
    if data.cursor is None:
        return ""
    return _in_words(data, *data.cursor)


def _in_words(data: ViewData, row: int, column: int) -> str:
    value = data.values[row, column]
    if data.scale == "category":
        text = str(int(value))
    elif np.isfinite(value):
        text = signed_digits(value)
    else:
        text = "no number" if np.isnan(value) else "∞" if value > 0 else "−∞"
    where = f"{data.row_noun} {data.row_names[row]}, {data.column_noun} {data.column_names[column]}"
    return f"{where}: {text}"


def card_html(selection: Selection) -> SafeString:
    """Return the value card of the cursor's cell, or "" where the figure has none."""
    at = selection.arguments
    if not {"position", "dimension"} <= set(at):
        return SafeString()
    try:
        card = value_card(selection.encoding, at["position"], at["dimension"])
    except ParameterError:  # an encoding without a formula for each of its cells
        return SafeString()
    lines = [mathml(line, display=False) for line in card.formula_tex]
    mark = f"{(card.value + 1) * 50:.2f}"  # the gauge is 100 wide
    return render_to_string("lessons/_card.html", {"card": card, "lines": lines, "mark": mark})
