"""From an address to a picture to be drawn, and back to the canonical address of the picture.

A canonical address names every parameter, sorted, and the engine's version: its answer never
changes, so caches may keep it for ever.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import posenc.catalog  # noqa: F401 -- fills REGISTRY
from django.http import Http404, QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from posenc import __version__
from posenc.errors import ParameterError, QueryError
from posenc.figures.palettes import Scheme
from posenc.query import Selection, all_parameters, read_query
from posenc.registry import REGISTRY, Entry, View
from posenc.views import ViewData

from quizzes.content_files.typed_text import read_whole_number
from quizzes.lessons.own_numbers.entries import own_entry
from quizzes.lessons.plots.entries import is_plot_name, plot_entry
from quizzes.lessons.released.rope_names import is_rope_name, rope_entry

SCHEMES = ("light", "dark")
WIDTHS = {"wide": 720, "narrow": 360}  # px; a phone gets a drawing of its own, not a shrunk one
FILES = ("svg", "png", "csv", "json")
FILES_OF_NUMBERS = ("csv", "json")  # another process draws the others, of the catalogue alone
TABLE = "html"  # the file with the values as a page
MAX_TEXT = 40  # characters of one parameter


@dataclass(frozen=True, eq=False)
class FigureQuery:
    """One request for a figure, checked. `version` is "" when the address names none."""

    selection: Selection
    scheme: Scheme
    width: str  # of WIDTHS
    table: bool
    values: bool
    picture: bool
    at: tuple[int, int] | None  # the row and column of the one cell that is asked for
    panel: int  # the plot that this cell is in
    reading: bool
    version: str

    @property
    def canonical(self) -> str:
        """Return the parameters as one text: equal texts, equal pictures."""
        return self.selection.canonical()


class NoSuchViewError(Http404):
    """An encoding has no view of this name."""


def find_entry(slug: str) -> Entry | None:
    """Return the encoding, or the own numbers, that an address names. Raises Http404.

    It does not ask who may see these numbers.
    """
    return REGISTRY.get(slug) or own_entry(slug)


def find_view(encoding: str, view: str) -> tuple[Entry, View]:
    """Return the encoding and view of the catalogue that two slugs name. Raises Http404.

    Content names pictures with these: no slug of own numbers is one of them.
    """
    return _view_of(REGISTRY.get(encoding), encoding, view)


def find_any_view(encoding: str, view: str) -> tuple[Entry, View]:
    """Return the encoding, or the own numbers, and the view that two slugs name. Raises Http404.

    As with `find_entry`, a request's right to see these numbers was checked before. A RoPE of a
    released model has a name of its own, which says all its numbers, and so has a drawn plot.
    """
    if is_plot_name(encoding):
        return _view_of(plot_entry(encoding), encoding, view)
    entry = rope_entry(encoding) if is_rope_name(encoding) else find_entry(encoding)
    return _view_of(entry, encoding, view)


def _view_of(entry: Entry | None, encoding: str, view: str) -> tuple[Entry, View]:
    if entry is None:
        raise Http404(f"no encoding {encoding!r}")
    found = entry.views.get(view)
    if found is None:
        raise NoSuchViewError(f"no view {view!r} of {encoding!r}")
    return entry, found


def read_figure_query(entry: Entry, view: View, query: QueryDict) -> FigureQuery:
    """Check a query string. Raises QueryError naming each argument that cannot be used."""
    texts = single_values(query)
    scheme = _one_of("scheme", texts.pop("scheme", "light"), SCHEMES)
    width = _one_of("width", texts.pop("width", "wide"), tuple(WIDTHS))
    table = _one_of("table", texts.pop("table", "0"), ("0", "1")) == "1"
    values = _one_of("values", texts.pop("values", "0"), ("0", "1")) == "1"
    picture = _one_of("picture", texts.pop("picture", "1"), ("0", "1")) == "1"
    at = _cell_of(texts.pop("at", ""))
    panel = _panel_of(texts.pop("panel", "0"))
    reading = _one_of("reading", texts.pop("reading", "0"), ("0", "1")) == "1"
    version = texts.pop("v", "")
    selection = select(entry, view, texts)
    also = (table, values, picture, at, panel, reading)
    return FigureQuery(selection, cast(Scheme, scheme), width, *also, version)


def single_values(query: QueryDict) -> dict[str, str]:
    """Return each name's one value. Raises QueryError for names given twice or endless values."""
    errors = []
    for name, values in query.lists():
        if len(values) > 1:
            errors.append(ParameterError(name[:MAX_TEXT], values[-1], "is given more than once"))
        elif len(values[0]) > MAX_TEXT:
            expected = f"must have at most {MAX_TEXT} characters"
            errors.append(ParameterError(name[:MAX_TEXT], values[0], expected))
    if errors:
        raise QueryError(errors)
    return {name: values[0] for name, values in query.lists()}


