"""The providers of `OIDC_PROVIDERS`: read from the environment, checked at the start of the site.

Imported by the settings: no Django models here.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

WELL_KNOWN = "/.well-known/openid-configuration"
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
CLAIM = re.compile(r"[!-~]{1,100}")
MOST_CHARACTERS = {"id": 40, "name": 40, "client": 191, "secret": 191, "discovery": 500}
NO_LOGINS = {  # claims of the protocol, addresses (`trust_email`), and names that many people have
    *("iss", "aud", "azp", "exp", "iat", "nbf", "nonce", "amr", "acr", "auth_time"),
    *("email", "email_verified", "name", "nickname", "given_name", "family_name"),
}


@dataclass(frozen=True)
class OidcProvider:
    """An OpenID provider, as an operator wrote it down."""

    id: str  # in addresses, and in every identity: it never changes
    name: str  # on buttons
    discovery: str  # the address of its configuration
    client: str
    secret: str
    trust_email: bool = False  # its verified addresses count as confirmed
    second_factor: tuple[str, ...] = ()  # values of `amr` or `acr` that stand for one
    login_claim: str = ""  # names the logins of rosters; "": the provider's logins prove nothing

    def __repr__(self) -> str:
        return f"OidcProvider({self.id})"  # no secret in a traceback

    @property
    def issuer(self) -> str:
        """The issuer that the configuration must name."""
        return self.discovery.removesuffix(WELL_KNOWN)

    @property
    def issuers(self) -> tuple[str, str]:
        """Both spellings of the issuer, with which a configuration may name it."""
        return self.issuer, f"{self.issuer}/"


def read_providers(text: str) -> tuple[OidcProvider, ...]:
    """Return the providers of a JSON list of objects; raises ImproperlyConfigured.

    The message names the provider, the field, its value and what was expected; never a secret, nor
    the value of a field that is none: it may be a secret under a misspelled name.
    """
    if not text.strip():
        return ()
    try:
        entries = json.loads(text)
    except ValueError as error:
        raise ImproperlyConfigured(f"OIDC_PROVIDERS: expected a JSON list ({error})") from None
    if not isinstance(entries, list):
        raise ImproperlyConfigured(f"OIDC_PROVIDERS: expected a JSON list, got {_kind(entries)}")
    providers = [_read(number, entry) for number, entry in enumerate(entries, start=1)]
    for field in ("id", "name"):
        values = [getattr(provider, field) for provider in providers]
        if twice := sorted({value for value in values if values.count(value) > 1}):
            raise ImproperlyConfigured(
                f"OIDC_PROVIDERS: {field}={twice[0]!r} stands twice: expected a different one each"
            )
    if len(names := [provider.id for provider in providers if provider.login_claim]) > 1:
        raise ImproperlyConfigured(
            f"OIDC_PROVIDERS: login_claim stands at {' and '.join(names)}: expected it once, since "
            "the same login would be two people’s"
        )
    return tuple(providers)


def _read(number: int, entry: object) -> OidcProvider:
    if not isinstance(entry, dict):
        raise ImproperlyConfigured(
            f"OIDC_PROVIDERS, provider {number}: expected an object, got {_kind(entry)}"
        )
    name = entry.get("id")
    label = f"{number} ({name})" if isinstance(name, str) and ID.fullmatch(name) else str(number)
    if unknown := sorted(entry.keys() - _FIELDS.keys()):
        raise ImproperlyConfigured(
            f"OIDC_PROVIDERS, provider {label}: no field is called {unknown[0]!r}; expected "
            + ", ".join(_FIELDS)
        )
    values: dict[str, Any] = {}
    for field, (check, expected) in _FIELDS.items():
        if field in entry or field in _REQUIRED:
            value = entry.get(field)
            if not check(value):
                shown = _shown(field, value, is_there=field in entry)
                raise ImproperlyConfigured(
                    f"OIDC_PROVIDERS, provider {label}: {field}{shown}: expected {expected}"
                )
            values[field] = tuple(value) if isinstance(value, list) else value
    values["discovery"] = _discovery_of(values["discovery"])
    return OidcProvider(**values)


def _shown(field: str, value: object, *, is_there: bool) -> str:
    if not is_there:
        return " is missing"
    if field == "secret":
        return f" is {_kind(value)}"
    return f"={json.dumps(value, ensure_ascii=False)[:200]}"


def _discovery_of(address: str) -> str:
    return address if WELL_KNOWN in address else address.rstrip("/") + WELL_KNOWN


def _kind(value: object) -> str:
    if value == "":
        return "empty"
    names = {str: "a text", list: "a list", dict: "an object", bool: "true or false"}
    return names.get(type(value), "null" if value is None else "a number")


def _is_text(field: str) -> Callable[[Any], bool]:
    def check(value: Any) -> bool:
        is_text = isinstance(value, str) and value == value.strip() and value.isprintable()
        return is_text and 0 < len(value) <= MOST_CHARACTERS[field]

    return check


def _is_id(value: Any) -> bool:
    return _is_text("id")(value) and ID.fullmatch(value) is not None


def is_safe_address(address: object, *, discovery: str) -> bool:
    """Say whether an address is https; or http on this machine, as tests have it.

    The provider must be on this machine then: no other sends a secret to what listens here.
    """
    if not (isinstance(address, str) and address.isascii() and address.isprintable()):
        return False
    try:
        parts, provider = urlsplit(address), urlsplit(discovery)
        host = parts.hostname or ""
        is_local = host in LOOPBACK and provider.hostname in LOOPBACK
    except ValueError:
        return False
    is_plain = parts.scheme == "http" and is_local
    return bool(host) and (parts.scheme == "https" or is_plain) and not parts.username


def _is_discovery(value: Any) -> bool:
    if not _is_text("discovery")(value) or {"?", "#"} & set(value):
        return False
    return is_safe_address(value, discovery=value)


def _is_login_claim(value: Any) -> bool:
    is_claim = isinstance(value, str) and CLAIM.fullmatch(value) is not None
    return value == "" or (is_claim and value not in NO_LOGINS)


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) and text for text in value)


_TEXT = "a text of 1 to {} characters, without spaces around it"
_FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "id": (_is_id, 'small letters, digits and single "-", at most 40 characters, such as "uni"'),
    "name": (_is_text("name"), _TEXT.format(40)),
    "discovery": (
        _is_discovery,
        f'an https address without "?", the issuer\'s or the one that ends with {WELL_KNOWN}',
    ),
    "client": (_is_text("client"), _TEXT.format(191)),
    "secret": (_is_text("secret"), _TEXT.format(191)),
    "trust_email": (lambda value: isinstance(value, bool), "true or false"),
    "second_factor": (_is_list_of_texts, 'a list of values of amr or acr, such as ["mfa"]'),
    "login_claim": (
        _is_login_claim,
        'the name of a claim that is each person\'s own login, such as "preferred_username", or ""',
    ),
}
_REQUIRED = {"id", "name", "discovery", "client", "secret"}
