"""Instructors' pages: submissions of code with their verdicts, and the button that grades anew."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.page_context import submission_page
from quizzes.exercises.services import grade_again
from quizzes.grader.api import Verdict
from quizzes.learners.instructors import instructors_only
from quizzes.teaching.access import back_or, editor_of
from quizzes.teaching.lists import page_of, requested_filter, requested_learner

WAITING = "waiting"
VERDICTS = {WAITING: "Waiting", **{verdict.value: verdict.label for verdict in Verdict}}


def handed_in() -> QuerySet[Submission]:
    """Return submissions, newest first, without code and reports; checks are left out."""
    return (
        Submission.objects.filter(kind=Submission.Kind.SUBMIT)
        .select_related("learner__user", "exercise_version__exercise")
        .defer("code", "report", *_heavy())
        .order_by("-pk")
    )


def _heavy() -> tuple[str, ...]:
    names = ("files", "problems", "outline", "proof")
    return tuple(f"exercise_version__{name}" for name in names)


@never_cache
@require_safe
@instructors_only
def submissions(request: HttpRequest) -> HttpResponse:
    """Every submission of code, newest first, by exercise, verdict and learner."""
    found = handed_in()
    exercise, verdict = requested_filter(request, "exercise"), requested_filter(request, "verdict")
    mistake, learner = requested_filter(request, "mistake"), requested_learner(request)
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
        "exercises": Exercise.objects.values_list("slug", flat=True).order_by("slug"),
        "exercise": exercise,
        "verdicts": VERDICTS,
        "verdict": verdict,
        "mistake": mistake,
        "learner": learner,
    }
    return render(request, "teaching/submissions.html", context)


@never_cache
@require_safe
@instructors_only
def submission(request: HttpRequest, number: int) -> HttpResponse:
    """Show a submission or a check: its code, its verdict, and what failed on our side."""
    rows = Submission.objects.select_related("learner__user", "exercise_version__exercise")
    found = get_object_or_404(rows.defer(*_heavy()), pk=number)
    return render(request, "teaching/submission.html", submission_page(request, found))


@require_POST
@instructors_only
def grade_anew(request: HttpRequest, number: int) -> HttpResponse:
    """Put a submission back into the queue unchanged, and go back to the page of the button."""
    found = Submission.objects.filter(pk=number).first()
    if found is None:
        raise Http404(f"there is no submission {number}")
    if grade_again(submission=found, by=editor_of(request)):
        messages.success(request, f"Submission {number} waits to be graded anew.")
    else:
        messages.info(request, f"Submission {number} waits to be graded already.")
    return back_or(request, "teaching:submission", number)
