"""Ask for the password again, before actions that an open session alone must not do.

An account that has no password gives a code of its second factor, or goes back to its provider.
Where it has neither, the action is refused with a sentence.
"""

import time
from collections.abc import Callable
from functools import wraps

from allauth.core.exceptions import ReauthenticationRequired
from allauth.socialaccount.models import SocialApp
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from quizzes.learners.allauth_internals import get_authentication_records, record_authentication
from quizzes.learners.models import User
from quizzes.learners.second_factor import code_first, provider_first, set_up_first
from quizzes.learners.sessions.own_sessions import keep_listed
from quizzes.learners.sign_on.refusals import end_waiting

View = Callable[..., HttpResponse]
SAFE = {"GET", "HEAD", "OPTIONS"}
UNDONE = "page_of_what_was_not_done"
AGAIN = (
    "Nothing has been changed yet because you had to confirm first that it is you. To make the "
    "change, submit the form again."
)


class AccountGuardMiddleware:
    """Guard what an open session alone must not do.

    The session stands in the list of its account, a second factor is there where one is needed, and
    pages that ask for a code or the password again get it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        keep_listed(request)
        return set_up_first(request) or self._get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        """Ask for a code, or for the provider's second factor, where the page needs one."""
        return provider_first(request) or code_first(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Lead to the page for the password, and keep nothing of a post that was refused.

        A sign-in whose provider was removed meanwhile ends with a page.

        allauth keeps the post in the session, without an end, and sends it when the password is
        typed for anything at all. An intruder at an open session could post, leave, and let the
        owner's own password confirm it days later. So the owner is led back, and posts again.
        """
        if isinstance(error, SocialApp.DoesNotExist):
            return end_waiting(request)
        if not isinstance(error, ReauthenticationRequired):
            return None
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return ask_password(request, page=request.get_full_path())


def ask_password(request: HttpRequest, *, page: str) -> HttpResponse:
    """Lead to the page for the password, and from there to `page`, which must answer a GET."""
    if request.method not in SAFE:
        request.session[UNDONE] = page
    return redirect(f"{reverse('account_reauthenticate')}?{urlencode({'next': page})}")


def must_type_password(request: HttpRequest) -> bool:
    """Return whether nobody confirmed in the last minutes that the account is theirs.

    By its password, a code of its second factor, or its provider. allauth asks nothing of an
    account without a password and without a second factor; here it needs its provider.
    """
    if not isinstance(request.user, User):
        return True
    records = get_authentication_records(request, request.user)
    since = time.time() - settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    return not any(record.get("reauthenticated") and record["at"] > since for record in records)


def note_confirmation(request: HttpRequest, user: User, *, method: str) -> None:
    """Let the session do for some minutes what an open session alone must not do."""
    record_authentication(request, user, method, reauthenticated=True)


def lead_on(request: HttpRequest, *, page: str) -> HttpResponse:
    """Lead to the page that asked, after a confirmation; say that a post was not carried out."""
    undone = request.session.pop(UNDONE, None)
    if undone and undone == page:
        messages.warning(request, AGAIN)
    return HttpResponseRedirect(page)  # `redirect` takes a word for the name of a view


def password_first(page: Callable[[HttpRequest], str]) -> Callable[[View], View]:
    """Let a view for posted forms run only if the password was typed in the last minutes.

    `page` gives the address of the form.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def asking(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if must_type_password(request):
                return ask_password(request, page=page(request))
            return view(request, *args, **kwargs)

        return asking

    return decorate
