"""allauth's provider of OpenID Connect, with claims that were verified here.

allauth finds it by `SOCIALACCOUNT_PROVIDERS`. Its own views are not routed: `views.py` is.
"""

from collections.abc import Mapping
from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.providers.oauth2.client import OAuth2Client
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from quizzes.learners.sign_on.client import Json, known_configuration
from quizzes.learners.sign_on.identities import provider_of
from quizzes.learners.sign_on.providers import OidcProvider

MOST_NAME = 150  # characters, of an account's names
MOST_ADDRESS = 254
MOST_LOGIN = 100  # characters, as on rosters
NAME_CLAIMS = {
    "username": "preferred_username",
    "first_name": "given_name",
    "last_name": "family_name",
    "name": "name",
}


class QueryKeepingClient(OAuth2Client):  # type: ignore[misc]  # allauth has no types
    """Keeps the query of an authorization endpoint, such as a policy of Azure B2C."""

    def get_redirect_url(self, authorization_url: str, scope: Any, extra_params: Any) -> str:
        """Return the endpoint with the parameters added (RFC 6749, 3.1)."""
        query = str(super().get_redirect_url("", scope, extra_params)).removeprefix("?")
        return f"{authorization_url}{'&' if '?' in authorization_url else '?'}{query}"


class ConfiguredAdapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # allauth has no types
    """Reads the provider's configuration with our bounds and checks, once a request."""

    client_class = QueryKeepingClient

    @property
    def openid_config(self) -> Json:
        """The configuration; raises SignOnError."""
        if not hasattr(self, "_openid_config"):
            provider = provider_of(self.provider_id)
            assert provider is not None
            self._openid_config = known_configuration(provider)
        return self._openid_config


class VerifiedProvider(OpenIDConnectProvider):  # type: ignore[misc]  # allauth has no types
    """Makes an identity of verified claims, and keeps of them names, address and login."""

    oauth2_adapter_class = ConfiguredAdapter

    @property
    def configured(self) -> OidcProvider:
        """What the settings say of it."""
        provider = provider_of(self.app.provider_id)
        assert provider is not None
        return provider

    def serialize(self) -> dict[str, Any]:
        """Name the provider by its id: two may have the same client."""
        return {"id": self.app.provider_id, "app.client_id": self.app.client_id}

    def extract_uid(self, data: Mapping[str, Any]) -> str:
        return str(data["sub"])

    def extract_extra_data(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Keep the issuer (`views.py`), the address, and the login where the settings trust it."""
        claim = self.configured.login_claim
        login = {"login": login_in(data, claim)} if claim else {}
        return {"iss": data["iss"], "email": address_in(data)} | login

    def extract_common_fields(self, data: Mapping[str, Any]) -> dict[str, Any]:
        names = {field: _printable(data.get(claim)) for field, claim in NAME_CLAIMS.items()}
        return names | {"email": address_in(data)}

    def extract_email_addresses(self, data: Mapping[str, Any]) -> list[EmailAddress]:
        """Return the address, confirmed only where its provider is trusted and confirms it.

        Some providers write the truth as a text.
        """
        address = address_in(data)
        if not address:
            return []
        word = data.get("email_verified")
        is_verified = word is True or word == "true"
        is_confirmed = self.configured.trust_email and is_verified
        return [EmailAddress(email=address, verified=is_confirmed, primary=True)]


def address_in(claims: Mapping[str, Any]) -> str:
    """Return the e-mail address of claims in small letters, "" without a valid one.

    Django's check takes U+212A for a "k", and so does `lower`: it would be another person's.
    """
    address = claims.get("email")
    if not isinstance(address, str) or len(address) > MOST_ADDRESS:
        return ""
    if not (address.isascii() and address.isprintable()):
        return ""
    try:
        validate_email(address)
    except ValidationError:
        return ""
    return address.lower()


def login_in(claims: Mapping[str, Any], claim: str) -> str:
    """Return the login of claims as it is, "" without one that a roster could have."""
    login = claims.get(claim) if claim else None
    is_login = isinstance(login, str) and len(login) <= MOST_LOGIN and login.isprintable()
    return str(login) if is_login and str(login).strip() else ""


def _printable(value: object) -> str:
    text = value if isinstance(value, str) else ""
    return "".join(char for char in text if char.isprintable())[:MOST_NAME].strip()
