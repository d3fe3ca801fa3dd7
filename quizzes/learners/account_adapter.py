"""Behaviour of accounts that differs from django-allauth's own."""

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from quizzes.learners.allauth_internals import (
    clear_login,
    filter_users_by_email,
    get_user_by_username,
    reauthenticate_by_password,
)
from quizzes.learners.identity import current_learner
from quizzes.learners.models import User
from quizzes.learners.user_names import check_new_name, name_kept_free
from quizzes.limits.limits import NEWCOMER_ROWS, ROWS
from quizzes.request_values import RequestValue

log = logging.getLogger(__name__)

MAIL_FAILED: RequestValue[Exception] = RequestValue("mail_failed")  # why a message was not sent
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
                raise ImmediateHttpResponse(redirect("account_signup")) from None
        return made

    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse | None:
        """Refuse demo logins in production: their passwords were shown on a terminal."""
        if settings.PRODUCTION and user.is_demo:
            clear_login(request)
            log.warning("the demo login %s was refused", user.username)
            return self.respond_user_inactive(request, user)  # type: ignore[no-any-return]
        response: HttpResponse | None = super().pre_login(request, user, **kwargs)
        return response

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Note that the password was typed just now.

        allauth counts only its page that asks again, and would ask a person who signed in a moment
        ago. All ways to sign in here need a password: the form itself, or signing up.
        """
        response: HttpResponse = super().post_login(request, user, **kwargs)
        reauthenticate_by_password(request)
        if not kwargs["signup"] and user.email and not _has_confirmed(user):
            messages.info(request, UNCONFIRMED)
        return response

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
        """Report the change, but do not claim that a message was sent if it was not."""
        if message_template == CONFIRM_SENT and MAIL_FAILED.is_set(request):
            return
        super().add_message(request, level, message_template, *args, **kwargs)


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
