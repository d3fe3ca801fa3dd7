"""Instructors' pages: files to download, sent while they are written."""

from collections.abc import Iterable, Iterator
from itertools import chain

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.classes.exports.canvas_ids import (
    CanvasFileError,
    CanvasMatch,
    read_canvas_ids,
)
from quizzes.classes.exports.code_zip import COUNTED, NEWEST, code_zip
from quizzes.classes.exports.csv_lines import csv_lines
from quizzes.classes.exports.marks_csv import (
    CanvasIds,
    canvas_rows,
    moodle_rows,
    plain_rows,
)
from quizzes.classes.exports.responses_csv import response_rows
from quizzes.classes.marks.reader import Marks, marks, students
from quizzes.classes.models import Cohort
from quizzes.classes.rosters.identity import identities_of
from quizzes.classes.rosters.table import MOST_BYTES
from quizzes.courses.audit import record
from quizzes.teaching.access import editor_of, for_class_staff

PLAIN, MOODLE, CANVAS = "plain", "moodle", "canvas"


def _sent(
    cohort: Cohort, name: str, pieces: Iterable[bytes], kind: str = "text/csv; charset=utf-8"
) -> StreamingHttpResponse:
    """Send a file piece by piece. The first piece is made now, so that a failure is a failure."""
    rest: Iterator[bytes] = iter(pieces)
    first = next(rest, b"")
    response = StreamingHttpResponse(chain([first], rest), content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{cohort.slug}-{name}"'
    return response


def _noted(request: HttpRequest, cohort: Cohort, what: str) -> None:
    by = editor_of(request)
    record(by=by, act="downloaded", about=what, course=cohort.course, cohort=cohort.slug)


def _marks(request: HttpRequest, cohort: Cohort) -> Marks:
    removed = request.GET.get("removed") == "yes"
    return marks(cohort, members=students(cohort, removed_too=True) if removed else None)


@never_cache
@require_safe
@for_class_staff
def marks_csv(request: HttpRequest, cohort: Cohort) -> HttpResponseBase:
    """Send the table of marks: plain, for Moodle, or for Canvas without its ids."""
    form = request.GET.get("as", PLAIN)
    if form not in (PLAIN, MOODLE, CANVAS):
        words = f"as={form[:40]}: must be one of {PLAIN}, {MOODLE}, {CANVAS}"
        return HttpResponseBadRequest(words, content_type="text/plain")
    _noted(request, cohort, f"marks, {form}")
    found, people = _marks(request, cohort), identities_of(cohort)
    if form == CANVAS:
        rows = canvas_rows(found, people, CanvasIds())
    else:
        rows = moodle_rows(found, people) if form == MOODLE else plain_rows(found, people)
    name = "marks.csv" if form == PLAIN else f"marks-{form}.csv"
    return _sent(cohort, name, csv_lines(rows))


@never_cache
@require_safe
@for_class_staff
def responses_csv(request: HttpRequest, cohort: Cohort) -> HttpResponseBase:
    """Send every answer given in the quizzes assigned to the class."""
    _noted(request, cohort, "responses")
    return _sent(cohort, "responses.csv", csv_lines(response_rows(cohort)))


@never_cache
@require_safe
@for_class_staff
def submissions_zip(request: HttpRequest, cohort: Cohort) -> HttpResponseBase:
    """Send the code handed in for the exercises assigned to the class."""
    which = request.GET.get("which", COUNTED)
    if which not in (COUNTED, NEWEST):
        words = f"which={which[:40]}: must be {COUNTED} or {NEWEST}"
        return HttpResponseBadRequest(words, content_type="text/plain")
    _noted(request, cohort, f"code, {which}")
    return _sent(cohort, "submissions.zip", code_zip(cohort, which), "application/zip")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_staff
def exports(request: HttpRequest, cohort: Cohort) -> HttpResponseBase:
    """Offer the files; POST takes an export of Canvas and sends marks with its ids."""
    if request.method != "POST":
        return _page(request, cohort)
    file = request.FILES.get("file")
    if file is None:
        return _page(request, cohort, problem="Choose the file that Canvas exported first.")
    if file.size is not None and file.size > MOST_BYTES:
        words = f"The file has {file.size} bytes; at most {MOST_BYTES} are read."
        return _page(request, cohort, problem=words)
    found = marks(cohort)
    members, people = [one.membership for one in found.members], identities_of(cohort)
    try:
        match = read_canvas_ids(file.read(), members, people, found.assignments)
    except CanvasFileError as error:
        return _page(request, cohort, problem=str(error))
    if match.problems and request.POST.get("leave_out") != "yes":
        return _page(request, cohort, match=match)
    known = [one for one in found.members if one.membership.pk in match.ids.members]
    kept = Marks(found.assignments, known, found.at)
    _noted(request, cohort, f"marks, {CANVAS}")
    return _sent(cohort, "marks-canvas.csv", csv_lines(canvas_rows(kept, people, match.ids)))


def _page(
    request: HttpRequest, cohort: Cohort, *, problem: str = "", match: CanvasMatch | None = None
) -> HttpResponse:
    people = identities_of(cohort)
    found = [(one, people[one.pk]) for one in students(cohort).select_related("user")]
    context = {
        "cohort": cohort,
        "problem": problem,
        "match": match,
        "without_address": [one for one, person in found if not person.email],
        "unknown": [one for one, person in found if not person.is_known],
    }
    status = 400 if problem or match else 200
    return render(request, "teaching/work/exports.html", context, status=status)
