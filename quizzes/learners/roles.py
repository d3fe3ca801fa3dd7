"""Who may see what: instructors, who are members of a group or superusers; superusers alone."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from quizzes.learners.models import User

View = Callable[..., HttpResponse]


def instructors_only(view: View) -> View:
    """Ask visitors to sign in, and refuse accounts that do not teach."""
    return _only(view, lambda user: user.is_instructor, "this page is for instructors")


def superusers_only(view: View) -> View:
    """Ask visitors to sign in, and refuse accounts that do not run the site."""
    return _only(view, lambda user: user.is_superuser, "this page is for superusers")


def _only(view: View, may: Callable[[User], bool], refusal: str) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not isinstance(request.user, User) or not may(request.user):
            raise PermissionDenied(refusal)
        return view(request, *args, **kwargs)

    return guarded