def select(entry: Entry, view: View, texts: Mapping[str, str]) -> Selection:
    """Return the picture that parameters name, its cursor inside. Raises QueryError."""
    selection = read_query(entry, view, texts)
    return _with_cursor_inside(selection)


def compute(selection: Selection) -> ViewData:
    """Return the data of a picture. Raises QueryError, also for too many cells."""
    try:
        return selection.compute()
    except ParameterError as error:
        raise QueryError([error]) from error


def texts_of(selection: Selection) -> dict[str, str]:
    """Return every parameter as the text that an address has for it."""
    values = selection.values()
    return {
        parameter.name: parameter.format(values[parameter.name])
        for parameter in all_parameters(selection)
    }


def file_address(selection: Selection, file: str, **dress: str) -> str:
    """Return the canonical address of a picture as a file, immutable for caches."""
    path = reverse("lessons:figure", args=[selection.entry.slug, selection.view.slug, file])
    query = {**texts_of(selection), **dress, "v": __version__}
    return f"{path}?{urlencode(sorted(query.items()))}"


def files_of(selection: Selection) -> dict[str, str]:
    """Return the addresses under which a picture can be kept, by the ending of the file."""
    dress = {"json": {"values": "1"}}
    files = FILES if selection.entry.slug in REGISTRY else FILES_OF_NUMBERS
    return {file: file_address(selection, file, **dress.get(file, {})) for file in files}


def table_address(selection: Selection) -> str:
    """Return the address of the page with the values of a picture."""
    return file_address(selection, TABLE)


def thumbnails_address() -> dict[str, str]:
    """Return the address of the thumbnails of all encodings in each scheme, immutable."""
    return {
        scheme: f"{reverse('lessons:thumbnails', args=[scheme])}?v={__version__}"
        for scheme in SCHEMES
    }


def _with_cursor_inside(selection: Selection) -> Selection:
    """Move a cursor that a smaller picture has lost to the last cell it has."""
    arguments: dict[str, Any] = dict(selection.arguments)
    rows, columns = arguments.get("positions"), getattr(selection.encoding, "d_model", None)
    side = arguments.get("side")  # of a picture of patches
    ends = {"position": rows, "dimension": columns, "row": side, "column": side}
    for name, count in ends.items():
        if name in arguments and count is not None:
            arguments[name] = min(arguments[name], count - 1)
    return replace(selection, arguments=arguments)


def _cell_of(text: str) -> tuple[int, int] | None:
    """Return the row and the column of "3,14", None for "". Raises QueryError."""
    if not text:
        return None
    row, column = map(read_whole_number, text.partition(",")[::2])
    if row is None or column is None:
        expected = "must be a row and a column from 0, such as 3,14"
        raise QueryError([ParameterError("at", text, expected)])
    return row, column


def _panel_of(text: str) -> int:
    """Return the number of a plot. Raises QueryError."""
    number = read_whole_number(text)
    if number is None:
        raise QueryError([ParameterError("panel", text, "must be the number of a plot, from 0")])
    return number


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        expected = f"must be one of {', '.join(choices)}"
        raise QueryError([ParameterError(name, value, expected)])
    return value
