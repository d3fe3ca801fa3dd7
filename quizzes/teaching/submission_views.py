"""Instructors' pages: submissions of code with their verdicts, and the button that grades anew."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.page_context import submission_page
from quizzes.exercises.services import grade_again
from quizzes.grader.api import Verdict
from quizzes.teaching.access import back_or, editor_of, for_editors
from quizzes.teaching.addresses import address_in
from quizzes.teaching.lists import page_of, requested_filter, requested_learner

WAITING = "waiting"
VERDICTS = {WAITING: "Waiting", **{verdict.value: verdict.label for verdict in Verdict}}


def handed_in(course: Course) -> QuerySet[Submission]:
    """Return submissions to a course, newest first, without code and reports; no checks."""
    return (
        Submission.objects.filter(
            kind=Submission.Kind.SUBMIT, exercise_version__exercise__course=course
        )
        .select_related("learner__user", "exercise_version__exercise")
        .defer("code", "report", *_heavy())
        .order_by("-pk")
    )


def _heavy() -> tuple[str, ...]:
    names = ("files", "problems", "outline", "proof")
    return tuple(f"exercise_version__{name}" for name in names)


@never_cache
@require_safe
@for_editors
def submissions(request: HttpRequest, course: Course) -> HttpResponse:
    """Every submission of code, newest first, by exercise, verdict and learner."""
    found = handed_in(course)
    exercise, verdict = requested_filter(request, "exercise"), requested_filter(request, "verdict")
    mistake, learner = requested_filter(request, "mistake"), requested_learner(request, course)
    if exercise:
        found = found.filter(exercise_version__exercise__slug=exercise)
    if verdict in VERDICTS:
        found = found.filter(verdict="" if verdict == WAITING else verdict)
    if mistake:
        found = found.filter(known_mistake=mistake)
    if learner:
        found = found.filter(learner=learner)
    context = {
        "page": page_of(request, found),
        "exercises": Exercise.objects.filter(course=course)
        .values_list("slug", flat=True)
        .order_by("slug"),
        "exercise": exercise,
        "verdicts": VERDICTS,
        "verdict": verdict,
        "mistake": mistake,
        "learner": learner,
    }
    return render(request, "teaching/submissions.html", context)


@never_cache
@require_safe
@for_editors
def submission(request: HttpRequest, course: Course, number: int) -> HttpResponse:
    """Show a submission or a check: its code, its verdict, and what failed on our side."""
    rows = Submission.objects.filter(exercise_version__exercise__course=course)
    rows = rows.select_related("learner__user", "exercise_version__exercise__course")
    found = get_object_or_404(rows.defer(*_heavy()), pk=number)
    return render(request, "teaching/submission.html", submission_page(request, found))


@require_POST
@for_editors
def grade_anew(request: HttpRequest, course: Course, number: int) -> HttpResponse:
    """Put a submission back into the queue unchanged, and go back to the page of the button."""
    rows = Submission.objects.filter(exercise_version__exercise__course=course)
    found = get_object_or_404(rows, pk=number)
    if grade_again(submission=found, by=editor_of(request)):
        messages.success(request, f"Submission {number} waits to be graded anew.")
    else:
        messages.info(request, f"Submission {number} waits to be graded already.")
    return back_or(request, address_in(course, "submission", number))
