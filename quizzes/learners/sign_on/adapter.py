"""What allauth asks of the site about identities: providers, new accounts, whom to let in."""

from functools import partial
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import render

from quizzes.learners.models import User
from quizzes.learners.name_likeness import likeness_of
from quizzes.learners.sign_on.identities import (
    connected_providers,
    holder_of,
    is_held_address,
    providers,
)
from quizzes.learners.sign_on.providers import OidcProvider
from quizzes.learners.sign_up import Proofs, is_sign_up_open
from quizzes.learners.user_names import KEPT_LIKENESSES, check_new_name

NAME_CHARACTERS = "+-._"  # besides letters and digits, of a user name that is suggested
MOST_TRIES = 20


class IdentityAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Providers come from the settings; an account is made by a form, never by itself."""

    def list_apps(
        self,
        request: HttpRequest | None,  # noqa: ARG002
        provider: str | None = None,
        client_id: str | None = None,
    ) -> list[SocialApp]:
        """Return the providers of the settings in allauth's words; the table stays empty."""
        apps = [_app_of(configured) for configured in providers()]
        if provider:
            apps = [app for app in apps if provider in {app.provider, app.provider_id}]
        return [app for app in apps if client_id in {None, app.client_id}]

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Refuse a second account for an address that an account here has confirmed.

        Its provider vouches that the address is this person's: telling them that they have an
        account tells nobody else.
        """
        if sociallogin.state.get("process") == "connect" or sociallogin.is_existing:
            return
        if is_held_address(confirmed_address(sociallogin)):
            raise ImmediateHttpResponse(already_here(request, sociallogin))

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        page = sociallogin.state.get("next") or ""
        return is_sign_up_open(request, page=page, **proofs_of(sociallogin))

    def get_signup_form_initial_data(self, sociallogin: Any) -> dict[str, Any]:
        """Suggest a free name in the form, and not at each sign-in: it takes up to 20 queries."""
        initial: dict[str, Any] = super().get_signup_form_initial_data(sociallogin)
        user = sociallogin.user
        return initial | {"username": suggested_name(user.username or user.email)}

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Send the message after the change is stored.

        A mail server that hangs would otherwise hold the lock of the database, and with it
        everybody who writes.
        """
        transaction.on_commit(partial(super().send_notification_mail, *args, **kwargs))

    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> User:
        """Store account, identity and addresses, or none of them."""
        with transaction.atomic():
            user: User = super().save_user(request, sociallogin, form)
        return user


def _app_of(provider: OidcProvider) -> SocialApp:
    return SocialApp(
        provider="openid_connect",
        provider_id=provider.id,
        name=provider.name,
        client_id=provider.client,
        secret=provider.secret,
        settings={"server_url": provider.discovery, "oauth_pkce_enabled": True},
    )


def confirmed_address(sociallogin: Any) -> str:
    """Return the address for which the provider vouches, "" without one."""
    confirmed = (address.email for address in sociallogin.email_addresses if address.verified)
    return next(confirmed, "")


def proofs_of(sociallogin: Any) -> Proofs:
    """Return by what a roster may know the person of a sign-in by a provider, {} for others."""
    if sociallogin is None:
        return {}
    address = confirmed_address(sociallogin)
    login = sociallogin.account.extra_data.get("login", "")  # only of a provider that is trusted
    return {"addresses": [address] if address else [], "login": login}


def already_here(request: HttpRequest, sociallogin: Any) -> Any:
    """Answer that an account here has the address, with the way to connect it.

    Where it is connected already, the provider has given its person a new subject. Nobody can
    tell that from an address that went to another person: an operator decides.
    """
    provider = sociallogin.provider.configured
    holder = holder_of(confirmed_address(sociallogin))
    context = {
        "provider": provider,
        "is_connected": holder is not None and provider in connected_providers(holder),
        "has_password": holder is not None and not holder.signs_in_elsewhere,
    }
    return render(request, "socialaccount/already_here.html", context, status=409)


def suggested_name(name: str) -> str:
    """Return a free user name like this one, "" where none comes to mind."""
    plain = "".join(
        char for char in name.partition("@")[0] if char.isalnum() or char in NAME_CHARACTERS
    )[:40]
    if not plain or likeness_of(plain) in KEPT_LIKENESSES:
        return ""
    candidates = (f"{plain}{number}" for number in ("", *range(2, MOST_TRIES)))
    return next(filter(_is_free, candidates), "")


def _is_free(name: str) -> bool:
    try:
        check_new_name(name)
    except ValidationError:
        return False
    return not User.objects.filter(username__iexact=name).exists()
