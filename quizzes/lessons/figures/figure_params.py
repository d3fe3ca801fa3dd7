"""The parameters of figures in a page's address: `codes.d_model=64` is of the figure `codes`."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from django.http import HttpRequest, QueryDict
from posenc.errors import ParameterError, QueryError
from posenc.query import Selection, all_parameters
from posenc.registry import REGISTRY

from quizzes.lessons.figures.address import (
    MAX_TEXT,
    compute,
    find_any_view,
    find_view,
    select,
    single_values,
    texts_of,
)
from quizzes.lessons.figures.controls import LOG_SUFFIX, value_of_log
from quizzes.pages.blocks import Block


@dataclass(frozen=True, eq=False)
class FigureParams:
    """The request of a page's address for one figure, and its faults."""

    initial: Selection
    selection: Selection
    errors: Mapping[str, str]


def initial_of(options: Mapping[str, Any], *changes: str) -> Selection:
    """Return the picture that the author chose, with the parameters of `changes` on top.

    Raises Http404 or QueryError.
    """
    entry, view = find_view(str(options.get("encoding")), str(options.get("view")))
    texts: dict[str, str] = {}
    for name in ("set", *changes):
        texts |= {key: _text(value) for key, value in (options.get(name) or {}).items()}
    return select(entry, view, texts)


@lru_cache(maxsize=512)
def picture_of(block: Block, *changes: str) -> Selection:
    """Return `initial_of` a block. Raises Http404 or QueryError.

    Kept for a block as it was parsed: reading its parameters takes 0.2 ms, several times a page.
    """
    return initial_of(block.options, *changes)


def requested_params(
    initial: Selection, own_id: str, query: QueryDict, *, but: Collection[str] = ()
) -> FigureParams:
    """Return the address's request for figure `own_id`; with a fault, the author's picture.

    Names in `but` are no parameters of the picture; other code reads them.
    """
    own = _own(query, own_id, but)
    if not own:
        is_catalogue = REGISTRY.get(initial.entry.slug) is initial.entry
        return _as_its_author_chose(initial) if is_catalogue else _unchanged(initial)
    try:
        texts = _plain(single_values(own), initial)
        selection = initial
        if texts:
            selection = select(initial.entry, initial.view, {**texts_of(initial), **texts})
    except QueryError as error:
        return FigureParams(initial, initial, error.by_argument())
    errors = _errors_of(selection)
    return FigureParams(initial, initial if errors else selection, errors)


# Most addresses say nothing of most figures: this saves 0.1 ms of a page for each. Of the catalogue
# alone: a Selection of own numbers keeps up to 2 MB of arrays in memory.
@lru_cache(maxsize=512)
def _as_its_author_chose(initial: Selection) -> FigureParams:
    return _unchanged(initial)


def _unchanged(initial: Selection) -> FigureParams:
    return FigureParams(initial, initial, _errors_of(initial))


def _errors_of(selection: Selection) -> Mapping[str, str]:
    return _errors(selection.entry.slug, selection.view.slug, selection.canonical())


@lru_cache(maxsize=512)
def _errors(encoding: str, view: str, canonical: str) -> Mapping[str, str]:
    """Return why a picture cannot be computed, {} if it can.

    Kept, because every page asks, and twice: before its figures are drawn it must know whether it
    answers 400.
    """
    try:
        compute(select(*find_any_view(encoding, view), dict(parse_qsl(canonical))))
    except QueryError as error:
        return error.by_argument()
    return {}


def stray_errors(query: QueryDict, ids: Collection[str]) -> dict[str, str]:
    """Return the faults of parameters of figures that the page does not have.

    A name without a dot, as in utm_source, belongs to no figure and is ignored.
    """
    known = ", ".join(sorted(ids))
    there = f"; expected {known}" if ids else ", nor any other"
    errors = {}
    for name, values in query.lists():
        figure, dot, _ = name.partition(".")
        if dot and figure not in ids:
            words = f"this page has no figure “{figure[:MAX_TEXT]}”{there}"
            errors[name[:MAX_TEXT]] = str(ParameterError(name[:MAX_TEXT], values[-1], words))
    return errors


def fields_to_keep(query: QueryDict, but: Iterable[str]) -> list[tuple[str, str]]:
    """Return the other figures' parameters, so that a redraw without a script keeps them."""
    prefixes = tuple(f"{one}." for one in but)
    return [
        (key, values[-1])
        for key, values in query.lists()
        if "." in key and not key.startswith(prefixes) and len(values[-1]) <= MAX_TEXT
    ]


def has_figure_params(request: HttpRequest) -> bool:
    """Return whether the address has a parameter of a page's figure, such as `codes.base`."""
    return any("." in name for name in request.GET)


def _own(query: QueryDict, own_id: str, but: Collection[str]) -> QueryDict:
    own, prefix = QueryDict(mutable=True), f"{own_id}."
    for key, values in query.lists():
        if key.startswith(prefix) and key.removeprefix(prefix) not in but:
            own.setlist(key.removeprefix(prefix), values)
    return own


def _plain(texts: Mapping[str, str], initial: Selection) -> dict[str, str]:
    """Return parameters with those of logarithmic sliders turned into their values."""
    logarithmic = {
        parameter.name + LOG_SUFFIX: parameter
        for parameter in all_parameters(initial)
        if parameter.scale == "log"
    }
    plain = {name: text for name, text in texts.items() if name not in logarithmic}
    for name, parameter in logarithmic.items():
        if name in texts:
            plain.setdefault(parameter.name, value_of_log(parameter, texts[name]))
    return plain


def _text(value: Any) -> str:
    """Return a value of YAML as an address has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
