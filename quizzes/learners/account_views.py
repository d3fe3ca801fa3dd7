"""Pages of accounts that differ from django-allauth's.

Addresses, passwords, the password again, where an account is signed in.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import (
    EmailView,
    PasswordResetView,
    PasswordSetView,
    ReauthenticateView,
    SignupView,
)
from allauth.usersessions.views import ListUserSessionsView
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from quizzes.learners.account_adapter import MAIL_FAILED
from quizzes.learners.allauth_internals import STATE_SESSION_KEY, sync_user_email_address
from quizzes.learners.models import User
from quizzes.learners.password_again import AGAIN, UNDONE, ask_password, must_type_password
from quizzes.learners.second_factor import has_second_factor
from quizzes.learners.sessions.own_sessions import open_sessions
from quizzes.learners.sign_on.identities import connected_providers


class EmailPage(EmailView):  # type: ignore[misc]  # allauth has no types
    """Add, remove and choose addresses; only a confirmed one becomes the main one.

    allauth lets an account without any confirmed address choose an unconfirmed one. And if an
    account has no main address in its table (it was made by `createsuperuser`), the first confirmed
    address would become the main one without a message to the old address.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.user, User):
            _keep_main_address(request.user)
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer

    def _action_primary(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        address = self._get_email_address(request)
        if address and not address.verified:
            template = "account/messages/unverified_primary_email.txt"
            told = {"email": address.email}
            get_adapter().add_message(request, messages.ERROR, template, told)
            return None
        return super()._action_primary(request, *args, **kwargs)


def _keep_main_address(user: User) -> None:
    sync_user_email_address(user)
    rows = EmailAddress.objects.filter(user=user)
    if not rows.filter(primary=True).exists():
        rows.filter(email=user.email.lower()).update(primary=True)


class PasswordAgainPage(ReauthenticateView):  # type: ignore[misc]  # allauth has no types
    """Ask for the password, and lead on with a GET: no post is repeated on the owner's behalf.

    An account with a provider may go there instead. One that has no way to confirm is refused.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        if isinstance(user, User) and not get_adapter().get_reauthentication_methods(user):
            return render(request, "account/cannot_confirm.html", status=403)
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer

    def form_valid(self, form: Any) -> HttpResponse:
        """Forget a post that an earlier release kept, and say that it was not carried out."""
        self.request.session.pop(STATE_SESSION_KEY, None)
        undone = self.request.session.pop(UNDONE, None)
        if undone and undone == get_next_redirect_url(self.request):
            messages.warning(self.request, AGAIN)
        answer: HttpResponse = super().form_valid(form)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        user = self.request.user
        assert isinstance(user, User)
        return context | {
            "has_password": user.has_usable_password(),
            "providers": connected_providers(user),
            "has_code": has_second_factor(user),
            "onward": get_next_redirect_url(self.request) or "",
        }


class PasswordSetPage(PasswordSetView):  # type: ignore[misc]  # allauth has no types
    """Give an account its first password: a new way in, so its owner confirms first."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        if isinstance(user, User):
            if user.signs_in_elsewhere:
                context = {"providers": connected_providers(user)}
                return render(request, "account/password_elsewhere.html", context, status=403)
            if not user.has_usable_password() and must_type_password(request):
                return ask_password(request, page=request.path)
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer


class SignUpPage(SignupView):  # type: ignore[misc]  # allauth has no types
    """Make an account with a password, where the site has passwords."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.LOCAL_PASSWORDS:
            return redirect(request.get_full_path())
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer


class PasswordResetPage(PasswordResetView):  # type: ignore[misc]  # allauth has no types
    """Ask for an address, and say that a message was sent only if it was.

    A message goes to every address that is typed, so this tells nobody which of them has an
    account.
    """

    def get_success_url(self) -> str:
        if MAIL_FAILED.is_set(self.request):
            return reverse("account_reset_password")
        return str(super().get_success_url())


class SessionsPage(ListUserSessionsView):  # type: ignore[misc]  # allauth has no types
    """Show where an account is signed in, and sign out everywhere else."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        # Past the parent's, whose look at the list may sign others out (`list_session`).
        context: dict[str, Any] = super(ListUserSessionsView, self).get_context_data(**kwargs)
        user = self.request.user
        assert isinstance(user, User)
        sessions = open_sessions(user)
        return context | {"sessions": sessions, "session_count": len(sessions)}


email = EmailPage.as_view()
password_again = PasswordAgainPage.as_view()
password_set = PasswordSetPage.as_view()
sign_up = SignUpPage.as_view()
password_reset = PasswordResetPage.as_view()
sessions = SessionsPage.as_view()
