"""A listing of a lesson, run as it stands or as its reader changed it; its output is compared.

It is a Run like that of an exercise's page (`exercises/runs/`): the same row, limits and sandbox.
The page's own output is read here from the step, so nothing but the code comes from the browser.
"""

from http import HTTPStatus
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.courses.addresses import listing_address, listing_run_address, step_address
from quizzes.courses.current_course import in_course
from quizzes.courses.models import Course
from quizzes.exercises.forms import CodeForm
from quizzes.exercises.models import Submission
from quizzes.exercises.page_context import first_error, new_key, poll_count
from quizzes.exercises.queue.long_poll import wait_for_verdict
from quizzes.exercises.queue.submission_limits import TooMany
from quizzes.exercises.runs.rows import outcome_of, own_run, submit_run, wait_facts
from quizzes.grader.programs import ProgramRun
from quizzes.learners.services import current_learner, kept_learner
from quizzes.lessons.course_lessons import lesson_named, whole_step
from quizzes.lessons.listing_block import Listing, listing_of
from quizzes.lessons.listing_output import MOST_LINES, compared_lines, first_difference
from quizzes.lessons.services import is_kept
from quizzes.limits.limits import SUBMISSION_ROWS, rows_of
from quizzes.pages.blocks import parse_page


@never_cache
@require_POST
@in_course
def run_listing(
    request: HttpRequest, course: Course, lesson: str, step: str, block: str
) -> HttpResponse:
    """Run the code of a listing, as its reader has it or as it stands, and answer with its output.

    A script gets a part of the page, and the form of a page without one is led to the Run's page.
    """
    place = Place(course.slug, f"{lesson}/{step}", block)
    listing = _listing(request, course, lesson, step, block)
    sent = {"code": listing.code, **request.POST.dict(), "kind": "run", "call": ""}
    form = CodeForm(sent)
    if not form.is_valid():
        return _refused(
            request, listing, place, sent["code"], first_error(form), status=HTTPStatus.BAD_REQUEST
        )
    code = form.cleaned_data["code"]
    try:
        with kept_learner(request, rows=SUBMISSION_ROWS + rows_of(len(code.encode()))) as learner:
            row = submit_run(learner=learner, code=code, form_key=form.cleaned_data["key"])
    except TooMany as error:
        response = _refused(
            request, listing, place, code, str(error), status=HTTPStatus.TOO_MANY_REQUESTS
        )
        response["Retry-After"] = str(error.retry_after_seconds)
        return response
    wait_for_verdict(submission=row)
    if not _is_script(request):
        return redirect(place.run_address(row))
    context = _outcome(listing, own_run(request, row.pk), place, polls=0)
    return render(request, "study/_listing_run.html", context)


@never_cache
@require_safe
@in_course
def listing_run(
    request: HttpRequest, course: Course, lesson: str, step: str, block: str, *, number: int
) -> HttpResponse:
    """Return what a run of a listing printed, or that it is awaited: a page, or a part of one."""
    place = Place(course.slug, f"{lesson}/{step}", block)
    listing = _listing(request, course, lesson, step, block)
    row = own_run(request, number)
    context = _outcome(listing, row, place, polls=poll_count(request))
    if _is_script(request):
        return render(request, "study/_listing_run.html", context)
    return _page(request, listing, place, row.code, context)


class Place(NamedTuple):
    """Where a listing stands. `path`: "lesson/step"."""

    course: str
    path: str
    block: str

    def run_address(self, row: Submission) -> str:
        """Return the address of what a run of it printed."""
        return listing_run_address(*self, row.pk)


def _is_script(request: HttpRequest) -> bool:
    return bool(request.headers.get("HX-Request"))


def _listing(request: HttpRequest, course: Course, lesson: str, step: str, block: str) -> Listing:
    """Return a listing of a step that this reader may read, or raise Http404."""
    taught = lesson_named(course, lesson)
    if taught is None or not (
        taught.withdrawn_at is None or is_kept(learner=current_learner(request), lesson=taught)
    ):
        raise Http404(f"there is no lesson {lesson}")
    for row in taught.steps.all():
        if row.slug != step:
            continue
        page = parse_page(whole_step(row, taught).text, path=f"{lesson}/{step}")
        for other in page.blocks:
            if other.kind == "listing" and other.key == block:
                return listing_of(other)
    raise Http404(f"there is no listing {block} in {lesson}/{step}")


def _refused(
    request: HttpRequest,
    listing: Listing,
    place: Place,
    code: str,
    message: str,
    *,
    status: HTTPStatus,
) -> HttpResponse:
    context = {"message": message}
    if _is_script(request):
        return render(request, "study/_listing_refused.html", context, status=status)
    return _page(request, listing, place, code, context, status=status)


def _page(
    request: HttpRequest,
    listing: Listing,
    place: Place,
    code: str,
    context: dict[str, Any],
    *,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    """Show a run, or why there is none, with the code in a field to change and run it again."""
    facts = {
        "title": listing.title,
        "code": code,
        "rows": code.count("\n") + 2,
        "where": "in the step",
        "run_address": listing_address(*place),
        "listing_address": f"{step_address(place.course, place.path)}#{place.block}-title",
        "key": new_key(),
    }
    return render(request, "study/listing_run.html", context | facts, status=status)


def _outcome(listing: Listing, row: Submission, place: Place, *, polls: int) -> dict[str, Any]:
    context: dict[str, Any] = {
        "submission": row,
        "address": place.run_address(row),
        "where": "on this page",
    }
    if row.graded_at is None:
        return context | wait_facts(row, polls=polls)
    outcome = outcome_of(row)
    context |= {"is_over": True, "outcome": outcome}
    return context | (_comparison(listing, outcome) if outcome else {})


def _comparison(listing: Listing, outcome: ProgramRun) -> dict[str, Any]:
    """Return whether the output is the page's, and its lines next to the page's."""
    is_same = not outcome.problem and first_difference(listing.output, outcome.output) is None
    lines = [] if is_same else compared_lines(listing.output, outcome.output)
    if outcome.problem:  # what it did not come to is no difference
        lines = [line for line in lines if line.kind != "less"]
    return {
        "is_same": is_same,
        "lines": lines,
        "differs": any(line.kind != "same" for line in lines),
        "most_lines": MOST_LINES,
        "has_more": outcome.output.count("\n") > MOST_LINES,
        "printed_nothing": not outcome.output.strip(),
    }
