"""Pages of exercises: the list, one exercise with its form, one submission with its verdict."""

import logging
from collections.abc import Collection
from functools import partial
from http import HTTPStatus
from typing import Any

from csp.constants import NONCE
from csp.decorators import csp_update
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from quizzes.courses.addresses import Thing, run_address
from quizzes.courses.current_course import in_course
from quizzes.courses.just_done import JUST_DONE
from quizzes.courses.models import Course
from quizzes.courses.sign_in_again import sign_in_first
from quizzes.exercises import page_context
from quizzes.exercises.counterexamples.card import card_after
from quizzes.exercises.drafts import DraftConflict, drafts_of, save_draft
from quizzes.exercises.forms import XRAY, CodeForm, DraftForm
from quizzes.exercises.models import Draft, Exercise, Submission
from quizzes.exercises.picture_response import picture_response
from quizzes.exercises.queue.long_poll import wait_for_verdict
from quizzes.exercises.queue.submission_limits import NoneLeft, TooMany
from quizzes.exercises.runs.rows import own_run, submit_run
from quizzes.exercises.runs.views import run_fragment
from quizzes.exercises.services import (
    ExerciseClosed,
    course_exercises,
    exercise_or_404,
    is_kept,
    normalise_code,
    read_again,
    submit_code,
    visible_submission,
    withdrawn_page,
)
from quizzes.exercises.solution import solution_state
from quizzes.exercises.submission_history import recent_history
from quizzes.exercises.summary import group_exercises
from quizzes.exercises.xray.rows import NoCaseError, submit_xray
from quizzes.exercises.xray.views import answer_xray
from quizzes.learners.models import Learner
from quizzes.learners.services import (
    current_learner,
    hidden_answers,
    kept_learner,
    progress_of,
)
from quizzes.limits.limits import SUBMISSION_ROWS, rows_of
from quizzes.page_reads import reading_page

log = logging.getLogger(__name__)
# What the page around a verdict has: a table of submissions, or a link in place of an editor.
HISTORY, LINK = "history", "link"
NOTHING_KEPT = {"token": "", "savedAt": ""}  # a newcomer has a text that everybody begins with


@never_cache
@require_POST
@in_course
def draft(request: HttpRequest, course: Course, slug: str) -> HttpResponseBase:
    """Save a draft: 200 with its token, 409 with the draft that stands in the way, 400 if bad."""
    exercise = get_object_or_404(Exercise, course=course, slug=slug, current__isnull=False)
    if exercise.withdrawn_at and not is_kept(exercise=exercise, learner=current_learner(request)):
        raise Http404(f"exercise {slug} was withdrawn")
    assert exercise.current is not None  # as looked up
    return answer_draft(request, exercise, starters=[exercise.current.definition.starter])


def answer_draft(
    request: HttpRequest, exercise: Exercise | None, *, starters: Collection[str]
) -> JsonResponse:
    """Save a draft: 200 with its token, 409 with the draft that stands in the way, 400 if bad.

    Without an exercise it is a draft of the lab. `starters`: texts that a newcomer need not keep.
    """
    form = DraftForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"message": page_context.first_error(form)}, status=400)
    code = form.cleaned_data["code"]
    if current_learner(request) is None and normalise_code(code) in starters:
        return JsonResponse(NOTHING_KEPT)
    try:
        with kept_learner(request, rows=_new_rows(request, exercise, code)) as learner:
            saved = save_draft(exercise=exercise, learner=learner, **form.cleaned_data)
    except DraftConflict as conflict:
        return JsonResponse(_facts(conflict.draft) | {"code": conflict.draft.code}, status=409)
    except Learner.DoesNotExist:  # signed in, or had everything deleted, in another tab
        return JsonResponse(
            {"message": "You are now signed in as another learner: reload the page."},
            status=409,
        )
    except ValidationError as error:
        return JsonResponse({"message": " ".join(error.messages)}, status=400)
    return JsonResponse(_facts(saved))


