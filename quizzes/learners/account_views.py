"""The page of an account's e-mail addresses."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.manage_email import sync_user_email_address
from allauth.account.models import EmailAddress
from allauth.account.views import EmailView
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase

from quizzes.learners.models import User


class EmailPage(EmailView):  # type: ignore[misc]  # allauth has no types
    """Add, remove and choose addresses; only a confirmed one becomes the main one.

    allauth lets an account without any confirmed address choose an unconfirmed one. And where an
    account has no main address in its table (it was made by `createsuperuser`), the first
    confirmed one would become it without a word to the old one.
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


email = EmailPage.as_view()
