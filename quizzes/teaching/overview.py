"""Instructors' start page: this week, classes, courses, grading, and failures of ours."""

from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.models import Question, Quiz
from quizzes.classes.access import taught_classes
from quizzes.courses.models import Course
from quizzes.courses.roles import Role, taught_courses
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.services import grading_state, our_failures
from quizzes.learners.instructors import instructors_only
from quizzes.lessons.models import Lesson
from quizzes.teaching.access import editor_of
from quizzes.teaching.people.class_views import STUDENTS
from quizzes.teaching.week.week_views import digest

MOST_FAILURES = 20


@never_cache
@require_safe
@instructors_only
def overview(request: HttpRequest) -> HttpResponse:
    """Show this week of the newest class, the classes and courses, and the state of grading.

    A failure is shown without its learner, to those that may have it graded anew.
    """
    account = editor_of(request)
    courses = taught_courses(account)
    failures = failures_in(taught_courses(account, at_least=Role.EDITOR))
    classes = list(
        taught_classes(account)
        .filter(archived_at=None)
        .select_related("course")
        .annotate(students=STUDENTS)
    )
    context = {
        "courses": with_counts(courses),
        "grading": grading_state(),
        "failures": failures[:MOST_FAILURES],
        "failures_count": failures.count(),
        "refused": refused_in(courses),
        "classes": classes,
        "digest": digest(classes[0]) if classes else None,
    }
    return render(request, "teaching/overview.html", context)


def failures_in(courses: QuerySet[Course]) -> QuerySet[Submission]:
    """Return what was not graded in these courses because something failed on our side."""
    return our_failures().filter(exercise_version__exercise__course__in=courses.values("pk"))


def refused_in(courses: QuerySet[Course]) -> QuerySet[Exercise]:
    """Return the exercises of these courses that take no code: they failed their verification."""
    refused = Exercise.objects.filter(current__verification="refused", withdrawn_at=None)
    return refused.filter(course__in=courses.values("pk")).select_related("course")


def with_counts(courses: QuerySet[Course]) -> QuerySet[Course]:
    """Return courses, each with how many lessons, questions, quizzes and exercises it has."""
    return courses.annotate(
        lessons_counted=_counted(Lesson.objects.filter(withdrawn_at=None)),
        questions_counted=_counted(Question.objects.asked()),
        quizzes_counted=_counted(Quiz.objects.open()),
        exercises_counted=_counted(
            Exercise.objects.filter(current__isnull=False, withdrawn_at=None)
        ),
    )


def _counted(rows: QuerySet[Any]) -> Coalesce:
    of_course = rows.filter(course=OuterRef("pk")).order_by().values("course")
    return Coalesce(Subquery(of_course.annotate(number=Count("pk")).values("number")), 0)
