"""Owners' pages: the accounts that have a role in a course."""

from django.contrib import messages
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.courses.current_course import COURSE
from quizzes.courses.models import Course, CourseStaff
from quizzes.courses.roles import Role, role_in, set_role
from quizzes.learners.instructors import AccountError, find_account
from quizzes.learners.models import User
from quizzes.learners.password_again import password_first
from quizzes.teaching.access import editor_of, for_owners
from quizzes.teaching.addresses import address_in

HINT = "To open classes or copy courses, it must first be made an instructor by a superuser."
MAY = {
    Role.VIEWER: "sees the course with its answers and drafts, and its learners only as numbers",
    Role.EDITOR: "also writes in the course; sees its learners only as numbers too",
    Role.OWNER: "also decides who has a role in the course, and whether it is listed",
}


def _page_shown(request: HttpRequest) -> str:
    return address_in(COURSE.of(request), "staff")


@never_cache
@require_safe
@for_owners
def staff(request: HttpRequest, course: Course) -> HttpResponse:
    """Show every account with a role in the course, by role and name."""
    context = {"rows": sorted(_rows(course), key=_highest_first), "roles": MAY.items()}
    return render(request, "teaching/staff.html", context)


def _rows(course: Course) -> QuerySet[CourseStaff]:
    return course.staff.select_related("user").order_by(Lower("user__username"), "pk")


def _highest_first(row: CourseStaff) -> int:
    return -list(Role).index(Role(row.role))


@require_POST
@for_owners
@password_first(_page_shown)
def add(request: HttpRequest, course: Course) -> HttpResponse:
    """Give an account, named by user name or confirmed address, a role in the course."""
    role = _role_in(request)
    if role is None:
        return _not_a_role()
    try:
        # What is known of other accounts is for operators: an owner gets one answer for all.
        user = find_account(request.POST.get("account", "")[:254].replace("\0", ""))
    except AccountError:
        messages.error(
            request, "Nobody was added: type the exact user name or a confirmed address."
        )
        return redirect(address_in(course, "staff"))
    return _set(request, course, user, role)


@require_POST
@for_owners
@password_first(_page_shown)
def change(request: HttpRequest, course: Course, number: int) -> HttpResponse:
    """Give an account of the course another role in it."""
    role = _role_in(request)
    if role is None:
        return _not_a_role()
    return _set(request, course, _of_course(course, number), role)


@require_POST
@for_owners
@password_first(_page_shown)
def remove(request: HttpRequest, course: Course, number: int) -> HttpResponse:
    """Take the role in the course from an account."""
    return _set(request, course, _of_course(course, number), None)


def _role_in(request: HttpRequest) -> CourseStaff.Role | None:
    asked = request.POST.get("role", "")
    return Role(asked) if asked in Role.values else None


def _not_a_role() -> HttpResponse:
    words = f"role: must be one of {', '.join(Role.values)}"
    return HttpResponseBadRequest(words, content_type="text/plain")


def _of_course(course: Course, number: int) -> User:
    return get_object_or_404(User, pk=number, course_roles__course=course)


def _set(
    request: HttpRequest, course: Course, user: User, role: CourseStaff.Role | None
) -> HttpResponse:
    by = editor_of(request)
    try:
        done = set_role(course, user=user, role=role, by=by)
        messages.success(request, done if role is None or user.is_instructor else f"{done} {HINT}")
    except AccountError as refused:
        messages.error(request, f"{refused}. Nothing was changed.")
    left = role_in(course, by)  # an owner may give the role away
    if left is None:
        return redirect("teaching:index")
    return redirect(address_in(course, "staff" if left.may_manage else "course"))
