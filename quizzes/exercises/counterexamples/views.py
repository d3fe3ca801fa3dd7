"""Pages of the search for a counterexample: the card, and what came of one call."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.courses.addresses import counterexample_address
from quizzes.courses.current_course import in_course
from quizzes.courses.models import Course
from quizzes.exercises.counterexamples.card import Card, card_of, offered_card
from quizzes.exercises.counterexamples.choice import WrongProgram
from quizzes.exercises.counterexamples.rows import result_of
from quizzes.exercises.forms import CallForm
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.models.code_run import MAX_CALL
from quizzes.exercises.page_context import first_error, poll_count
from quizzes.exercises.queue.long_poll import wait_for_verdict
from quizzes.exercises.queue.submission_limits import TooMany
from quizzes.exercises.runs.rows import own_run, submit_run, wait_facts
from quizzes.exercises.services import exercise_or_404, withdrawn_page
from quizzes.learners.services import current_learner, kept_learner
from quizzes.limits.limits import SUBMISSION_ROWS, rows_of

SIZES = {
    "smallest": "; the smallest that we know.",
    "not_smallest": "; there is a smaller one.",
    "below_all": "; smaller than any that we knew.",
}
NOT_OFFERED = "There is no wrong program here for you right now."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_course
def counterexample(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Show the wrong program; POST tries a call. 403 before the exercise is solved."""
    exercise = exercise_or_404(course, slug)
    if answer := withdrawn_page(request, exercise):
        return answer
    form = CallForm(request.POST) if request.method == "POST" else None
    typed = None if form is None else str(form.data.get("call", ""))[:MAX_CALL]
    card = offered_card(exercise, current_learner(request), call=typed)
    if card is None:
        return _withhold(request, exercise)
    if form is None:
        return _page(request, exercise, card, {})
    return _try(request, exercise, card, form)


@never_cache
@require_safe
@in_course
def counterexample_try(
    request: HttpRequest, course: Course, slug: str, number: int
) -> HttpResponse:
    """Show its learner what came of a call: a page, or a fragment that asks again by itself."""
    exercise = exercise_or_404(course, slug)
    row = own_run(request, number, against=exercise)
    card = offered_card(exercise, row.learner, call=row.run.call)
    if card is None:
        return _withhold(request, exercise)
    facts = _result(exercise, row, polls=poll_count(request))
    if _is_script(request):
        return render(request, "exercises/_counterexample_result.html", facts)
    if card.program.mistake != row.run.mistake:  # of the version before
        program = WrongProgram(row.run.mistake, row.code, is_frequent=False)
        card = card_of(exercise, program, call=row.run.call)
    return _page(request, exercise, card, facts)


def _try(request: HttpRequest, exercise: Exercise, card: Card, form: CallForm) -> HttpResponse:
    if not form.is_valid():
        status = HTTPStatus.BAD_REQUEST
        return _answer_refused(request, exercise, card, first_error(form), status)
    call = form.cleaned_data["call"]
    try:
        with kept_learner(request, rows=SUBMISSION_ROWS + rows_of(len(call.encode()))) as learner:
            row = submit_run(
                learner=learner,
                code=card.program.code,
                call=call,
                form_key=form.cleaned_data["key"],
                against=exercise.current,
                mistake=card.program.mistake,
            )
    except TooMany as error:
        status = HTTPStatus.TOO_MANY_REQUESTS
        response = _answer_refused(request, exercise, card, str(error), status)
        response["Retry-After"] = str(error.retry_after_seconds)
        return response
    wait_for_verdict(submission=row)
    if not _is_script(request):
        return redirect(counterexample_address(exercise.course.slug, exercise.slug, row.pk))
    facts = _result(exercise, own_run(request, row.pk, against=exercise), polls=0) | {
        "key": card.key
    }
    return render(request, "exercises/_counterexample_result.html", facts)


def _result(exercise: Exercise, row: Submission, *, polls: int) -> dict[str, Any]:
    address = counterexample_address(exercise.course.slug, exercise.slug, row.pk)
    facts: dict[str, Any] = {"address": address, "submission": row}
    if row.graded_at is None:
        return facts | wait_facts(row, polls=polls)
    result = result_of(row)
    words = SIZES.get(result.size, ".") if result else ""
    return facts | {"is_over": True, "result": result, "size_words": words}


def _withhold(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    if _is_script(request):
        return _refused(request, None, NOT_OFFERED, HTTPStatus.CONFLICT)
    return _page(request, exercise, None, {}, status=HTTPStatus.FORBIDDEN)


def _answer_refused(
    request: HttpRequest, exercise: Exercise, card: Card, message: str, status: HTTPStatus
) -> HttpResponse:
    if _is_script(request):
        return _refused(request, card, message, status)
    return _page(request, exercise, card, {"refusal": message}, status=status)


def _refused(
    request: HttpRequest, card: Card | None, message: str, status: HTTPStatus
) -> HttpResponse:
    facts = {"refusal": message, "key": card.key if card else None}
    return render(request, "exercises/_counterexample_result.html", facts, status=status)


def _page(
    request: HttpRequest,
    exercise: Exercise,
    card: Card | None,
    facts: dict[str, Any],
    *,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    facts = {**facts, "exercise": exercise, "version": exercise.current, "card": card}
    facts["withheld"] = NOT_OFFERED
    return render(request, "exercises/counterexample.html", facts, status=status)


def _is_script(request: HttpRequest) -> bool:
    return bool(request.headers.get("HX-Request"))
