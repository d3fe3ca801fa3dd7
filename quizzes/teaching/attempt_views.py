"""Instructors' pages: attempts at quizzes, and one attempt as its learner saw it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.models import Attempt, Quiz
from quizzes.assessment.presenters import Result, attempt_questions
from quizzes.courses.models import Course
from quizzes.teaching.access import for_editors
from quizzes.teaching.lists import attempt_rows, page_of, requested_filter, requested_learner

STATES = {"submitted": "Submitted", "open": "Not submitted"}


@never_cache
@require_safe
@for_editors
def attempts(request: HttpRequest, course: Course) -> HttpResponse:
    """Every attempt at a quiz of the course, newest first, by quiz, state and learner."""
    found = Attempt.objects.filter(quiz__course=course).order_by("-pk")
    quiz, state, learner = (
        requested_filter(request, "quiz"),
        requested_filter(request, "state"),
        requested_learner(request, course),
    )
    if quiz:
        found = found.filter(quiz__slug=quiz)
    now = timezone.now()
    if state == "open":
        found = found.open(now)
    elif state in STATES:
        found = found.handed_in(now)
    if learner:
        found = found.filter(learner=learner)
    context = {
        "page": page_of(request, found, with_facts=attempt_rows),
        "quizzes": Quiz.objects.filter(course=course).order_by("title").only("slug", "title"),
        "quiz": quiz,
        "states": STATES,
        "state": state,
        "learner": learner,
    }
    return render(request, "teaching/attempts.html", context)


@never_cache
@require_safe
@for_editors
def attempt(request: HttpRequest, course: Course, number: int) -> HttpResponse:
    """Show an attempt as its learner saw it: the versions, the order of options, the choices."""
    attempts = Attempt.objects.filter(quiz__course=course).select_related("learner__user", "quiz")
    found = get_object_or_404(attempts, pk=number)
    questions = attempt_questions(found)
    context = {
        "attempt": found,
        "questions": questions,
        "result": Result.of(questions),
    }
    return render(request, "teaching/attempt.html", context)
