"""The address of a figure in each form: `.json .live.svg` live, `.svg .png` reference, `.csv`.

A 200 never changes, so caches may keep it for ever; no other answer may be kept. `.html`
is a page with the values, in the frame of the site, which changes: it is asked for again.
"""

import csv
import hashlib
import io
import json
import time
from collections.abc import Iterator
from typing import Any, cast

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe
from posenc import __version__
from posenc.errors import QueryError
from posenc.figures.palettes import Scheme
from posenc.registry import Entry, View
from posenc.views import ViewData

from quizzes.courses.current_course import in_course, withdrawn
from quizzes.courses.models import Course
from quizzes.learners.services import current_learner, learner_for_writing
from quizzes.lessons.figures.address import (
    MAX_TEXT,
    SCHEMES,
    TABLE,
    FigureQuery,
    compute,
    file_address,
    files_of,
    find_any_view,
    read_figure_query,
)
from quizzes.lessons.figures.figure_params import fields_to_keep
from quizzes.lessons.figures.live import cell_words, live_svg, payload, reading
from quizzes.lessons.figures.live import thumbnails as drawn_thumbnails
from quizzes.lessons.figures.pool import RETRY_SECONDS, Busy, reference_figure
from quizzes.lessons.figures.predict import PREDICTED, PredictBlock
from quizzes.lessons.figures.values import table_html, table_of
from quizzes.lessons.models import Step
from quizzes.lessons.own_numbers.entries import is_own, visible_numbers
from quizzes.lessons.own_numbers.table import TableData
from quizzes.lessons.plots.entries import is_plot_name
from quizzes.lessons.released.rope_names import is_rope_name
from quizzes.lessons.services import is_kept, mark_seen
from quizzes.limits.seconds import counted_seconds
from quizzes.pages.blocks import parse_page

FOR_EVER = "public, max-age=31536000, immutable"
DRAWN_ELSEWHERE = {"svg", "png"}
TYPES = {"svg": "image/svg+xml", "png": "image/png", "live.svg": "image/svg+xml"}


@require_safe
def figure(request: HttpRequest, encoding: str, view: str, file: str) -> HttpResponseBase:
    """Answer with one picture of one view; a parameter that cannot be used is a 400 naming it."""
    # A drawing is made by another process, for which this thread waits.
    clock = time.monotonic if file in DRAWN_ELSEWHERE else time.thread_time
    with counted_seconds(request, clock=clock):
        if file not in {"json", "csv", TABLE, *TYPES}:
            raise Http404(f"no figure file {file!r}")
        if is_own(encoding):
            return _own_figure(request, encoding, view, file)
        if (is_rope_name(encoding) or is_plot_name(encoding)) and file in DRAWN_ELSEWHERE:
            raise Http404(f"no figure file {file!r} of {encoding!r}")
        entry, chosen = find_any_view(encoding, view)
        return _answer_or_refuse(request, entry, chosen, file)


def _own_figure(request: HttpRequest, slug: str, view: str, file: str) -> HttpResponseBase:
    """Answer with a picture of own numbers to those who may see them; no cache may keep it."""
    if visible_numbers(request, slug) is None or file in DRAWN_ELSEWHERE:
        raise Http404(f"no figure file {file!r} of numbers {slug!r}")
    response = _answer_or_refuse(request, *find_any_view(slug, view), file)
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    return response


def _answer_or_refuse(
    request: HttpRequest, entry: Entry, view: View, file: str
) -> HttpResponseBase:
    try:
        return _answer(request, read_figure_query(entry, view, request.GET), file)
    except QueryError as error:
        refused = JsonResponse(error.by_argument(), status=400)
        refused["Cache-Control"] = "no-store"
        return refused


def _answer(request: HttpRequest, query: FigureQuery, file: str) -> HttpResponseBase:
    if file != "json":
        address = _canonical_address(query, file)
        if request.get_full_path() != address:
            redirect = HttpResponseRedirect(address)
            redirect["Cache-Control"] = "no-store"  # it may lead to a newer engine tomorrow
            return redirect
    if file == TABLE:
        return _table_page(request, query)
    etag = _etag(query, file)
    known = get_conditional_response(request, etag=etag)
    if known is not None:
        return known
    try:
        response = _file(query, file)
    except Busy:
        return _busy()
    current = query.version == __version__
    response["Cache-Control"] = FOR_EVER if current else "no-store"
    response["ETag"] = etag
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _table_page(request: HttpRequest, query: FigureQuery) -> HttpResponse:
    """Show the values of a picture as a page of the site."""
    data = compute(query.selection)
    context = {
        "data": data,
        "encoding": query.selection.entry.title,
        "table": table_html(data),
        "files": files_of(query.selection).items(),
    }
    page = render(request, "lessons/values.html", context)
    page["Cache-Control"] = "no-cache"
    return page


