"""Which identities an account has with the providers of this site."""

from collections.abc import Iterable
from functools import reduce
from operator import or_

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db.models import Q, QuerySet

from quizzes.learners.models import User
from quizzes.learners.sign_on.providers import OidcProvider


def providers() -> tuple[OidcProvider, ...]:
    """Return the providers of this site, in the order of the settings."""
    return tuple(settings.OIDC_PROVIDERS)


def provider_of(name: str) -> OidcProvider | None:
    """Return the provider with this id, None where the settings have none."""
    return next((provider for provider in providers() if provider.id == name), None)


def identities_of(user: User) -> QuerySet[SocialAccount]:
    """Return the identities that open this account: those of providers that the site has.

    An identity of the issuer that a provider had before opens nothing.
    """
    rows: QuerySet[SocialAccount] = SocialAccount.objects.filter(user=user)
    return rows.filter(_opening()).order_by("pk")


def _opening() -> Q:
    issuers = {provider.id: provider.issuers for provider in providers()}
    rows = (Q(provider=name, extra_data__iss__in=names) for name, names in issuers.items())
    return reduce(or_, rows, Q(pk__in=[]))


def connected_providers(user: User) -> list[OidcProvider]:
    """Return the providers with which this account can sign in; without providers no query."""
    if not providers():
        return []
    names = set(identities_of(user).values_list("provider", flat=True))
    return [provider for provider in providers() if provider.id in names]


def providers_with_second_factor(user: User) -> list[OidcProvider]:
    """Return the providers that gave a second factor when this account last signed in by them.

    The value that said so is stored with the identity, and must still stand in the settings.
    """
    values = {provider.id: provider.second_factor for provider in providers()}
    if not any(values.values()):
        return []
    rows = identities_of(user).values_list("provider", "extra_data")
    names = {name for name, facts in rows if facts.get("second_factor") in values[name]}
    return [provider for provider in providers() if provider.id in names]


def has_second_factor_there(user: User) -> bool:
    """Return whether a provider gave a second factor when this account last signed in by it."""
    return bool(providers_with_second_factor(user))


def disconnect(user: User, *, provider: str) -> int:
    """Take the identities of a provider from an account, for an operator; return their number."""
    rows = SocialAccount.objects.filter(user=user, provider=provider)
    return int(rows.delete()[0])


def logins_of(users: QuerySet[User]) -> dict[int, str]:
    """Return, by account, the login that the provider of trusted logins last gave, if any."""
    names = [provider.id for provider in providers() if provider.login_claim]
    return {user: login for user, data in _facts(users, names) if (login := data.get("login"))}


def addresses_of(users: QuerySet[User]) -> list[tuple[int, str]]:
    """Return accounts with the addresses that providers of trusted addresses last gave for them.

    Whether the provider had confirmed one is not stored: an address here proves nothing.
    """
    names = [provider.id for provider in providers() if provider.trust_email]
    return [
        (user, address) for user, data in _facts(users, names) if (address := data.get("email"))
    ]


def _facts(users: QuerySet[User], names: list[str]) -> Iterable[tuple[int, dict[str, str]]]:
    """Return what is stored with the identities of accounts at providers; no query without any."""
    if not names:
        return []
    rows = SocialAccount.objects.filter(provider__in=names, user__in=users)
    return list(rows.order_by("pk").values_list("user_id", "extra_data"))


def is_held_address(address: str) -> bool:
    """Return whether an account here has confirmed this address."""
    return holder_of(address) is not None


def holder_of(address: str) -> User | None:
    """Return the account that has confirmed this address."""
    rows = EmailAddress.objects.filter(email=address.lower(), verified=True)
    row = rows.select_related("user").first()
    return row.user if row else None
