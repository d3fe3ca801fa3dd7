"""Instructors' start page: this week, classes, courses, grading, and our failures."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.models import Question, Quiz
from quizzes.classes.access import is_demo_class_coming, taught_classes
from quizzes.classes.models import Cohort
from quizzes.courses.models import Course
from quizzes.courses.roles import Role, taught_courses
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.services import grading_state, our_failures, queue_length
from quizzes.learners.instructors import instructors_only
from quizzes.lessons.models import Lesson
from quizzes.teaching.access import editor_of
from quizzes.teaching.lists import requested_filter
from quizzes.teaching.people.class_views import STUDENTS
from quizzes.teaching.week.week_views import digest

MOST_FAILURES = 20
MOST_CHOICES = 8


@never_cache
@require_safe
@instructors_only
def overview(request: HttpRequest) -> HttpResponse:
    """Show this week of a class, the classes and courses, and the state of grading.

    The address names the class, else it is the newest. A failure is shown without its learner, to
    those that may have it graded again.
    """
    account = editor_of(request)
    courses = taught_courses(account)
    failures = failures_in(taught_courses(account, at_least=Role.EDITOR))
    shown = list(failures[:MOST_FAILURES])
    classes = list(
        taught_classes(account)
        .filter(archived_at=None)
        .select_related("course")
        .annotate(students=STUDENTS)
    )
    if classes:
        account.knows_classes = True  # the frame need not ask
    chosen = _chosen_class(classes, requested_filter(request, "class"))
    context = {
        "courses": with_counts(courses),
        "grading": grading_state(),
        "waiting": queue_length(),
        "failures": shown,
        "failures_count": len(shown) if len(shown) < MOST_FAILURES else failures.count(),
        "refused": refused_in(courses),
        "classes": classes,
        "digest": digest(chosen) if chosen else None,
        "is_demo_class_coming": not classes and is_demo_class_coming(account),
        "choices": _choices(classes, chosen),
    }
    return render(request, "teaching/overview.html", context)


def _chosen_class(classes: Sequence[Cohort], slug: str) -> Cohort | None:
    """Return the class that the address names, else the newest. Raises Http404."""
    if not slug:
        return classes[0] if classes else None
    chosen = next((one for one in classes if one.slug == slug), None)
    if chosen is None:
        raise Http404(f"class={slug}: no class of this account that is not archived")
    return chosen


def _choices(classes: Sequence[Cohort], chosen: Cohort | None) -> list[Cohort]:
    """Return the classes whose week can be chosen: the newest, and the chosen one."""
    newest = list(classes[:MOST_CHOICES])
    return newest if chosen is None or chosen in newest else [*newest, chosen]


def failures_in(courses: QuerySet[Course]) -> QuerySet[Submission]:
    """Return the submissions in these courses that were not graded because we failed."""
    return our_failures().filter(exercise_version__exercise__course__in=courses.values("pk"))


def refused_in(courses: QuerySet[Course]) -> QuerySet[Exercise]:
    """Return the exercises of these courses that take no code: they failed their verification."""
    refused = Exercise.objects.filter(current__verification="refused", withdrawn_at=None)
    return refused.filter(course__in=courses.values("pk")).select_related("course")


def with_counts(courses: QuerySet[Course]) -> QuerySet[Course]:
    """Return courses, each with how many lessons, questions, quizzes and exercises it has."""
    return courses.annotate(
        lessons_counted=_counted(
            Lesson.objects.filter(withdrawn_at=None).exclude(form=Lesson.Form.REFERENCE)
        ),
        questions_counted=_counted(Question.objects.available()),
        quizzes_counted=_counted(Quiz.objects.open()),
        exercises_counted=_counted(
            Exercise.objects.filter(current__isnull=False, withdrawn_at=None)
        ),
    )


def _counted(rows: QuerySet[Any]) -> Coalesce:
    of_course = rows.filter(course=OuterRef("pk")).order_by().values("course")
    return Coalesce(Subquery(of_course.annotate(number=Count("pk")).values("number")), 0)
