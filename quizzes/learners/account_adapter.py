"""What accounts do here otherwise than django-allauth does by itself."""

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.reauthentication import reauthenticate_by_password
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from quizzes.learners.models import User

log = logging.getLogger(__name__)

CONFIRM_SENT = "account/messages/email_confirmation_sent.txt"
UNCONFIRMED = (
    "No e-mail address of your account is confirmed, so a forgotten password could not be set"
    " anew. The menu under your name has “E-mail address”: send yourself a confirmation there."
)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Signing in counts as giving the password; mail that cannot be sent undoes nothing."""

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Note that the password was given just now.

        allauth counts only its page that asks again, and would ask a person who signed in a
        moment ago. All ways to sign in here give a password: the form itself, or signing up.
        """
        response: HttpResponse = super().post_login(request, user, **kwargs)
        reauthenticate_by_password(request)
        if not kwargs["signup"] and user.email and not _has_confirmed(user):
            messages.info(request, UNCONFIRMED)
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send it, or say that it could not be: what was asked for has happened by now.

        An error page would hide that the account was made or the password changed. Callers to
        whom the message is all there is find the error as `mail_failed` of the request.
        """
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException) as error:
            log.exception("mail was not sent: %s", template_prefix)
            self.request.mail_failed = error
            messages.warning(self.request, "We could not send a message to that address now.")

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """Say what happened, but not that a message was sent when it was not."""
        if message_template == CONFIRM_SENT and getattr(request, "mail_failed", None):
            return
        super().add_message(request, level, message_template, *args, **kwargs)


def _has_confirmed(user: User) -> bool:
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())
