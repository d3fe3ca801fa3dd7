"""Instructors' pages: what learners did. The newest attempts and submissions, and one attempt."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.models import Attempt
from quizzes.assessment.showing import attempt_questions
from quizzes.exercises.models import Submission
from quizzes.learners.roles import instructors_only

A_PAGE = 50


@never_cache
@require_safe
@instructors_only
def attempts(request: HttpRequest) -> HttpResponse:
    """Every attempt at a quiz, newest first."""
    found = Attempt.objects.scored().select_related("learner__user", "quiz").order_by("-pk")
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    return render(request, "teaching/attempts.html", {"page": page})


@never_cache
@require_safe
@instructors_only
def attempt(request: HttpRequest, number: int) -> HttpResponse:
    """Show an attempt as its learner saw it: the versions, the order of options, the choices."""
    attempts = Attempt.objects.select_related("learner__user", "quiz")
    found = get_object_or_404(attempts, pk=number)
    questions = attempt_questions(found)
    context = {
        "attempt": found,
        "questions": questions,
        "right": sum(question.right for question in questions),
    }
    return render(request, "teaching/attempt.html", context)


@never_cache
@require_safe
@instructors_only
def submissions(request: HttpRequest) -> HttpResponse:
    """Every submission of code, newest first; checks are not kept as work."""
    found = (
        Submission.objects.filter(kind=Submission.Kind.SUBMIT)
        .select_related("learner__user", "exercise_version__exercise")
        .defer("code", "report", "exercise_version__files")
        .order_by("-pk")
    )
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    return render(request, "teaching/submissions.html", {"page": page})
