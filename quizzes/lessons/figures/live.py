"""The live answer: picture, text, value card and table of one set of parameters, together."""

import base64
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast
from urllib.parse import parse_qsl, quote

import numpy as np
import numpy.typing as npt
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from posenc.errors import ParameterError, QueryError
from posenc.figures.card import value_card
from posenc.figures.describe import describe, signed_digits
from posenc.figures.live import draw_live, scene_of
from posenc.figures.palettes import Scheme
from posenc.figures.scene import Box, Scene
from posenc.figures.svg import write
from posenc.figures.thumbnails import draw_thumbnails, is_of_one_colour
from posenc.query import Selection, read_query
from posenc.registry import REGISTRY, Entry
from posenc.views import OVER_X, ViewData

from quizzes.lessons.figures.address import (
    SCHEMES,
    TABLE,
    WIDTHS,
    compute,
    file_address,
    files_of,
    find_any_view,
    find_entry,
    select,
    table_address,
    texts_of,
)
from quizzes.lessons.figures.values import numbers_of, table_html
from quizzes.pages.mathematics import mathml

MOST_READ = 2**16  # numbers of an answer, with which a page tells the value at a point
LARGEST_IN_PAGE = 8_000  # bytes of one picture; a heatmap has 5 000
KEPT_FILES = 128  # pictures as files in each web process; those of lessons have 5 to 60 KB
# Escaped rather than as base64, four similar pictures compress to half the bytes.
_UNSAFE = re.compile(r"""[\s<>"#%&']""")


@dataclass(frozen=True)
class FirstPicture:
    """A first picture of a page. `address` is that of its file, or a small picture itself."""

    scheme: str
    width_name: str
    address: str
    file: str
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
    selection = select(*find_any_view(encoding, view), dict(parse_qsl(canonical)))
    data = compute(selection)
    found = []
    for name in WIDTHS:
        for scheme in SCHEMES:
            picture = draw_live(data, scheme=cast(Scheme, scheme), width_px=WIDTHS[name])
            file = file_address(selection, "live.svg", scheme=scheme, width=name)
            address = _data_address(picture.svg) or file
            size = (picture.width, picture.height, plot_of(picture.scene))
            cells = (picture.rows, picture.columns, order_of(picture.drawn))
            found.append(
                FirstPicture(scheme, name, address, file, *size, *cells, picture.note, data.kind)
            )
    return tuple(found)


def live_svg(selection: Selection, *, scheme: Scheme, width: str) -> str:
    """Return the live picture as a file of its own. Raises QueryError."""
    names = (selection.entry.slug, selection.view.slug)
    return _kept_svg(*names, selection.canonical(), scheme, width)


# Every new visitor of a lesson asks for the pictures below the first one, which take 10 ms to draw.
@lru_cache(maxsize=KEPT_FILES)
def _kept_svg(encoding: str, view: str, canonical: str, scheme: Scheme, width: str) -> str:
    selection = select(*find_any_view(encoding, view), dict(parse_qsl(canonical)))
    return draw_live(compute(selection), scheme=scheme, width_px=WIDTHS[width]).svg


@lru_cache(maxsize=len(SCHEMES))
def thumbnails(scheme: Scheme) -> str:
    """Return a thumbnail of every encoding in one SVG, each under its slug.

    It is its first view that is not of one colour. All together take 0.4 s of the processor.
    """
    pictures = {entry.slug: _telling(entry) for entry in REGISTRY.values() if entry.views}
    return draw_thumbnails(pictures, scheme=scheme)


@lru_cache(maxsize=KEPT_FILES)
def own_thumbnail(slug: str) -> dict[str, str] | None:
    """Return a thumbnail of own numbers in each scheme as an address; None where it is too large.

    Whether they may be seen was checked before.
    """
    entry = find_entry(slug)
    if entry is None:
        return None
    pictures = {slug: _telling(entry)}
    drawn = {
        scheme: _data_address(draw_thumbnails(pictures, scheme=cast(Scheme, scheme)))
        for scheme in SCHEMES
    }
    return drawn if all(drawn.values()) else None


def _telling(entry: Entry) -> ViewData:
    """Return the data of the first view that is not of one colour, if there is any."""
    data = None
    for view in entry.views.values():
        data = compute(read_query(entry, view, {}))
        if not is_of_one_colour(data):
            break
    assert data is not None
    return data


