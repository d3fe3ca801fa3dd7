"""Pages of an X-ray: a table of a program's lines, and for scripts the fragment with its data."""

import json
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.courses.addresses import xray_address
from quizzes.courses.current_course import in_course
from quizzes.courses.models import Course
from quizzes.exercises import page_context
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.queue.long_poll import wait_for_verdict
from quizzes.exercises.runs.views import marks_of, row_facts
from quizzes.exercises.services import exercise_or_404
from quizzes.exercises.solution import may_compare, shows_reference_numbers, solution_state
from quizzes.exercises.xray.rows import own_xray, result_of
from quizzes.exercises.xray.table import data_for_scripts, lines_of
from quizzes.grader.programs import Difference, XRay
from quizzes.pages.markdown import highlight_code


@never_cache
@require_safe
@in_course
def xray(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Show an X-ray to its learner: a page, or for a script the fragment that asks by itself."""
    exercise = exercise_or_404(course, slug)
    row = own_xray(request, exercise, number)
    if request.headers.get("HX-Request"):
        return _fragment(request, exercise, row, polls=page_context.poll_count(request))
    facts = _facts(exercise, row, polls=page_context.poll_count(request))
    facts["code_html"] = highlight_code(row.code, "python", numbered=True)
    return render(request, "exercises/xray.html", facts)


def answer_xray(request: HttpRequest, exercise: Exercise, row: Submission) -> HttpResponse:
    """Answer a form that was just stored: with the result if it comes soon."""
    wait_for_verdict(submission=row)
    if not request.headers.get("HX-Request"):
        return redirect(xray_address(exercise.course.slug, exercise.slug, row.pk))
    return _fragment(request, exercise, own_xray(request, exercise, row.pk), polls=0)


def _fragment(
    request: HttpRequest, exercise: Exercise, row: Submission, *, polls: int
) -> HttpResponse:
    facts = _facts(exercise, row, polls=polls) | {"fragment": True}
    return render(request, "exercises/_xray.html", facts)


def _facts(exercise: Exercise, row: Submission, *, polls: int) -> dict[str, Any]:
    address = xray_address(exercise.course.slug, exercise.slug, row.pk)
    facts = row_facts(exercise, row, address=address, polls=polls)
    if "is_over" not in facts:
        return facts
    result = result_of(row)
    if result is None:
        # A row that failed on our side has a verdict; of this one the outcome was deleted.
        return facts | {"is_gone": row.run.outcome is None and not row.verdict}
    compared = result.compared and may_compare(
        exercise=exercise, learner=row.learner, is_typed=row.run.shown_case is None
    )
    difference = _difference(exercise, row, result) if compared else None
    return (
        facts
        | (_mark_of(difference) if difference else marks_of(result))
        | {
            "outcome": result,
            "compared": compared,
            "difference": difference,
            "goes_on": any(row.goes_on for row in result.expressions),
            "lines": lines_of(result, compared=compared),
            "data": data_for_scripts(result, difference, compared=compared),
        }
    )


def _difference(exercise: Exercise, row: Submission, result: XRay) -> Difference | None:
    """Return the place, with the reference's numbers only where figures may show them, too.

    Both pictures have one scale, so without the reference's there is none.
    """
    difference = result.first_difference
    if difference is None or difference.right is None:
        return difference
    state = solution_state(exercise=exercise, learner=row.learner)
    may_show = shows_reference_numbers(state, exercise=exercise, learner=row.learner)
    if may_show:
        return difference
    return replace(difference, right=None, yours=replace(difference.yours, picture=None))


def _mark_of(difference: Difference) -> dict[str, Any]:
    """Return the line that the editor marks, as `marks_of` does: the program came to its end."""
    mark = [difference.line, difference.sentence.replace("`", ""), "info"]
    return {"marks": json.dumps([mark]), "jump": difference.line}