def _new_rows(request: HttpRequest, exercise: Exercise | None, code: str) -> int:
    """Return by how many rows this draft of a visitor without an account is longer than before."""
    learner = current_learner(request)
    if request.user.is_authenticated:
        return 0
    sizes = [_bytes_of(draft.code) for draft in drafts_of(learner=learner, exercise=exercise)]
    return rows_of(_bytes_of(code) - max(sizes)) if sizes else 1 + rows_of(_bytes_of(code))


def _facts(draft: Draft) -> dict[str, str]:
    return {"token": str(draft.token), "savedAt": draft.saved_at.isoformat()}


@require_safe
@in_course
def index(request: HttpRequest, course: Course) -> HttpResponse:
    """Show every exercise of a course, and how far this learner is with each."""
    exercises = course_exercises(course)
    learner = current_learner(request)
    states = progress_of(course.pk, learner, "exercise", [one.slug for one in exercises])
    groups = group_exercises(course, exercises, states)
    return render(request, "exercises/index.html", {"groups": groups})


@csp_update({"style-src": NONCE})  # for the editor's style element
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_course
def exercise(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Show an exercise; POST hands code in and answers with the verdict, or where it will be."""
    row = exercise_or_404(course, slug)
    if answer := withdrawn_page(request, row):
        return answer
    if request.method == "POST":
        return _hand_in(request, row)
    return _page(request, row, None)


@never_cache
@require_safe
@in_course
def solution(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Show a right solution beside the learner's; 403 with what is missing before its time."""
    row = exercise_or_404(course, slug)
    if answer := withdrawn_page(request, row):
        return answer
    context = page_context.solution_page(request, row)
    status = HTTPStatus.OK if context["state"].may_be_seen else HTTPStatus.FORBIDDEN
    return render(request, "exercises/solution.html", context, status=status)


@never_cache
@require_safe
@in_course
def submission(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Show one submission with its code and verdict, to its learner and the staff."""
    try:
        found = visible_submission(request, course, slug, number)
    except Http404:
        named = Exercise.objects.filter(course=course, slug=slug).exists()
        if named and (asked := sign_in_first(request, "submission")):
            return asked
        raise
    context = page_context.submission_page(request, found)
    if context["is_own"] and context.get("solved"):
        JUST_DONE.set(request, Thing("exercise", slug))
    return render(request, "exercises/submission.html", context)


@never_cache
@require_GET
@in_course
def verdict(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Return the verdict, or that it is awaited, as a fragment that asks again by itself."""
    found = visible_submission(request, course, slug, number)
    return _fragment(request, found, polls=page_context.poll_count(request))


@require_safe
@in_course
def picture(
    request: HttpRequest, course: Course, slug: str, number: int, layer: str
) -> HttpResponse:
    """Draw one layer of the smallest failing case, in a light or a dark scheme."""
    submission = visible_submission(request, course, slug, number)
    is_small = request.GET.get("size") == "small"
    return picture_response(request, submission, layer, is_small=is_small)


@never_cache
@require_safe
@in_course
def report(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Return a graded submission's report as JSON, for programs."""
    found = visible_submission(request, course, slug, number)
    facts = page_context.report_as_json(found)
    if facts is None:
        raise Http404(f"submission {number} has no report yet")
    response = JsonResponse(facts, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{slug}-{number}.json"'
    return response


def _bytes_of(code: str) -> int:
    return len(code.encode("utf-8", "surrogatepass"))


def _hand_in(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    form = CodeForm(request.POST)
    if not form.is_valid():
        return _refused(request, exercise, form, page_context.first_error(form), status=400)
    rows = SUBMISSION_ROWS + rows_of(
        _bytes_of(form.cleaned_data["code"]) + _bytes_of(form.cleaned_data["call"])
    )
    try:
        with kept_learner(request, rows=rows) as learner:
            made = _store(exercise, learner, form.cleaned_data)
        log.info("submission %s is waiting", made.pk)
    except TooMany as error:
        response = _refused(request, exercise, form, str(error), status=429)
        response["Retry-After"] = str(error.retry_after_seconds)
        return response
    except (NoneLeft, NoCaseError) as error:
        return _refused(request, exercise, form, str(error), status=409)
    except ExerciseClosed:
        return _refused(request, exercise, form, page_context.CLOSED, status=409)
    return _answer(request, exercise, made)


def _store(exercise: Exercise, learner: Learner, sent: dict[str, Any]) -> Submission:
    what: dict[str, Any] = {"learner": learner, "code": sent["code"], "form_key": sent["key"]}
    if sent["kind"] == XRAY:
        return submit_xray(**what, exercise=exercise, call=sent["call"], case=sent["case"])
    if sent["kind"] == Submission.Kind.RUN:
        return submit_run(**what, call=sent["call"])
    return submit_code(**what, exercise=exercise, kind=sent["kind"])


def _answer(request: HttpRequest, exercise: Exercise, made: Submission) -> HttpResponse:
    is_script = request.headers.get("HX-Request")
    if made.is_run and made.run.looks_into_id:
        return answer_xray(request, exercise, made)
    if made.is_run:
        wait_for_verdict(submission=made)
        if not is_script:
            return redirect(run_address(exercise.course.slug, exercise.slug, made.pk))
        return run_fragment(request, exercise, own_run(request, made.pk), polls=0)
    # What classes hide from the learner is read while the code runs, and holds for some seconds.
    hidden = partial(hidden_answers, current_learner(request))
    wait_for_verdict(submission=made, meanwhile=hidden)
    if not is_script:
        return redirect(made)
    submission = read_again(made, exercise)
    with reading_page():  # not before the wait: the verdict changed what it reads
        return _fragment(request, submission, polls=0)


def _fragment(request: HttpRequest, submission: Submission, *, polls: int) -> HttpResponse:
    context = {**page_context.verdict_context(submission, polls=polls), "fragment": True}
    learner = current_learner(request)
    is_own = learner is not None and learner.pk == submission.learner_id
    context["is_own"] = is_own
    if is_own and context.get("solved"):
        JUST_DONE.set(request, Thing("exercise", submission.exercise_version.exercise.slug))
    context["has_link"] = _page_has(request) == LINK
    if is_own and context.get("solved") and not context["has_link"]:
        tries = context["counted_tries"]
        context["counterexample"] = card_after(submission, learner, tries=tries)
    if submission.graded_at and _page_has(request) == HISTORY:
        exercise = submission.exercise_version.exercise
        tries = context["counted_tries"] if is_own else None
        context["history"] = recent_history(exercise=exercise, learner=learner)
        context["solution"] = solution_state(exercise=exercise, learner=learner, tries=tries)
    return render(request, "exercises/_verdict.html", context)


def _page_has(request: HttpRequest) -> str:
    """Return what the page that asks for a verdict says of itself: HISTORY, LINK or ""."""
    return (request.POST or request.GET).get("with", "")


def _refused(
    request: HttpRequest, exercise: Exercise, form: CodeForm, message: str, *, status: int
) -> HttpResponse:
    if request.headers.get("HX-Request"):
        has_link = _page_has(request) == LINK
        context = {"message": message, "key": page_context.new_key(), "has_link": has_link}
        return render(request, "exercises/_refused.html", context, status=status)
    refusal = "" if "code" in form.errors else message
    return _page(request, exercise, form, status=status, refusal=refusal)


def _page(
    request: HttpRequest,
    exercise: Exercise,
    form: CodeForm | None,
    *,
    status: int = 200,
    refusal: str = "",
) -> HttpResponse:
    context = {**page_context.exercise_page(request, exercise, form), "refusal": refusal}
    return render(request, "exercises/exercise.html", context, status=status)
