"""Instructors' pages: the list of learners, and the page of one learner."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.models import Attempt, Quiz
from quizzes.exercises.models import Submission
from quizzes.exercises.services import published_exercises
from quizzes.learners.instructors import instructors_only
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import progress_of
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import progress_in
from quizzes.teaching.lists import page_of, requested_filter

ORDER_LABELS = {"seen": "Last seen", "name": "Name"}


@never_cache
@require_safe
@instructors_only
def learners(request: HttpRequest) -> HttpResponse:
    """Every learner, with a search."""
    words, who, order = (
        requested_filter(request, "q"),
        requested_filter(request, "who"),
        requested_filter(request, "order"),
    )
    context = {
        "page": page_of(request, find_learners(words, who=who, order=order)),
        "words": words,
        "whos": WHO,
        "who": who,
        "orders": ORDER_LABELS,
        "order": order,
    }
    return render(request, "teaching/learners.html", context)


@never_cache
@require_safe
@instructors_only
def learner(request: HttpRequest, number: int) -> HttpResponse:
    """One learner: progress, attempts, submissions, mistakes."""
    found = get_object_or_404(Learner.objects.select_related("user"), pk=number)
    return render(request, "teaching/learner.html", learner_page(found))


ORDERS = {
    "seen": ("-last_seen_at", "pk"),
    "name": ("user__username", "pk"),
}
WHO = {"accounts": "With an account", "visitors": "Without an account"}
MOST_RECENT = 20


def find_learners(words: str, *, who: str, order: str) -> QuerySet[Learner]:
    """Return learners whose name has every word, each with counts of finished work.

    `lessons_done`, `quizzes_taken`, `exercises_solved`. One query.
    """
    found = Learner.objects.select_related("user")
    if who in WHO:
        found = found.filter(user__isnull=who == "visitors")
    for word in words.split()[:5]:
        found = found.filter(
            Q(user__username__icontains=word)
            | Q(user__first_name__icontains=word)
            | Q(user__last_name__icontains=word)
            | _called(word)
        )
    return found.annotate(
        lessons_done=_done(Progress.Kind.LESSON),
        exercises_solved=_done(Progress.Kind.EXERCISE),
        quizzes_taken=_counted(Attempt.objects.submitted().filter(learner=OuterRef("pk")), "quiz"),
    ).order_by(*ORDERS.get(order, ORDERS["seen"]))


def _called(word: str) -> Q:
    """Return the condition that pages call a visitor "learner 1a2b3c4d" with these digits."""
    digits = word.lower().replace("-", "")
    if not 4 <= len(digits) <= 32 or not set(digits) <= set("0123456789abcdef"):
        return Q(pk=None)
    first, last = UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))
    return Q(user=None, uuid__range=(first, last))


def _done(kind: str) -> Coalesce:
    rows = Progress.objects.filter(learner=OuterRef("pk"), kind=kind, state=Progress.State.DONE)
    return _counted(rows, "pk")


def _counted(rows: QuerySet[Any], what: str) -> Coalesce:
    counted = rows.order_by().values("learner").annotate(number=Count(what, distinct=True))
    return Coalesce(Subquery(counted.values("number")), 0)


def learner_page(learner: Learner) -> dict[str, Any]:
    """Return the context of one learner's page. Nine queries, always."""
    lessons = [one for one in Lesson.objects.with_steps() if one.steps.all()]
    far = progress_in(learner=learner, lessons=lessons)
    attempts = Attempt.objects.filter(learner=learner).scored().select_related("quiz")
    work = Submission.objects.filter(learner=learner, kind=Submission.Kind.SUBMIT).order_by()
    mistakes = work.exclude(known_mistake="").values(
        "exercise_version__exercise__slug", "known_mistake"
    )
    recent = work.select_related("exercise_version__exercise").defer(
        "code", "report", "exercise_version__files", "exercise_version__proof"
    )
    return {
        "learner": learner,
        "lessons": [(one, far[one.pk]) for one in lessons],
        "quizzes": list(_quizzes(learner)),
        "exercises": list(_exercises(learner, work)),
        "attempts": attempts.order_by("-pk")[:MOST_RECENT],
        "submissions": recent.order_by("-pk")[:MOST_RECENT],
        "mistakes": mistakes.annotate(times=Count("pk")).order_by("-times", "known_mistake"),
    }


def _quizzes(learner: Learner) -> Iterable[dict[str, Any]]:
    quizzes = list(Quiz.objects.filter(is_published=True))
    states = progress_of(learner, Progress.Kind.QUIZ, [quiz.slug for quiz in quizzes])
    for quiz in quizzes:
        yield {"quiz": quiz, "state": states.get(quiz.slug, "")}


def _exercises(learner: Learner, work: QuerySet[Submission]) -> Iterable[dict[str, Any]]:
    exercises = list(published_exercises())
    states = progress_of(learner, Progress.Kind.EXERCISE, [one.slug for one in exercises])
    times = dict(work.values_list("exercise_version__exercise").annotate(Count("pk")))
    for exercise in exercises:
        state = states.get(exercise.slug, "")
        yield {"exercise": exercise, "state": state, "times": times.get(exercise.pk, 0)}
