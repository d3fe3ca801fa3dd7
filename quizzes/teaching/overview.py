"""Instructors' start page: the state of grading, failures of ours, waiting and new work."""

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.models import Attempt, QuestionDraft, QuizDraft
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import grading_state, our_failures
from quizzes.learners.instructors import instructors_only
from quizzes.learners.models import Learner
from quizzes.teaching.submission_views import handed_in

RECENTLY = timedelta(days=7)
MOST_FAILURES = 20
MOST_RECENT = 8


@never_cache
@require_safe
@instructors_only
def overview(request: HttpRequest) -> HttpResponse:
    """Show the state of grading and the work that needs an instructor first."""
    since = timezone.now() - RECENTLY
    failures = our_failures()
    attempts = Attempt.objects.scored().select_related("learner__user", "quiz")
    context = {
        "grading": grading_state(),
        "failures": failures[:MOST_FAILURES],
        "failures_count": failures.count(),
        "refused": Exercise.objects.filter(current__verification="refused"),
        "active": Learner.objects.filter(last_seen_at__gte=since).count(),
        "taken": Attempt.objects.filter(submitted_at__gte=since).count(),
        "handed_in": handed_in().filter(submitted_at__gte=since).count(),
        "attempts": attempts.order_by("-pk")[:MOST_RECENT],
        "submissions": handed_in()[:MOST_RECENT],
        "question_drafts": QuestionDraft.objects.select_related("question", "edited_by"),
        "quiz_drafts": QuizDraft.objects.select_related("quiz", "edited_by"),
    }
    return render(request, "teaching/overview.html", context)
