"""The people who may regrade: editors in a whole course, instructors in their class."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.http import urlencode

from quizzes.classes.access import role_in_class, submissions_seen, taught_classes
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.courses.current_course import COURSE
from quizzes.courses.models import Course
from quizzes.courses.roles import role_in
from quizzes.learners.models import User
from quizzes.regrades.scope import WHOLE_COURSE, Scope
from quizzes.teaching.access import CLASS_ROLE, COHORT, ROLE, View, ask_to_sign_in, editor_of
from quizzes.teaching.addresses import address_in


@dataclass(frozen=True)
class Regrading:
    """The person who regrades and the work: that of a course, or of one class."""

    course: Course
    cohort: Cohort | None
    by: User
    scope: Scope

    def address(self, page: str, slug: str) -> str:
        """Return the address of the page of one question or exercise."""
        query = f"?{urlencode({'class': self.cohort.slug})}" if self.cohort else ""
        return address_in(self.course, page, slug) + query

    def classes(self) -> list[Cohort]:
        """Return the classes of the course whose work this account may regrade."""
        rows = taught_classes(self.by).filter(course=self.course)
        if not self.by.is_superuser:
            managed = Membership.Role.INSTRUCTOR
            rows = rows.filter(
                memberships__user=self.by, memberships__role=managed, memberships__state="active"
            )
        return list(rows.order_by("title").distinct())


def scope_of(cohort: Cohort | None) -> Scope:
    """Return the work that a regrade may touch: all of the course, or that of a class."""
    if cohort is None:
        return WHOLE_COURSE
    assigned = Assignment.objects.filter(cohort=cohort, quiz__isnull=False).order_by("pk")
    sittings = tuple(assignment.sitting for assignment in assigned)
    return Scope(cohort.pk, cohort.slug, sittings, submissions_seen(cohort))


def for_regrading(view: Callable[..., HttpResponseBase]) -> View:
    """Let editors of the course in; with a class in the form or address, its instructors.

    The view gets what they regrade. Instructors of a class see and change the work of their class
    alone. To everybody else a course and a class that exist and ones that do not look alike.
    """

    @wraps(view)
    def guarded(
        request: HttpRequest, course: str, *args: object, **kwargs: object
    ) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return ask_to_sign_in(request)
        place = Course.objects.filter(slug=course).first()
        role = role_in(place, request.user) if place else None
        name = str(request.POST.get("class", request.GET.get("class", "")))[:60]
        cohort = Cohort.objects.filter(course=place, slug=name).first() if name else None
        in_class = role_in_class(cohort, request.user) if cohort else None
        if place is None or (name and (in_class is None or not in_class.teaches)):
            raise Http404(f"there is no course {course} with a class {name!r}")
        if not name and role is None:
            raise Http404(f"there is no course {course}")
        if name and not (in_class and in_class.may_manage):
            raise PermissionDenied("only instructors of the class can regrade its work")
        if not name and not (role and role.may_edit):
            raise PermissionDenied("only editors of the course can regrade all of its work")
        COURSE.set(request, place)
        if role is not None:
            ROLE.set(request, role)
        if cohort is not None and in_class is not None:
            COHORT.set(request, cohort)
            CLASS_ROLE.set(request, in_class)
        regrading = Regrading(place, cohort, editor_of(request), scope_of(cohort))
        return view(request, regrading, *args, **kwargs)

    return guarded
