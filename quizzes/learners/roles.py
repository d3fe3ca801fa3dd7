"""Who may teach: members of the group of instructors, and superusers."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from quizzes.learners.models import User

View = Callable[..., HttpResponse]


def instructors_only(view: View) -> View:
    """Ask visitors to sign in, and refuse accounts that do not teach."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not isinstance(request.user, User) or not request.user.is_instructor:
            raise PermissionDenied("this page is for instructors")
        return view(request, *args, **kwargs)

    return guarded
