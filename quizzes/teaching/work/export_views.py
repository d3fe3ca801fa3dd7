"""Instructors' pages: files to download, sent while they are written."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

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
from quizzes.classes.log import record_for_class
from quizzes.classes.marks.reader import Marks, marks, students
from quizzes.classes.models import Cohort
from quizzes.classes.rosters.identity import identities_of
from quizzes.classes.rosters.table import MOST_BYTES
from quizzes.teaching.access import back_or, editor_of, for_class_staff
from quizzes.teaching.addresses import class_address
from quizzes.teaching.downloads import (
    SEPARATORS,
    remember_separator,
    sent_file,
    separator_of,
)

PLAIN, MOODLE, CANVAS = "plain", "moodle", "canvas"


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
    record_for_class(cohort, editor_of(request), "downloaded", about=f"marks, {form}")
    found, people = _marks(request, cohort), identities_of(cohort)
    if form == PLAIN:
        lines = csv_lines(plain_rows(found, people), separator_of(request))
        return sent_file(lines, f"{cohort.slug}-marks.csv")
    is_canvas = form == CANVAS
    rows = canvas_rows(found, people, CanvasIds()) if is_canvas else moodle_rows(found, people)
    return sent_file(csv_lines(rows), f"{cohort.slug}-marks-{form}.csv")


@never_cache
@require_safe
@for_class_staff
def responses_csv(request: HttpRequest, cohort: Cohort) -> HttpResponseBase:
    """Send every answer given in the quizzes assigned to the class."""
    record_for_class(cohort, editor_of(request), "downloaded", about="responses")
    lines = csv_lines(response_rows(cohort), separator_of(request))
    return sent_file(lines, f"{cohort.slug}-responses.csv")


@never_cache
@require_safe
@for_class_staff
def submissions_zip(request: HttpRequest, cohort: Cohort) -> HttpResponseBase:
    """Send the code submitted for the exercises assigned to the class."""
    which = request.GET.get("which", COUNTED)
    if which not in (COUNTED, NEWEST):
        words = f"which={which[:40]}: must be {COUNTED} or {NEWEST}"
        return HttpResponseBadRequest(words, content_type="text/plain")
    record_for_class(cohort, editor_of(request), "downloaded", about=f"code, {which}")
    pieces = code_zip(cohort, which, separator_of(request))
    return sent_file(pieces, f"{cohort.slug}-submissions.zip", "application/zip")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_staff
def exports(request: HttpRequest, cohort: Cohort) -> HttpResponseBase:
    """Offer the files; POST takes an export of Canvas and sends marks with its ids."""
    if request.method != "POST":
        return _page(request, cohort)
    file = request.FILES.get("file")
    if file is None:
        return _page(
            request, cohort, problem="First choose the file that you exported from Canvas."
        )
    if file.size is not None and file.size > MOST_BYTES:
        words = f"The file has {file.size} bytes; the limit is {MOST_BYTES}."
        return _page(request, cohort, problem=words)
    found = marks(cohort)
    members, people = [one.membership for one in found.members], identities_of(cohort)
    try:
        match = read_canvas_ids(file.read(), members, people, found.assignments)
    except CanvasFileError as error:
        return _page(request, cohort, problem=str(error))
    if match.problems and request.POST.get("leave_out") != "yes":
        return _page(request, cohort, match=match)
    known = [member for member in found.members if member.membership.pk in match.ids.members]
    kept = Marks(found.assignments, known, found.at)
    record_for_class(cohort, editor_of(request), "downloaded", about=f"marks, {CANVAS}")
    lines = csv_lines(canvas_rows(kept, people, match.ids))
    return sent_file(lines, f"{cohort.slug}-marks-canvas.csv")


@never_cache
@require_POST
@for_class_staff
def choose_separator(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Remember the separator that this browser's spreadsheet program needs."""
    name = request.POST.get("separator", "")
    if name not in SEPARATORS:
        words = f"separator={name[:40]}: must be one of {', '.join(SEPARATORS)}"
        return HttpResponseBadRequest(words, content_type="text/plain")
    messages.success(
        request, f"CSV files that you download in this browser now have {name}s between cells."
    )
    response = back_or(request, class_address(cohort, "class-exports"))
    remember_separator(response, name)
    return response


def _page(
    request: HttpRequest, cohort: Cohort, *, problem: str = "", match: CanvasMatch | None = None
) -> HttpResponse:
    people = identities_of(cohort)
    found = [(student, people[student.pk]) for student in students(cohort).select_related("user")]
    context = {
        "cohort": cohort,
        "problem": problem,
        "match": match,
        "without_address": [one for one, person in found if not person.email],
        "unknown": [one for one, person in found if not person.is_known],
    }
    status = 400 if problem or match else 200
    return render(request, "teaching/work/exports.html", context, status=status)