def _data_address(svg: str) -> str:
    """Return a picture as a data: address, "" if four of them would make the page too large."""
    if len(svg.encode()) > LARGEST_IN_PAGE:
        return ""
    return "data:image/svg+xml," + _UNSAFE.sub(lambda sign: quote(sign[0]), svg)


def plot_of(scene: Scene) -> tuple[float, ...]:
    """Return the place of the cells in the picture: x, y, width, height."""
    plot = scene.plots[0]
    return (plot.x, plot.y, plot.width, plot.height)


def order_of(data: ViewData) -> list[int] | None:
    """Return the dimension in each column drawn, None if they stand in their order."""
    if data.cursor is None or data.column_names == tuple(map(str, range(len(data.column_names)))):
        return None
    return [int(name) for name in data.column_names]


def cell_words(selection: Selection, at: tuple[int, int], *, panel: int, width: str) -> str:
    """Return one value of a panel as it is drawn at a width, in words. Raises QueryError."""
    drawn = scene_of(compute(selection), WIDTHS[width]).drawn
    panels = drawn.panels or (drawn,)
    if panel >= len(panels):
        expected = f"must be below {len(panels)}: the picture has that many plots"
        raise QueryError([ParameterError("panel", panel, expected)])
    data = panels[panel]
    rows, columns = data.values.shape
    if not (at[0] < rows and at[1] < columns):
        expected = f"must be below {rows},{columns}: the plot has that many rows and columns"
        raise QueryError([ParameterError("at", f"{at[0]},{at[1]}", expected)])
    title = f"{data.title}: " if len(panels) > 1 else ""
    return title + _in_words(data, *at)


def reading(selection: Selection, *, width: str) -> dict[str, Any]:
    """Return the data for showing the value at a point of a picture: plots, names, numbers.

    The numbers are float32 as base64, of the smallest plots first, at most MOST_READ of them; for
    those of other plots a page asks one by one. Raises QueryError.
    """
    scene = scene_of(compute(selection), WIDTHS[width])
    panels = scene.drawn.panels or (scene.drawn,)
    left, told = MOST_READ, set()
    for number, panel in sorted(enumerate(panels), key=lambda pair: pair[1].values.size):
        left -= panel.values.size
        if left >= 0:
            told.add(number)
    if scene.drawn.kind == "circles":
        places = [_circle(scene.drawn, row, box) for row, box in enumerate(scene.plots)]
    else:
        places = [
            _place(
                panel, box, title=panel.title if len(panels) > 1 else "", has_values=number in told
            )
            for number, (panel, box) in enumerate(zip(panels, scene.plots, strict=True))
        ]
    return {"width": scene.width, "height": scene.height, "places": places}


def _place(data: ViewData, box: Box, *, title: str, has_values: bool) -> dict[str, Any]:
    across, down = data.x, data.y
    return {
        "box": [box.x, box.y, box.width, box.height],
        "kind": data.kind,
        "scale": data.scale,
        "shape": data.values.shape,
        "values": _packed(data.values) if has_values else None,
        "xs": None if across.values is None else _packed(across.values),
        "x": {"limits": across.limits, "scale": across.scale},
        "y": {"limits": down.limits, "scale": down.scale},
        "rows": {"noun": data.row_noun, "names": data.row_names},
        "columns": {"noun": data.column_noun, "names": data.column_names},
        "title": title,
    }


def _circle(data: ViewData, row: int, box: Box) -> dict[str, Any]:
    one = replace(data, values=data.values[row : row + 1], row_names=data.row_names[row : row + 1])
    return _place(one, box, title="", has_values=True)


def _packed(numbers: npt.NDArray[Any]) -> str:
    return base64.b64encode(numbers.astype("<f4").tobytes()).decode("ascii")


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
        text = text if data.scale == "signed_unit" else text.removeprefix("+")
    else:
        text = "no number" if np.isnan(value) else "∞" if value > 0 else "−∞"
    where = f"{data.column_noun} {data.column_names[column]}"
    if data.kind not in OVER_X or len(data.values) > 1:  # the one curve needs no name
        where = f"{data.row_noun} {data.row_names[row]}, {where}"
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
