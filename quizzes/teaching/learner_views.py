"""Instructors' pages: the list of learners, and the page of one learner."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.models import Attempt, Quiz
from quizzes.courses.models import Course
from quizzes.exercises.models import Submission
from quizzes.exercises.services import kept_exercises
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import progress_of
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import progress_in
from quizzes.teaching.access import for_editors
from quizzes.teaching.lists import attempt_rows, learners_of, page_of, requested_filter

ORDER_LABELS = {"seen": "Last seen", "name": "Name"}


@never_cache
@require_safe
@for_editors
def learners(request: HttpRequest, course: Course) -> HttpResponse:
    """Every learner who has begun something of the course, with a search."""
    words, who, order = (
        requested_filter(request, "q"),
        requested_filter(request, "who"),
        requested_filter(request, "order"),
    )
    context = {
        "page": page_of(request, find_learners(course, words, who=who, order=order)),
        "words": words,
        "whos": WHO,
        "who": who,
        "orders": ORDER_LABELS,
        "order": order,
    }
    return render(request, "teaching/learners.html", context)


@never_cache
@require_safe
@for_editors
def learner(request: HttpRequest, course: Course, number: int) -> HttpResponse:
    """One learner in the course: progress, attempts, submissions, mistakes."""
    found = get_object_or_404(learners_of(course).select_related("user"), pk=number)
    return render(request, "teaching/learner.html", learner_page(course, found))


ORDERS = {
    "seen": ("-last_seen_at", "pk"),
    "name": ("user__username", "pk"),
}
WHO = {"accounts": "With an account", "visitors": "Without an account"}
MOST_RECENT = 20


def find_learners(course: Course, words: str, *, who: str, order: str) -> QuerySet[Learner]:
    """Return learners of a course whose name has every word, with counts of finished work in it.

    `lessons_done`, `quizzes_taken`, `exercises_solved`. One query.
    """
    found = learners_of(course).select_related("user")
    over = Attempt.objects.handed_in(timezone.now())
    attempts = over.filter(quiz__course=course, learner=OuterRef("pk"))
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
        lessons_done=_done(course, Progress.Kind.LESSON),
        exercises_solved=_done(course, Progress.Kind.EXERCISE),
        quizzes_taken=_counted(attempts, "quiz"),
    ).order_by(*ORDERS.get(order, ORDERS["seen"]))


def _called(word: str) -> Q:
    """Return the condition that pages call a visitor "learner 1a2b3c4d" with these digits."""
    digits = word.lower().replace("-", "")
    if not 4 <= len(digits) <= 32 or not set(digits) <= set("0123456789abcdef"):
        return Q(pk=None)
    first, last = UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))
    return Q(user=None, uuid__range=(first, last))


def _done(course: Course, kind: str) -> Coalesce:
    rows = Progress.objects.filter(
        course=course, learner=OuterRef("pk"), kind=kind, state=Progress.State.DONE
    )
    return _counted(rows, "pk")


def _counted(rows: QuerySet[Any], what: str) -> Coalesce:
    counted = rows.order_by().values("learner").annotate(number=Count(what, distinct=True))
    return Coalesce(Subquery(counted.values("number")), 0)


def learner_page(course: Course, learner: Learner) -> dict[str, Any]:
    """Return the context of one learner's page in a course. Ten queries, always."""
    rows = Lesson.objects.filter(course=course, withdrawn_at=None).with_steps()
    lessons = [one for one in rows if one.steps.all()]
    far = progress_in(learner=learner, lessons=lessons)
    attempts = Attempt.objects.filter(learner=learner, quiz__course=course).order_by("-pk")
    newest = list(attempts.values_list("pk", flat=True)[:MOST_RECENT])
    work = Submission.objects.filter(
        learner=learner, kind=Submission.Kind.SUBMIT, exercise_version__exercise__course=course
    ).order_by()
    mistakes = work.exclude(known_mistake="").values(
        "exercise_version__exercise__slug", "known_mistake"
    )
    recent = work.select_related("exercise_version__exercise").defer(
        "code", "report", "exercise_version__files", "exercise_version__proof"
    )
    return {
        "learner": learner,
        "lessons": [(one, far[one.pk]) for one in lessons],
        "quizzes": list(_quizzes(course, learner)),
        "exercises": list(_exercises(course, learner, work)),
        "attempts": attempt_rows(newest),
        "submissions": recent.order_by("-pk")[:MOST_RECENT],
        "mistakes": mistakes.annotate(times=Count("pk")).order_by("-times", "known_mistake"),
    }


def _quizzes(course: Course, learner: Learner) -> Iterable[dict[str, Any]]:
    quizzes = list(Quiz.objects.open().filter(course=course))
    states = progress_of(course.pk, learner, Progress.Kind.QUIZ, [quiz.slug for quiz in quizzes])
    for quiz in quizzes:
        yield {"quiz": quiz, "state": states.get(quiz.slug, "")}


def _exercises(
    course: Course, learner: Learner, work: QuerySet[Submission]
) -> Iterable[dict[str, Any]]:
    exercises = kept_exercises(course)
    states = progress_of(
        course.pk, learner, Progress.Kind.EXERCISE, [one.slug for one in exercises]
    )
    times = dict(work.values_list("exercise_version__exercise").annotate(Count("pk")))
    for exercise in exercises:
        state = states.get(exercise.slug, "")
        yield {"exercise": exercise, "state": state, "times": times.get(exercise.pk, 0)}
