"""A Run on the page of an exercise: what it printed, the value of its call, a picture of that."""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.courses.addresses import run_address
from quizzes.courses.current_course import in_course
from quizzes.courses.models import Course
from quizzes.exercises import page_context
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.runs.picture import draw_value, picture_size, words_of
from quizzes.exercises.runs.rows import outcome_of, own_run, wait_facts
from quizzes.exercises.services import exercise_or_404
from quizzes.grader.api import BadFrame
from quizzes.grader.programs import ProgramRun, ValuePicture, XRay
from quizzes.pages.markdown import highlight_code

OTHER_LIBRARY = {
    ("tensor", "numpy"): "This is a PyTorch tensor. The cases of this exercise use NumPy arrays.",
    ("array", "torch"): "This is a NumPy array. The cases of this exercise use PyTorch tensors.",
}


@never_cache
@require_safe
@in_course
def run(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Show a Run to its learner: a page, or for a script the fragment that asks again by itself."""
    exercise = exercise_or_404(course, slug)
    row = own_run(request, number)
    if request.headers.get("HX-Request"):
        return run_fragment(request, exercise, row, polls=page_context.poll_count(request))
    context = run_context(exercise, row, polls=page_context.poll_count(request))
    context["code_html"] = highlight_code(row.code, "python", numbered=True)
    return render(request, "exercises/run.html", context)


@never_cache
@require_safe
@in_course
def value(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Draw the matrix that the call of a Run gave, for its learner, in light or in dark."""
    del course, slug
    outcome = outcome_of(own_run(request, number))
    if outcome is None or not outcome.picture:
        raise Http404(f"run {number} has no picture")
    scheme = "dark" if request.GET.get("scheme") == "dark" else "light"
    try:
        drawn = draw_value(outcome.picture, scheme=scheme)
    except BadFrame as error:
        raise Http404(f"the picture of run {number} cannot be read") from error
    return HttpResponse(drawn.svg, content_type="image/svg+xml")


def run_fragment(
    request: HttpRequest, exercise: Exercise, row: Submission, *, polls: int
) -> HttpResponse:
    """Answer a script with the result of a Run, or with how its wait goes."""
    context = run_context(exercise, row, polls=polls) | {"fragment": True}
    return render(request, "exercises/_run.html", context)


def row_facts(exercise: Exercise, row: Submission, *, address: str, polls: int) -> dict[str, Any]:
    """Return what `_run_frame.html` needs of a Run or an X-ray at this address.

    With how its wait goes, or with `is_over`.
    """
    facts = {
        "exercise": exercise,
        "submission": row,
        "key": page_context.new_key(),
        "asked": polls,
        "address": address,
    }
    if row.graded_at is None:
        return facts | wait_facts(row, polls=polls)
    return facts | {"is_over": True}


def marks_of(outcome: ProgramRun | XRay) -> dict[str, Any]:
    """Return the lines that the editor marks, as JSON, and the line to jump to."""
    lines = page_context.marked_lines(outcome.traceback)
    return {"marks": json.dumps(lines) if lines else "", "jump": outcome.line or 1}


def run_context(exercise: Exercise, row: Submission, *, polls: int) -> dict[str, Any]:
    """Return what `_run.html` and `run.html` show."""
    address = run_address(exercise.course.slug, exercise.slug, row.pk)
    facts = row_facts(exercise, row, address=address, polls=polls)
    facts["call"] = row.run.call
    outcome = outcome_of(row) if "is_over" in facts else None
    if outcome is None:
        return facts
    return (
        facts
        | marks_of(outcome)
        | {
            "outcome": outcome,
            "headline": "Your code stopped" if outcome.problem else "Your code ran",
            "notes": _notes(exercise, outcome),
            "picture": _picture(exercise, row, outcome),
        }
    )


def _notes(exercise: Exercise, outcome: ProgramRun) -> list[str]:
    """Say of values of the other library that the exercise uses this one, once each."""
    assert exercise.current is not None
    library = exercise.current.definition.library
    notes = (OTHER_LIBRARY.get((value.kind, library)) for value in outcome.values)
    return list(dict.fromkeys(note for note in notes if note))


def _picture(exercise: Exercise, row: Submission, outcome: ProgramRun) -> dict[str, Any] | None:
    if not outcome.picture:
        return None
    try:
        picture = ValuePicture.from_bytes(outcome.picture)
    except BadFrame:
        return None
    width, height = picture_size(outcome.picture)
    address = run_address(exercise.course.slug, exercise.slug, row.pk, "value")
    words = words_of(picture)
    return {"address": address, "width": width, "height": height, **words}
