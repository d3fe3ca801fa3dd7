"""Who may mark or grade anew: editors in a whole course, instructors in their class."""

from functools import wraps

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase

from quizzes.classes.access import role_in_class, taught_classes
from quizzes.classes.models import Cohort, Membership
from quizzes.courses.current_course import COURSE
from quizzes.courses.models import Course
from quizzes.courses.roles import role_in
from quizzes.learners.models import User
from quizzes.teaching.access import CLASS_ROLE, COHORT, ROLE, View, ask_to_sign_in


def for_regrading(view: View) -> View:
    """Let editors of the course in; with a class in the form or address, its instructors.

    What a class's instructors see and change is the work of their class alone. To everybody
    else a course and a class that exist and ones that do not look alike.
    """

    @wraps(view)
    def guarded(
        request: HttpRequest, course: str, *args: object, **kwargs: object
    ) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return ask_to_sign_in(request)
        found = Course.objects.filter(slug=course).first()
        role = role_in(found, request.user) if found else None
        named = str(request.POST.get("class", request.GET.get("class", "")))[:60]
        cohort = Cohort.objects.filter(course=found, slug=named).first() if named else None
        in_class = role_in_class(cohort, request.user) if cohort else None
        if found is None or (named and (in_class is None or not in_class.teaches)):
            raise Http404(f"there is no course {course} with a class {named!r}")
        if not named and role is None:
            raise Http404(f"there is no course {course}")
        if named and not (in_class and in_class.may_manage):
            raise PermissionDenied("only instructors of the class mark its work anew")
        if not named and not (role and role.may_edit):
            raise PermissionDenied("only editors of the course mark all of its work anew")
        COURSE.set(request, found)
        if role is not None:
            ROLE.set(request, role)
        if cohort is not None and in_class is not None:
            COHORT.set(request, cohort)
            CLASS_ROLE.set(request, in_class)
        return view(request, found, *args, **kwargs)

    return guarded


def regraded_classes(user: User, course: Course) -> list[Cohort]:
    """Return the classes of the course whose work this account may mark anew."""
    rows = taught_classes(user).filter(course=course)
    if not user.is_superuser:
        managed = Membership.Role.INSTRUCTOR
        rows = rows.filter(
            memberships__user=user, memberships__role=managed, memberships__state="active"
        )
    return list(rows.order_by("title").distinct())
