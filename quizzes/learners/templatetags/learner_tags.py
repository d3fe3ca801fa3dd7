"""Template tags about the visitor."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django import template
from django.conf import settings

from quizzes.learners.identity import LEARNER
from quizzes.learners.review import due_count_of
from quizzes.learners.second_factor import notice_for
from quizzes.learners.sessions import browser_names
from quizzes.learners.sign_on.identities import providers
from quizzes.learners.sign_on.providers import OidcProvider

register = template.Library()
register.filter(browser_names.browser_name)


@register.simple_tag(takes_context=True)
def second_factor_notice(context: dict[str, Any]) -> datetime | None:
    """Return from when on this account must have a second factor, if it has none yet."""
    return notice_for(context.get("request"))


@register.simple_tag(takes_context=True)
def address_to_confirm(context: dict[str, Any]) -> str:
    """Return the newest unconfirmed address of the account that is signed in, "" without one.

    Nobody else is shown an address: where nobody is signed in, the page must be the same for an
    address that has an account and one that has none.
    """
    user = context["user"]
    if not user.is_authenticated:
        return ""
    rows = EmailAddress.objects.filter(user=user, verified=False).order_by("-pk")
    return str(rows.values_list("email", flat=True).first() or "")


@register.simple_tag
def sign_on_providers() -> tuple[OidcProvider, ...]:
    """Return the providers with which people sign in."""
    return providers()


@register.simple_tag
def has_local_passwords() -> bool:
    """Return whether new accounts may have a password of this site."""
    return bool(settings.LOCAL_PASSWORDS)


@register.simple_tag
def sign_up_rule() -> str:
    """Return who may make an account: open, invited or closed."""
    return str(settings.SIGNUP)


@register.simple_tag(takes_context=True)
def due_reviews(context: dict[str, Any]) -> int | None:
    """Count the reviews due for this visitor; None, without a query, for a newcomer.

    Error pages are drawn without a request, or without a database: then None too.
    """
    request = context.get("request")
    if request is None or context.get("accountless") or not LEARNER.get(request):
        return None
    return due_count_of(request)
