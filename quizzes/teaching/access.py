"""Access to instructors' pages, and the writer and revision of a form."""

from collections.abc import Callable
from functools import wraps

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme

from quizzes.learners.instructors import instructors_only
from quizzes.learners.models import User

View = Callable[..., HttpResponse]
TOKEN = "csrfmiddlewaretoken"  # noqa: S105 -- the name of a field


def writers_only(view: View) -> View:
    """Let instructors in, and give back the typed text of a form whose session ended meanwhile."""
    for_instructors = instructors_only(view)

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method == "POST" and not request.user.is_authenticated:
            return _typed(request)
        return for_instructors(request, *args, **kwargs)

    return guarded


def _typed(request: HttpRequest) -> HttpResponse:
    """Answer 403 with the typed text to copy: a redirect to the sign-in page would lose it."""
    typed = [
        (name, value)
        for name, value in request.POST.items()
        if name not in {TOKEN, "do", "revision"} and str(value).strip()
    ]
    return render(request, "teaching/signed_out.html", {"typed": typed}, status=403)


def editor_of(request: HttpRequest) -> User:
    """Return the account of the instructor."""
    if not isinstance(request.user, User):
        raise PermissionDenied("no account")
    return request.user


def back_or(request: HttpRequest, name: str, *args: object) -> HttpResponseRedirect:
    """Redirect to the page that the form names, if it is on this site; else to a named address."""
    back = request.POST.get("back", "")
    if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        return HttpResponseRedirect(back)
    return redirect(name, *args)


def revision_in(request: HttpRequest) -> int:
    """Return the revision of the form; -1, which no content has, if the form names none."""
    text = request.POST.get("revision", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