def _canonical_address(query: FigureQuery, file: str) -> str:
    """Return the one address of a file; only a drawing has a scheme, only a live one a width."""
    dress: dict[str, str] = {"scheme": query.scheme} if file in TYPES else {}
    if file == "live.svg":
        dress["width"] = query.width
    return file_address(query.selection, file, **dress)


def _file(query: FigureQuery, file: str) -> HttpResponseBase:
    selection = query.selection
    if file == "json" and query.at is not None:
        words = cell_words(selection, query.at, panel=query.panel, width=query.width)
        return JsonResponse({"words": words})
    if file == "json" and query.reading:
        return JsonResponse(reading(selection, width=query.width))
    if file == "json":
        also = {"table": query.table, "values": query.values, "picture": query.picture}
        body = payload(selection, scheme=query.scheme, width=query.width, **also)
        return HttpResponse(_json(body), content_type="application/json")
    if file == "live.svg":
        drawn = live_svg(selection, scheme=query.scheme, width=query.width)
        return HttpResponse(drawn, content_type=TYPES[file])
    name = f"{selection.entry.slug[:60]}-{selection.view.slug}.{file}"
    if file == "csv":
        return HttpResponse(
            "".join(_csv(compute(selection))),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )
    compute(selection)  # too many cells are the reader's mistake, found here and not in the pool
    slugs = (selection.entry.slug, selection.view.slug)
    reference = reference_figure(*slugs, query.canonical, query.scheme, file)
    disposition = {"Content-Disposition": f'inline; filename="{name}"'}
    return HttpResponse(reference, content_type=TYPES[file], headers=disposition)


def _json(body: dict[str, Any]) -> str:
    """Write each row by itself: all in a call would stop the threads that make pages."""
    rows = body.pop("values", None)
    text = json.dumps(body)
    if rows is None:
        return text
    return f'{text[:-1]}, "values": [{", ".join(map(json.dumps, rows))}]}}'


def _etag(query: FigureQuery, file: str) -> str:
    selection = query.selection
    parts = (
        *(selection.entry.slug, selection.view.slug, query.canonical, file),
        *(
            query.scheme,
            query.width,
            str(query.table),
            str(query.values),
            str(query.at),
            str(query.panel),
            str(query.reading),
            str(query.picture),
        ),
        __version__,
    )
    return f'"{hashlib.sha256("|".join(parts).encode()).hexdigest()[:32]}"'


def _csv(data: ViewData) -> Iterator[str]:
    """Yield the values line by line, with every digit a float64 has."""
    table = table_of(data)
    own = data.numbers if isinstance(data, TableData) else None
    values = table.values if own is None else own
    yield _line([table.row_noun, *(f"{table.column_noun} {name}" for name in table.column_names)])
    for name, row in zip(table.row_names, values, strict=True):
        yield _line([name, *map(repr, row.tolist())])


def _line(cells: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _busy() -> HttpResponse:
    busy = HttpResponse(
        "Too many figures are being drawn right now. Try again in a few seconds.\n",
        status=503,
        content_type="text/plain; charset=utf-8",
    )
    busy["Retry-After"] = str(RETRY_SECONDS)
    busy["Cache-Control"] = "no-store"
    return busy


@require_safe
def thumbnails(request: HttpRequest, scheme: str) -> HttpResponse:
    """Answer with the thumbnails of all encodings, one SVG for one request."""
    if scheme not in SCHEMES:
        raise Http404(f"no colour scheme {scheme!r}")
    response = HttpResponse(drawn_thumbnails(cast(Scheme, scheme)), content_type=TYPES["svg"])
    current = request.GET.get("v") == __version__
    response["Cache-Control"] = FOR_EVER if current else "no-store"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


@require_POST
@in_course
def predict(
    request: HttpRequest, course: Course, lesson: str, step: str, block: str
) -> HttpResponse:
    """Note that the step was seen and go back to it; its address now holds the prediction.

    A prediction that cannot be used goes there too, and the page says what was expected.
    """
    steps = Step.objects.select_related("lesson__course").filter(lesson__course=course)
    found = get_object_or_404(steps, lesson__slug=lesson, slug=step)
    learner = current_learner(request)
    if found.lesson.withdrawn_at and not is_kept(learner=learner, lesson=found.lesson):
        return withdrawn(request, "lesson", found.lesson.title)
    page = parse_page(found.text, path=f"{lesson}/{step}")
    ids = [known.options["id"] for known in page.blocks if known.kind == PredictBlock.name]
    if block not in ids:
        raise Http404(f"no prediction {block!r} in step {step!r}")
    mark_seen(learner=learner_for_writing(request), lesson=found.lesson, step=found)
    own = (f"{block}.{PREDICTED}", request.POST.get(PREDICTED, "")[:MAX_TEXT])
    query = urlencode([*fields_to_keep(request.POST, [block]), own])
    return redirect(f"{found.get_absolute_url()}?{query}#predict-{block}")
