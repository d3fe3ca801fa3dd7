"""The pictures of own numbers on a page: every view that their kind has, with its sliders."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.http import Http404, HttpRequest
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from posenc.errors import QueryError
from posenc.query import Selection, all_parameters, read_query

from quizzes.lessons.explorer_address import address_of
from quizzes.lessons.figures.address import find_entry, find_view, select, texts_of
from quizzes.lessons.figures.figure_context import FigureContext
from quizzes.lessons.figures.figure_params import (
    FigureParams,
    fields_to_keep,
    requested_params,
)
from quizzes.lessons.own_numbers.entries import visible_numbers
from quizzes.limits.seconds import counted_seconds
from quizzes.study.lab.numbers import TABLE

NEIGHBOUR = "/".join(TABLE)  # stands next to own numbers in the explorer


@dataclass(frozen=True)
class Panels:
    """The pictures of a page as HTML. `has_faults`: its address has a value that one cannot have.

    `is_partial`: there is the heatmap alone, since nothing can be computed from the numbers.
    """

    pictures: tuple[SafeString, ...]
    has_faults: bool
    is_partial: bool


def panels_of(request: HttpRequest, slug: str, *, but: Collection[str] = ()) -> Panels:
    """Return the pictures of own numbers that this request may see. Raises Http404.

    `but`: what other sliders of the page move. Their seconds are counted: no two tables are alike,
    so hardly any picture is kept.
    """
    with counted_seconds(request):
        entry = find_entry(slug) if visible_numbers(request, slug) is not None else None
        if entry is None:
            raise Http404(f"no numbers {slug!r} for this request")
        figures = [
            requested_params(read_query(entry, view, {}), view.slug, request.GET)
            for view in entry.views.values()
        ]
        return Panels(
            tuple(
                _picture(figure, request, but, is_first=not at) for at, figure in enumerate(figures)
            ),
            has_faults=any(figure.errors for figure in figures),
            is_partial=[*entry.views] == ["heatmap"],
        )


def _picture(
    figure: FigureParams, request: HttpRequest, but: Collection[str], *, is_first: bool
) -> SafeString:
    """Return a picture as HTML, with sliders for what its view has."""
    view = figure.selection.view.slug
    every = (parameter.name for parameter in all_parameters(figure.selection))
    names = tuple(name for name in every if name not in but)
    others = tuple(fields_to_keep(request.GET, [view]))
    return FigureContext(
        view, figure, names, others, compact=True, helped=True, later=not is_first
    ).html()


def explorer_query(
    slug: str,
    shape: tuple[int, ...],
    *,
    withheld: Collection[tuple[str, str]],
    moved: Mapping[str, int] | None = None,
) -> str:
    """Return the query that shows own numbers, (n, d), next to an encoding of their size.

    Numbers of a size that the encoding cannot have on pages are next to it as it is. They stand
    alone where the encoding's view is `withheld` from the reader. `moved`: where their own sliders
    stand.
    """
    own = "".join(f"&a.{name}={size}" for name, size in (moved or {}).items())
    if TABLE in withheld:
        return address_of([f"{slug}/heatmap"]) + own
    entry, view = find_view(*TABLE)
    address = address_of([f"{slug}/heatmap", NEIGHBOUR]) + own
    n, d = map(str, shape)
    try:
        select(entry, view, {"positions": n, "d_model": d})
    except QueryError:
        return address
    return f"{address}&b.d_model={d}&b.positions={n}"


def figure_query(slug: str, selection: Selection, *, withheld: Collection[tuple[str, str]]) -> str:
    """Return the query that shows numbers of a figure next to the picture whose frame they have.

    They stand alone where that picture is `withheld` from the reader.
    """
    own, name = f"{slug}/{selection.view.slug}", (selection.entry.slug, selection.view.slug)
    if name in withheld:
        return address_of([own])
    pairs = [("enc", own), ("enc", "/".join(name))]
    pairs += [(f"b.{name}", text) for name, text in texts_of(selection).items()]
    return urlencode(pairs)
