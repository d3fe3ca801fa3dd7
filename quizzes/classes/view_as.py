"""Look at a course as one of its students does: reading only, said on every page, logged.

An instructor of a class may see the pages of its course, and of the class, as a student of it sees
them. While that lasts nothing is posted anywhere: what is sent is refused, so no answer and no
draft can be written in somebody's name. It ends by its button, by signing out, with the session,
and at once when either of the two leaves the class. The account stays that of the instructor, so
nothing opens that is closed to them, and the student's own pages (data, account, review) stay shut.
What other classes give the student to do is not shown, but what they hide stays hidden. Messages
has what was written to the student in this class: `message_views` sees to that.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from quizzes.classes.access import role_in_class
from quizzes.classes.log import record_for_class
from quizzes.classes.models import Membership
from quizzes.courses.addresses import course_address
from quizzes.learners.identity import show_as
from quizzes.learners.models import Learner, User
from quizzes.request_values import RequestValue

VIEWED_AS: RequestValue[Membership] = RequestValue("viewed_as")
KEY = "view_as"  # in the session: the key of the membership
SAFE = {"GET", "HEAD", "OPTIONS"}
ENDS = ("/teach/view-as/end/", "/accounts/logout/")
State, Role = Membership.State, Membership.Role


class ViewAsError(Exception):
    """This member's pages cannot be shown; the message says why."""


def begin(request: HttpRequest, *, member: Membership, by: User) -> None:
    """Show the pages of a student from now on. Raises ViewAsError."""
    if member.role != Role.STUDENT or member.state != State.ACTIVE or member.user is None:
        raise ViewAsError("you can view the site only as a student who is in the class")
    if member.user.is_superuser or member.user_id == by.pk:
        raise ViewAsError("you cannot view the site as yourself or as a superuser")
    record_for_class(member.cohort, by, "viewed as", [member.as_subject()])
    request.session[KEY] = member.pk


def end(request: HttpRequest) -> Membership | None:
    """Show one's own pages again; return whose were shown."""
    number = request.session.pop(KEY, None)
    return Membership.objects.filter(pk=number).select_related("cohort").first() if number else None


def viewed_member(request: HttpRequest) -> Membership | None:
    """Return the member whose pages this session shows, while both are in the class."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or KEY not in request.session:
        return None
    rows = Membership.objects.filter(pk=request.session[KEY], role=Role.STUDENT, state=State.ACTIVE)
    member = rows.select_related("cohort__course", "user").first()
    user = request.user
    may = member is not None and isinstance(user, User)
    role = role_in_class(member.cohort, user) if member and isinstance(user, User) else None
    if not may or role is None or not role.may_manage:
        del request.session[KEY]
        return None
    return member


class ViewAsMiddleware:
    """Show pages as the student whose pages are viewed; refuse everything that is sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        member = viewed_member(request)
        if member is None:
            return self.get_response(request)
        VIEWED_AS.set(request, member)
        if request.method not in SAFE and request.path_info not in ENDS:
            return render(request, "classes/only_reading.html", {"member": member}, status=403)
        if _is_shown(request.path_info, member):
            learner = Learner.objects.filter(user=member.user_id).first()
            if learner is not None:
                cohort = member.cohort
                show_as(request, learner, course=cohort.course_id, cohort=cohort.pk)
        response = self.get_response(request)
        response["Cache-Control"] = "no-store"  # the next look may be one's own
        return response


def _is_shown(path: str, member: Membership) -> bool:
    cohort = member.cohort
    own_class = reverse("classes:class", args=[cohort.slug])
    return path.startswith((course_address(cohort.course.slug), own_class))
