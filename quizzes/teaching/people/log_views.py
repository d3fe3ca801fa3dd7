"""The audit log: of a class for instructors, of a course for owners, of all for superusers."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.classes.models import Cohort
from quizzes.courses.models import AuditEntry, Course
from quizzes.learners.instructors import superusers_only
from quizzes.teaching.access import for_class_instructors, for_owners
from quizzes.teaching.lists import newest_page


@never_cache
@require_safe
@for_class_instructors
def class_log(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Show what was done in the class, by whom, and whose work was opened, newest first."""
    return _page(
        request,
        AuditEntry.objects.filter(cohort=cohort.slug),
        f"Log of {cohort.title}",
        "class-log",
    )


@never_cache
@require_safe
@for_owners
def course_log(request: HttpRequest, course: Course) -> HttpResponse:
    """Show what was done in the course, outside classes, and by whom, newest first."""
    return _page(
        request,
        AuditEntry.objects.filter(course=course, cohort=""),
        f"Log of {course.title}",
        "course-log",
    )


@never_cache
@require_safe
@superusers_only
def site_log(request: HttpRequest) -> HttpResponse:
    """Show what was done on the site, and by whom, newest first."""
    return _page(request, AuditEntry.objects.all(), "Log of the site", "site-log")


def _page(
    request: HttpRequest, rows: QuerySet[AuditEntry], heading: str, here: str
) -> HttpResponse:
    page = newest_page(request, rows.select_related("by", "course"), by="at")
    return render(
        request, "teaching/people/log.html", {"page": page, "heading": heading, "here": here}
    )
