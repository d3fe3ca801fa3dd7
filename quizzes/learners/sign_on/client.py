"""What this site asks of a provider, over the network: its configuration, keys, tokens and claims.

A provider that hangs must not hang the site: a web process has four threads, and each request here
holds one. An answer has 8 s in all and 256 KB. After a provider was silent, this process says so at
once for 10 s: a class of 200 that presses the button while its provider hangs would otherwise hold
all threads for minutes, 200 * 3 s in 8 threads.
"""

import json
import time
from typing import Any

import requests

from quizzes.learners.sign_on.faults import Fault, SignOnError
from quizzes.learners.sign_on.providers import OidcProvider, is_safe_address

TIMEOUTS = (3.0, 5.0)  # seconds to connect, and between two pieces of an answer
WHOLE = 8.0  # seconds for a whole answer
MOST_BYTES = 256 * 1024
SILENT_FOR = 10.0  # seconds
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
_silent_until: dict[str, float] = {}  # by the provider's address
Json = dict[str, Any]


def read_configuration(provider: OidcProvider) -> Json:
    """Return the configuration that a provider publishes; raises SignOnError."""
    status, document = _ask(provider, "GET", provider.discovery)
    if status != 200:
        raise SignOnError(Fault.CONFIGURATION, f"{provider.discovery} answers {status}")
    if document.get("issuer") not in {provider.issuer, f"{provider.issuer}/"}:
        detail = f"issuer is {document.get('issuer')!r}, expected {provider.issuer!r}"
        raise SignOnError(Fault.ISSUER, detail)
    for name in ENDPOINTS:
        if not is_safe_address(document.get(name)):
            detail = f"{name} is {document.get(name)!r}, expected an https address"
            raise SignOnError(Fault.CONFIGURATION, detail)
    return document


def exchange_code(
    provider: OidcProvider, configuration: Json, *, code: str, verifier: str, callback: str
) -> Json:
    """Return the tokens for a code; raises SignOnError."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": callback,
        "code_verifier": verifier,
    }
    methods = configuration.get("token_endpoint_auth_methods_supported")
    login = None
    if isinstance(methods, list) and "client_secret_post" in methods:
        form |= {"client_id": provider.client, "client_secret": provider.secret}
    else:
        login = (provider.client, provider.secret)
    url = configuration["token_endpoint"]
    status, tokens = _ask(provider, "POST", url, data=form, auth=login)
    if status != 200:
        raise SignOnError(Fault.EXCHANGE, f"{status} {str(tokens.get('error'))[:60]!r}")
    if not isinstance(tokens.get("id_token"), str):
        raise SignOnError(Fault.UNREADABLE, "there is no id_token")
    return tokens


def read_keys(provider: OidcProvider, configuration: Json) -> Json:
    """Return the public keys of a provider, as they are now; raises SignOnError."""
    status, keys = _ask(provider, "GET", configuration["jwks_uri"])
    if status != 200:
        raise SignOnError(Fault.KEY, f"jwks_uri answers {status}")
    return keys


def read_user_claims(provider: OidcProvider, configuration: Json, tokens: Json) -> Json:
    """Return the claims of the userinfo endpoint, {} where there is none; raises SignOnError."""
    url, token = configuration.get("userinfo_endpoint"), tokens.get("access_token")
    if not is_safe_address(url) or not isinstance(token, str):
        return {}
    headers = {"Authorization": f"Bearer {token}"}
    status, claims = _ask(provider, "GET", str(url), headers=headers)
    if status != 200:
        raise SignOnError(Fault.UNREADABLE, f"userinfo answers {status}")
    return claims


def _ask(provider: OidcProvider, method: str, url: str, **sent: Any) -> tuple[int, Json]:
    if time.monotonic() < _silent_until.get(provider.discovery, 0):
        raise SignOnError(Fault.SILENT, "it did not answer a moment ago")
    try:
        status, body = _read(method, url, **sent)
    except requests.RequestException as error:
        _silent_until[provider.discovery] = time.monotonic() + SILENT_FOR
        raise SignOnError(Fault.SILENT, f"{url}: {type(error).__name__}") from error
    if status >= 500:
        raise SignOnError(Fault.SILENT, f"{url} answers {status}")
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        if status != 200:
            return status, {}
        raise SignOnError(Fault.UNREADABLE, f"{url}: no JSON") from error
    if not isinstance(document, dict):
        raise SignOnError(Fault.UNREADABLE, f"{url}: no JSON object")
    return status, document


def _read(method: str, url: str, **sent: Any) -> tuple[int, bytes]:
    """Return status and body. A redirect is not followed: it could lead a secret elsewhere."""
    begin, body = time.monotonic(), b""
    with (
        requests.Session() as session,
        session.request(
            method, url, timeout=TIMEOUTS, allow_redirects=False, stream=True, **sent
        ) as answer,
    ):
        for piece in answer.iter_content(8192):
            body += piece
            if time.monotonic() - begin > WHOLE:
                raise requests.Timeout(f"no whole answer in {WHOLE} s")
            if len(body) > MOST_BYTES:
                raise SignOnError(Fault.UNREADABLE, f"{url}: more than {MOST_BYTES} bytes")
        return answer.status_code, body
