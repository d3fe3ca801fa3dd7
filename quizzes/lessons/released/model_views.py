"""The page of released models, the pictures of one or of several, and a config.json pasted there.

Addresses: `/c/<course>/models/?q=gemma&show=differ`, `/c/<course>/models/pictures/?of=gpt-neox`.
`of` is the slug of a model of the course, or a RoPE by its own name: those of a pasted config.json
have no other, and the forms below its pictures lead there in a browser without scripts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_safe
from posenc.query import all_parameters, read_query
from posenc.stack import describe_encoding

from quizzes.courses.addresses import model_pictures_address, models_address
from quizzes.courses.current_course import in_course
from quizzes.courses.models import Course
from quizzes.lessons.figures.figure_context import FigureContext
from quizzes.lessons.figures.figure_params import (
    FigureParams,
    fields_to_keep,
    requested_params,
    stray_errors,
)
from quizzes.lessons.released.model_files import models_of
from quizzes.lessons.released.pasted import MOST_BYTES, PastedConfig, read_pasted
from quizzes.lessons.released.rope_names import is_rope_name, read_name, rope_entry
from quizzes.lessons.released.tables import LONGEST_QUERY, SHOWN, ModelRow, filtered, row_of
from quizzes.limits.seconds import count_seconds, counted_seconds

MOST_SHOWN = 4  # models next to each other
VIEWS = ("periods", "position")
LETTERS = "abcd"
FIELD = "config"


@require_http_methods(["GET", "HEAD", "POST"])
@in_course
def models(request: HttpRequest, course: Course) -> HttpResponse:
    """List the models of a course; POST reads the config.json that is pasted there."""
    if request.method == "POST":
        with counted_seconds(request):
            return _read(request, course)
    query = " ".join(request.GET.get("q", "")[:LONGEST_QUERY].split())
    shown = request.GET.get("show", "")
    shown = shown if shown in SHOWN else ""
    every = models_of(course)
    rows = [row_of(model) for model in filtered(every, query, shown)]
    context = {
        "rows": rows,
        "every": len(every),
        "query": query,
        "shown": shown,
        "choices": SHOWN.items(),
        "kilobytes": MOST_BYTES // 1024,
        "pictures": model_pictures_address(course.slug),
        "models_address": models_address(course.slug),
    }
    return render(request, "lessons/models/models.html", context)


def _read(request: HttpRequest, course: Course) -> HttpResponse:
    """Answer a text that was pasted. Nothing of it is stored, not even by the browser."""
    text = request.POST.get(FIELD, "")
    pasted = read_pasted(text)
    context: dict[str, Any] = {
        "text": text,
        "kilobytes": MOST_BYTES // 1024,
        "models_address": models_address(course.slug),
    }
    status = HTTPStatus.OK
    if isinstance(pasted, PastedConfig):
        context |= {"pasted": pasted, "figures": list(_figures_of_ways(request, course, pasted))}
    else:
        context["refusal"] = pasted
        status = HTTPStatus.BAD_REQUEST
    response = render(request, "lessons/models/config.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _figures_of_ways(
    request: HttpRequest, course: Course, pasted: PastedConfig
) -> Iterator[tuple[Any, list[SafeString]]]:
    """Yield each way in which layers turn, with its pictures."""
    page, names = model_pictures_address(course.slug), pasted.names
    for way in pasted.ways:
        yield way, _figures(request, names, names.index(way.name), page) if way.name else []


@dataclass(frozen=True)
class Shown:
    """One model, or one RoPE by its name, with its pictures."""

    title: str
    row: ModelRow | None
    figures: list[SafeString]


@require_safe
@in_course
@count_seconds(when=lambda request: bool(request.GET))
def pictures(request: HttpRequest, course: Course) -> HttpResponse:
    """Show the pictures of up to four models; 400 for a parameter that none of them has."""
    slugs = list(dict.fromkeys(request.GET.getlist("of")))
    if not slugs:
        return HttpResponseRedirect(models_address(course.slug))
    rows = {model.slug: row_of(model) for model in models_of(course) if model.slug in slugs}
    left_out, slugs = slugs[MOST_SHOWN:], slugs[:MOST_SHOWN]
    for slug in slugs:
        if slug not in rows and rope_entry(slug) is None:
            raise Http404(f"there is no model {slug[:80]!r}")
    names = [_name(rows.get(slug), slug) for slug in slugs]
    drawn = [name for name in names if name]
    every = [
        Shown(
            _title(rows.get(slug), slug),
            rows.get(slug),
            _figures(request, drawn, drawn.index(name), in_address=slugs) if name else [],
        )
        for slug, name in zip(slugs, names, strict=True)
    ]
    ids = [_id(place, view) for place in range(len(drawn)) for view in VIEWS]
    problems = [*stray_errors(request.GET, ids).values(), *_faults(request, drawn)]
    context = {
        "shown": every,
        "problems": problems,
        "left_out": len(left_out),
        "most": MOST_SHOWN,
        "models_address": models_address(course.slug),
        "address": request.build_absolute_uri(f"{request.path}?{_query(slugs)}"),
    }
    status = HTTPStatus.BAD_REQUEST if problems else HTTPStatus.OK
    return render(request, "lessons/models/pictures.html", context, status=status)


def _name(row: ModelRow | None, slug: str) -> str:
    """Return the name of the RoPE that is drawn, "" for a model whose source has too little."""
    if row is None:
        return slug
    return row.model.rope.name if row.model.rope is not None else ""


def _title(row: ModelRow | None, slug: str) -> str:
    if row is not None:
        return str(row.facts["name"])
    named = read_name(slug) if is_rope_name(slug) else None
    return describe_encoding(named.rope).rpartition(",")[0] if named is not None else slug


def _query(slugs: Sequence[str]) -> str:
    return urlencode([("of", slug) for slug in slugs])


def _id(place: int, view: str) -> str:
    return f"{LETTERS[place]}-{view}"


def _params(request: HttpRequest, name: str, place: int) -> list[FigureParams]:
    entry = rope_entry(name)
    if entry is None:
        raise Http404(f"no RoPE {name[:80]!r}")
    return [
        requested_params(read_query(entry, entry.views[view], {}), _id(place, view), request.GET)
        for view in VIEWS
    ]


def _faults(request: HttpRequest, names: Sequence[str]) -> list[str]:
    return [
        message
        for place, name in enumerate(names)
        for params in _params(request, name, place)
        for message in params.errors.values()
    ]


def _figures(
    request: HttpRequest,
    names: Sequence[str],
    place: int,
    action: str = "",
    *,
    in_address: Sequence[str] | None = None,
) -> list[SafeString]:
    """Return the pictures of the RoPE at a place of a page, with their sliders.

    `action` is the page that redraws them, where it is another; `in_address` what it has to show.
    """
    fields = [("of", slug) for slug in (names if in_address is None else in_address)]
    figures = []
    for view, params in zip(VIEWS, _params(request, names[place], place), strict=True):
        own = _id(place, view)
        sliders = tuple(parameter.name for parameter in all_parameters(params.selection))
        figures.append(
            FigureContext(
                own,
                params,
                sliders,
                (*fields, *fields_to_keep(request.GET, [own])),
                compact=len(names) > 1,
                later=place > 0 or view != VIEWS[0],
                action=action,
            ).html()
        )
    return figures
