"""Access to instructors' pages by role, and the writer and revision of a form."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from quizzes.classes.access import class_with_role
from quizzes.classes.models import Cohort, Membership
from quizzes.content_files.typed_text import read_whole_number
from quizzes.courses.current_course import COURSE
from quizzes.courses.models import Course, CourseStaff
from quizzes.courses.roles import Role, role_in
from quizzes.courses.sign_in_again import show_typed, typed_texts
from quizzes.learners.models import User
from quizzes.request_values import RequestValue

# The roles of the account in the course and in the class of the page, and that class.
ROLE: RequestValue[CourseStaff.Role] = RequestValue("role")
CLASS_ROLE: RequestValue[Membership.Role] = RequestValue("class_role")
COHORT: RequestValue[Cohort] = RequestValue("cohort")
View = Callable[..., HttpResponseBase]


def for_role(needed: CourseStaff.Role) -> Callable[[View], View]:
    """Let accounts in that have this role in the course of the address, or a higher one.

    The view gets the course. To an account without any role a course that exists and one that does
    not look alike, so that names do not leak. A form whose session ended meanwhile gets its typed
    text back.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(
            request: HttpRequest, course: str, *args: object, **kwargs: object
        ) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return ask_to_sign_in(request)
            found = Course.objects.filter(slug=course).first()
            role = role_in(found, request.user) if found else None
            if found is None or role is None:
                raise Http404(f"there is no course {course}")
            if not role.includes(needed):
                raise PermissionDenied(f"this page needs the role {needed} in the course")
            COURSE.set(request, found)
            ROLE.set(request, role)
            return view(request, found, *args, **kwargs)

        return guarded

    return decorate


for_viewers = for_role(Role.VIEWER)
for_editors = for_role(Role.EDITOR)
for_owners = for_role(Role.OWNER)


def for_class(*, managing: bool) -> Callable[[View], View]:
    """Let staff of the class of the address in; `managing`: its instructors alone.

    The view gets the class, and its times stand in the zone of the class. To everybody else a class
    that exists and one that does not look alike, to its students too.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(
            request: HttpRequest, cohort: str, *args: object, **kwargs: object
        ) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return ask_to_sign_in(request)
            found, role = class_with_role(cohort, request.user)
            if found is None or role is None or not role.teaches:
                raise Http404(f"there is no class {cohort}")
            if managing and not role.may_manage:
                raise PermissionDenied("this page is for instructors of the class")
            COURSE.set(request, found.course)
            COHORT.set(request, found)
            CLASS_ROLE.set(request, role)
            account = editor_of(request)
            account.finds_teaching = account.knows_classes = True  # the frame need not ask
            with timezone.override(found.zone):
                return view(request, found, *args, **kwargs)

        return guarded

    return decorate


for_class_staff = for_class(managing=False)
for_class_instructors = for_class(managing=True)


def editors_only(request: HttpRequest) -> None:
    """Raise PermissionDenied unless the account may write in the course of this page."""
    if not ROLE.of(request).may_edit:
        raise PermissionDenied("only editors of the course can change it")


def ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Ask a visitor to sign in; answer 403 with typed text to copy, which that would lose.

    A form that says whose page it is does not come here: see `courses/sign_in_again.py`.
    """
    if not typed_texts(dict(request.POST.lists())):
        return redirect_to_login(request.get_full_path())
    return show_typed(request)


def editor_of(request: HttpRequest) -> User:
    """Return the account of the instructor."""
    if not isinstance(request.user, User):
        raise PermissionDenied("no account")
    return request.user


def back_or(request: HttpRequest, address: str) -> HttpResponseRedirect:
    """Redirect to the page that the form names, if it is on this site; else to `address`."""
    back = request.POST.get("back", "")
    if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        return HttpResponseRedirect(back)
    return HttpResponseRedirect(address)


def revision_in(request: HttpRequest) -> int:
    """Return the revision of the form of an assignment; -1, which none has, if it names none."""
    number = read_whole_number(request.POST.get("revision", ""))
    return -1 if number is None else number
