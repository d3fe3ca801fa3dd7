"""A listing of a lesson, run as it stands or as its reader changed it; its output is compared.

It is a Run like that of an exercise's page (`exercises/runs/`): the same row, limits and sandbox.
The page's own output is read here from the step, so nothing but the code comes from the browser.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.content_files.typed_text import read_whole_number
from quizzes.courses.addresses import listing_run_address
from quizzes.courses.current_course import in_course
from quizzes.courses.models import Course
from quizzes.exercises.forms import CodeForm
from quizzes.exercises.models import Submission
from quizzes.exercises.page_context import first_error
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
    """Run the code of a listing, as its reader has it, and answer with what it printed."""
    listing = _listing(request, course, lesson, step, block)
    form = CodeForm({**request.POST.dict(), "kind": "run", "call": ""})
    if not form.is_valid():
        return _refused(request, first_error(form), 400)
    code = form.cleaned_data["code"]
    try:
        with kept_learner(request, rows=SUBMISSION_ROWS + rows_of(len(code.encode()))) as learner:
            row = submit_run(learner=learner, code=code, form_key=form.cleaned_data["key"])
    except TooMany as error:
        response = _refused(request, str(error), 429)
        response["Retry-After"] = str(error.retry_after_seconds)
        return response
    wait_for_verdict(submission=row)
    place = course.slug, f"{lesson}/{step}", block
    return _fragment(request, listing, own_run(request, row.pk), place, polls=0)


@never_cache
@require_safe
@in_course
def listing_run(
    request: HttpRequest, course: Course, lesson: str, step: str, block: str, *, number: int
) -> HttpResponse:
    """Return what a run of a listing printed, or that it is awaited, as a fragment."""
    listing = _listing(request, course, lesson, step, block)
    polls = read_whole_number(request.GET.get("asked", "")) or 0
    place = course.slug, f"{lesson}/{step}", block
    return _fragment(request, listing, own_run(request, number), place, polls=polls)


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


def _refused(request: HttpRequest, message: str, status: int) -> HttpResponse:
    return render(request, "study/_listing_refused.html", {"message": message}, status=status)


def _fragment(
    request: HttpRequest,
    listing: Listing,
    row: Submission,
    place: tuple[str, str, str],
    *,
    polls: int,
) -> HttpResponse:
    context: dict[str, Any] = {"submission": row, "address": listing_run_address(*place, row.pk)}
    if row.graded_at is None:
        context |= wait_facts(row, polls=polls)
    else:
        outcome = outcome_of(row)
        context |= {"is_over": True, "outcome": outcome}
        context |= _comparison(listing, outcome) if outcome else {}
    return render(request, "study/_listing_run.html", context)


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
