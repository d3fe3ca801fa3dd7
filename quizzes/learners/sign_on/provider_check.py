"""Read a provider's configuration and keys as a sign-in does, and say what is wrong, with the cure.

`manage.py doctor` and the page of operators print it. It ends with the first thing that leaves
nothing more to look at; a provider that does not answer costs one request, within the bounds of
`client.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import requests
from urllib3.exceptions import NameResolutionError

from quizzes.learners.sign_on import client
from quizzes.learners.sign_on.client import Json
from quizzes.learners.sign_on.faults import Fault, SignOnError
from quizzes.learners.sign_on.id_token import ALGORITHMS, LEEWAY, usable_keys
from quizzes.learners.sign_on.providers import WELL_KNOWN, OidcProvider

MOST_SECONDS_APART = 120.0
SCOPES = {"openid", "email", "profile"}
OURS = "\u201cdiscovery\u201d in OIDC_PROVIDERS"
ASK = "Ask the people who run the provider"
ADDRESS = f"Correct {OURS}: it is the issuer, to which {WELL_KNOWN} is added"
DOWN = f"Start the provider, correct {OURS}, or open the firewall between it and this machine."
NAME = f"Correct {OURS}, or the DNS of this machine."
SLOW = f"{ASK}. A firewall that drops packets looks the same."
PROXY = "Correct HTTPS_PROXY in the environment, or list the provider in NO_PROXY."
CERTIFICATE = (
    "Renew the provider's certificate. If a private authority signed it, set REQUESTS_CA_BUNDLE to"
    " a file with the authorities' certificates. A wrong clock here looks the same."
)
LATER = f"Try again in {client.SILENT_FOR:.0f} seconds."
FAILING = f"The provider fails by itself. {ASK}."
STATUS = f"{ADDRESS}. A redirect is not followed: write the address that it leads to."
PAGE = f"{ADDRESS}. Open it in a browser: it must show JSON, not a page."
ISSUER = (
    f"If this is the right provider, set {OURS} to the issuer that it names. If accounts are"
    ' already connected, give the provider a new "id" too.'
)
ENDPOINT = (
    f"{ASK} to publish https addresses. If a proxy stands before it, the provider may not know its"
    " own address."
)
KEYS = f"{ASK} to publish the key that signs ID tokens, at this address."
CLOCK = f"Set the clock that is wrong, with NTP. Answers are refused from {LEEWAY} s on."
RULES = {  # what the configuration must list, how much of it, and the cure
    "code_challenge_methods_supported": ({"S256"}, any, f"{ASK} to turn on PKCE with S256."),
    "id_token_signing_alg_values_supported": (
        ALGORITHMS,
        any,
        f"{ASK} to sign this client's ID tokens with RS256.",
    ),
    "response_types_supported": ({"code"}, any, f"{ASK} to turn on the authorization code flow."),
    client.METHODS: (
        {"client_secret_post", "client_secret_basic"},
        any,
        f"{ASK} to let this client authenticate with a secret.",
    ),
    "scopes_supported": (
        SCOPES,
        all,
        f"{ASK} to allow this client the scopes openid, email and profile.",
    ),
}


@dataclass(frozen=True)
class CheckResult:
    """One thing that was looked at. `cure` says what to do where it is not well."""

    well: bool
    detail: str
    cure: str = ""


def check_provider(provider: OidcProvider) -> Iterator[CheckResult]:
    """Yield what is right and wrong with a provider, as it answers now."""
    try:
        answer = client.read_discovery(provider)
    except SignOnError as error:
        yield _unanswered(provider.discovery, error, PAGE)
        return
    if answer.status != 200:
        yield CheckResult(False, f"{provider.discovery} answers {answer.status}", STATUS)
        return
    try:
        configuration = client.check_configuration(provider, answer.document)
    except SignOnError as error:
        cure = ISSUER if error.fault is Fault.ISSUER else ENDPOINT
        yield CheckResult(False, f"{provider.discovery}: {error.detail}", cure)
        return
    yield CheckResult(True, f"{provider.discovery} answers, with the right issuer")
    yield from _check_lists(answer.document)
    yield from _check_clock(answer.seconds_ahead)
    yield _check_keys(provider, configuration)


def _check_lists(document: Json) -> Iterator[CheckResult]:
    unlisted, is_well = [], True
    for name, (accepted, quantity, cure) in RULES.items():
        values = document.get(name)
        if not isinstance(values, list):  # most are optional
            unlisted.append(name)
        elif not quantity(value in values for value in accepted):
            is_well = False
            some = "all" if quantity is all else "one"
            expected = f"expected {some} of {sorted(accepted)}"
            yield CheckResult(False, f"{name} is {str(values)[:200]}, {expected}", cure)
    if is_well:
        without = f"; it does not say {', '.join(unlisted)}" if unlisted else ""
        yield CheckResult(True, f"it supports the sign-in that Ordinal asks for{without}")


def _check_clock(seconds_ahead: float | None) -> Iterator[CheckResult]:
    if seconds_ahead is None:
        return
    way = "ahead of" if seconds_ahead > 0 else "behind"
    detail = f"its clock is {abs(seconds_ahead):.0f} s {way} this machine's clock"
    yield CheckResult(abs(seconds_ahead) <= MOST_SECONDS_APART, detail, CLOCK)


def _check_keys(provider: OidcProvider, configuration: Json) -> CheckResult:
    address = configuration["jwks_uri"]
    try:
        number = len(usable_keys(client.read_keys(provider, configuration)))
    except SignOnError as error:
        return _unanswered(address, error, KEYS)
    return CheckResult(number > 0, f"{number} keys for signatures at {address}", KEYS)


def _unanswered(address: str, error: SignOnError, cure: str) -> CheckResult:
    """Return why an address gave no JSON; `cure` is for an answer that came."""
    cause = error.__cause__
    reason = getattr(next(iter(cause.args), None), "reason", None) if cause else None
    detail = error.detail
    if isinstance(error, client.NotAskedError):
        detail, cure = f"it was not asked: {detail}", LATER
    elif isinstance(cause, requests.RequestException):
        why, cure = _silence(cause, reason)
        detail = f"{address}: {why}"
    elif error.fault is Fault.SILENT:
        cure = FAILING
    return CheckResult(False, detail, cure)


def _silence(cause: requests.RequestException, reason: object) -> tuple[str, str]:
    """Return how a provider was silent, and the cure; `reason` is what urllib3 says."""
    match cause, reason:
        case requests.exceptions.SSLError(), _:
            return f"its certificate is not trusted: {str(reason or cause)[:200]}", CERTIFICATE
        case requests.exceptions.ProxyError(), _:
            return "the proxy does not lead there", PROXY
        case requests.Timeout(), _:
            return f"no whole answer within {client.WHOLE:.0f} s", SLOW
        case _, NameResolutionError():
            return "the name of its host is unknown", NAME
    error = getattr(reason, "__cause__", None)
    return f"nothing answers there ({getattr(error, 'strerror', type(cause).__name__)})", DOWN
