"""The audit log: of a class for instructors, of a course for owners, of all for superusers."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.classes.models import Cohort
from quizzes.courses.models import AuditEntry, Course
from quizzes.courses.roles import role_in
from quizzes.learners.instructors import superusers_only
from quizzes.teaching.access import for_class_instructors, for_owners
from quizzes.teaching.lists import newest_page
from quizzes.teaching.people.log_lines import Log, log_lines


@never_cache
@require_safe
@for_class_instructors
def class_log(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Show what was done in the class, by whom, and whose work was opened, newest first."""
    sees_course = role_in(cohort.course, request.user) is not None
    log = Log(cohort=cohort, course=cohort.course, sees_course=sees_course)
    rows = AuditEntry.objects.filter(cohort=cohort.slug)
    return _page(request, rows, log, f"Log for {cohort.title}")


@never_cache
@require_safe
@for_owners
def course_log(request: HttpRequest, course: Course) -> HttpResponse:
    """Show what was done in the course, outside classes, and by whom, newest first."""
    rows = AuditEntry.objects.filter(course=course, cohort="")
    return _page(request, rows, Log(course=course), f"Log for {course.title}")


@never_cache
@require_safe
@superusers_only
def site_log(request: HttpRequest) -> HttpResponse:
    """Show what was done on the site, and by whom, newest first."""
    return _page(request, AuditEntry.objects.all(), Log(), "Site log")


def _page(request: HttpRequest, rows: QuerySet[AuditEntry], log: Log, heading: str) -> HttpResponse:
    page = newest_page(request, rows.select_related("by", "course"), by="at")
    lines = log_lines(page, log)
    context = {"page": page, "lines": lines, "heading": heading}
    return render(request, "teaching/people/log.html", context)
