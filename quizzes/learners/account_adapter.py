"""Behaviour of accounts that differs from django-allauth's own."""

import logging
import time
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse

from quizzes.learners.allauth_internals import (
    clear_login,
    filter_users_by_email,
    get_authentication_records,
    get_user_by_username,
    reauthenticate_by_password,
)
from quizzes.learners.identity import current_learner
from quizzes.learners.models import User
from quizzes.learners.password_again import must_type_password, note_confirmation
from quizzes.learners.second_factor import CodeStage, gave_a_code, note_provider
from quizzes.learners.sign_on.adapter import proofs_of
from quizzes.learners.sign_on.id_token import has_just_signed_in
from quizzes.learners.sign_on.identities import connected_providers
from quizzes.learners.sign_up import is_sign_up_open, take_kept_places
from quizzes.learners.user_names import check_new_name, name_kept_free
from quizzes.limits.limits import NEWCOMER_ROWS, ROWS
from quizzes.request_values import RequestValue

log = logging.getLogger(__name__)

MAIL_FAILED: RequestValue[Exception] = RequestValue("mail_failed")  # why a message was not sent
ALLAUTH_CODE_STAGE = "allauth.mfa.stages.AuthenticateStage"
SIGNED_OUT = "account/messages/logged_out.txt"
STILL_THERE = "If others use this device, sign out at your university or organization too."
CONFIRM_SENT = "account/messages/email_confirmation_sent.txt"
UNCONFIRMED = (
    "Your account has no confirmed e-mail address, so you could not reset a forgotten "
    "password. Open “E-mail address” in the menu under your name and send yourself a confirmation."
)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Signing in counts as typing the password; a failure to send mail undoes no change."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Refuse a name that is kept for the site or looks like another's."""
        name = str(super().clean_username(username, shallow))
        check_new_name(name)
        return name

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Store a new account, unless a name that looks the same was taken since the form's check.

        The password is hashed before the transaction: others do not wait for that. Raises
        LimitReachedError where no more newcomers may begin; a visitor with work is none, and what a
        form refuses takes nothing from others.
        """
        if current_learner(request) is None:  # a cookie is worth one account, which adopts its work
            ROWS.spend(request, NEWCOMER_ROWS)
        made: User = super().save_user(request, user, form, commit=False)
        if commit:
            try:
                with name_kept_free(made.username):
                    made.save()
            except ValidationError as refused:
                messages.error(request, refused.message)
                page = "socialaccount_signup" if hasattr(form, "sociallogin") else "account_signup"
                raise ImmediateHttpResponse(redirect(page)) from None
        return made

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Name an address once: the backend looks for a user name among addresses too.

        The form names it as both. The password of an account would be hashed once more than that of
        an address without an account, and the time would tell which addresses have accounts.
        """
        if credentials.get("email") == credentials.get("username"):
            credentials.pop("email", None)
        user: User | None = super().authenticate(request, **credentials)
        return user

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Take people who teach to their own start page, unless they came from another page."""
        teaches = isinstance(request.user, User) and request.user.finds_teaching
        return (
            reverse("teaching:index") if teaches else str(super().get_login_redirect_url(request))
        )

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return is_sign_up_open(request, page=get_next_redirect_url(request) or "")

    def get_login_stages(self) -> list[str]:
        """Ask for a code unless a provider asked for a second factor."""
        stages: list[str] = super().get_login_stages()
        ours = f"{CodeStage.__module__}.{CodeStage.__name__}"
        return [ours if stage == ALLAUTH_CODE_STAGE else stage for stage in stages]

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:  # noqa: ARG002
        """Ask every account to confirm, also one without a password: see `password_again`.

        allauth would go on to its own rule, by which such an account need not confirm anything.
        """
        if must_type_password(self.request):
            raise ReauthenticationRequired
        return False

    def get_reauthentication_methods(self, user: User) -> list[dict[str, str]]:
        """Offer the page that leads to a provider to accounts that have one."""
        methods: list[dict[str, str]] = super().get_reauthentication_methods(user)
        page = reverse("account_reauthenticate")
        if isinstance(user, User) and connected_providers(user):
            others = [method for method in methods if method["url"] != page]
            return [{"id": "provider", "description": "Use your provider", "url": page}, *others]
        return methods

    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse | None:
        """Refuse demo logins in production: their passwords were shown on a terminal.

        Note what a provider says of a second factor, before a code is asked for.
        """
        if settings.PRODUCTION and user.is_demo:
            clear_login(request)
            log.warning("the demo login %s was refused", user.username)
            return self.respond_user_inactive(request, user)  # type: ignore[no-any-return]
        if (sign_in := _by_provider(kwargs)) is not None:
            has_factor = sign_in.state.get("second_factor") is True
            note_provider(request, user, second_factor=has_factor)
        response: HttpResponse | None = super().pre_login(request, user, **kwargs)
        return response

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Note that the password was typed just now, or a code, or that a provider asked for more.

        allauth counts only its page that asks again, and would ask a person who signed in a moment
        ago. A provider counts only if it says that the person signed in there just now.

        A sign-in by a provider ends with the browser, as one with a password does where nobody
        ticks "Stay signed in": its button stands on computers that many people use.

        Then classes give the account the places that they keep for it.
        """
        response: HttpResponseRedirect = super().post_login(request, user, **kwargs)
        sign_in = _by_provider(kwargs)
        if sign_in is not None:
            request.session.set_expiry(0)
        if sign_in is None:
            reauthenticate_by_password(request)
        elif _is_confirmation(sign_in.state) or gave_a_code(request, user):
            note_confirmation(request, user, method="provider")
        if not kwargs["signup"] and user.email and not _has_confirmed(user):
            messages.info(request, UNCONFIRMED)
        page = take_kept_places(request, user, response.url, **proofs_of(sign_in))
        return response if page == response.url else HttpResponseRedirect(page)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send the message, or say that it could not be sent: the change itself has been made.

        An error page would hide that the account was made or the password changed. Callers that
        only send a message find the error in MAIL_FAILED.
        """
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException) as error:
            log.exception("mail was not sent: %s", template_prefix)
            MAIL_FAILED.set(self.request, error)
            messages.warning(self.request, "We could not send a message to that address just now.")

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """Report the change, but do not claim that a message was sent if it was not.

        Who came by a provider is signed in there still: the next person at a shared device would
        come in with one press of the button.
        """
        if message_template == CONFIRM_SENT and MAIL_FAILED.is_set(request):
            return
        super().add_message(request, level, message_template, *args, **kwargs)
        if message_template == SIGNED_OUT and isinstance(request.user, User):
            records = get_authentication_records(request, request.user)
            if any(record["method"] == "provider" for record in records):
                messages.info(request, STILL_THERE)


def _by_provider(kwargs: dict[str, Any]) -> Any:
    """Return the sign-in by a provider of which allauth tells an adapter, None for others."""
    return (kwargs.get("signal_kwargs") or {}).get("sociallogin")


def _is_confirmation(state: dict[str, Any]) -> bool:
    """Return whether the person of a sign-in by a provider signed in there just now."""
    signed_in_at, began_at = state.get("signed_in_at"), state["began_at"]
    return has_just_signed_in(signed_in_at, began_at=began_at, now=time.time())


def _has_confirmed(user: User) -> bool:
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())


def counted_name(_request: HttpRequest, credentials: dict[str, Any] | None) -> str | None:
    """Return the user name of the account, in whatever form it was typed, in small letters.

    `ada`, `ADA` and each of her e-mail addresses open one account, so wrong passwords for them
    are counted together; otherwise each spelling would have tries of its own.
    """
    # Two spellings of a name without an account must count together exactly when they would with
    # one. If they did not, four wrong passwords for each of two spellings would tell by a lockout
    # whether there is an account. The sign-in takes two spellings for one name when `lower` makes
    # them equal, so `lower` decides here too. `casefold` or a normal form would count more
    # spellings together for unknown names than for known ones: `strasse` and `straße`, say.
    given = credentials or {}
    typed = given.get("username") or given.get("email")
    if not typed:
        return None
    user = get_user_by_username(typed)
    if user is None:
        found = filter_users_by_email(typed, prefer_verified=True, for_login=True)
        user = found[0] if len(found) == 1 else None
    return str(user.get_username() if user else typed).lower()


# django-allauth tells the main address of a changed password, and the old main address of a new
# one. It says nothing of an address that is added, and tells of a removed address the one that is
# left. An intruder adds an address, makes it the main one and removes the owner's: the owner must
# hear of the first step and of the last.
def tell_of_added(user: User, email_address: EmailAddress, **_: Any) -> None:
    """Tell the account's main address that another address was added."""
    told = {"added_email": email_address.email}
    get_adapter().send_notification_mail("account/email/email_added", user, told)


def tell_of_removed(user: User, email_address: EmailAddress, **_: Any) -> None:
    """Tell a removed address itself; allauth tells the main one.

    An address that was never confirmed may be a stranger's and hears nothing, unless it was the
    main one: then it has had all other messages as well.
    """
    if email_address.verified or email_address.primary:
        told = {"deleted_email": email_address.email}
        adapter = get_adapter()
        adapter.send_notification_mail(
            "account/email/email_deleted", user, told, email=email_address.email
        )
