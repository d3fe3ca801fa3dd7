"""What this site asks of a provider, over the network: its configuration, keys, tokens and claims.

A provider that hangs must not hang the site: a web process has four threads, and each request here
holds one. An answer has 8 s in all and 256 KB; what drips is cut then (`_Deadline`). A host with
several addresses where nobody listens may take 3 s for each. After a provider was silent, this
process says so at once for 10 s: a class of 200 that presses the button while its provider hangs
would otherwise hold all threads for minutes, 200 * 3 s in 8 threads. Silent is who takes no
connection, or gives no whole answer in time. A connection that breaks costs no time, and may be
about one visitor's code alone.

Until the first of them knows that it hangs, 8 s pass. So at most three threads of a process are
here at once, two of them with the same provider, and one thread is left for all other pages. The
third waits up to 3 s for its turn, and a fourth 0.2 s for a place; both are then refused, with a
page that says that many people are signing in.

A process keeps configuration and keys for 5 minutes, and reads the keys again for a signature that
they do not fit, once a minute. So a sign-in makes one request, or two with user-info, and not four.
A class of 200 that signs in within a minute is 1.7 sign-ins a second in each of two processes: with
answers of 0.25 s, four requests would keep 1.7 of the two turns busy, and one keeps 0.4 busy.
"""

import json
import math
import socket
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from threading import BoundedSemaphore, Timer
from typing import Any, NamedTuple
from urllib.parse import quote_plus

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError, MaxRetryError, ReadTimeoutError

from quizzes.learners.sign_on.faults import Fault, SignOnError, error_code
from quizzes.learners.sign_on.providers import OidcProvider, is_safe_address

TIMEOUTS = (3.0, 5.0)  # seconds to connect, and between two pieces of an answer
WHOLE = 8.0  # seconds for a whole answer
MOST_BYTES = 256 * 1024
MOST_SHOWN = 200  # characters of what a provider says, in a detail
SILENT_FOR = 10.0  # seconds
METHODS = "token_endpoint_auth_methods_supported"
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
PLACES, TURNS = 3, 2  # requests in a process at once, waiting or under way; with one provider
PATIENCE = (0.2, 3.0)  # seconds that a request waits for a place, and then for its turn
KEPT_FOR = 300.0  # seconds, of configuration and keys
BETWEEN_KEYS = 60.0  # seconds between two readings of keys that a signature did not fit
Json = dict[str, Any]
_places = BoundedSemaphore(PLACES)
_turns: defaultdict[str, BoundedSemaphore] = defaultdict(lambda: BoundedSemaphore(TURNS))
# Each by the provider's discovery address:
_silent_until: dict[str, tuple[float, str]] = {}  # and how it was silent
_configurations: dict[str, tuple[float, Json]] = {}  # and when it was read
_keys: dict[str, tuple[float, Json]] = {}
_keys_missed_at: dict[str, float] = {}


class NotAskedError(SignOnError):
    """The provider was not asked now, to keep threads free."""


class Answer(NamedTuple):
    """What a provider answered: the status, the JSON object, and by how much its clock is ahead."""

    status: int
    document: Json
    seconds_ahead: float | None  # None where it does not say the time


def known_configuration(provider: OidcProvider) -> Json:
    """Return the configuration of a provider, at most 5 minutes old; raises SignOnError."""
    _check_silence(provider)
    return _known(_configurations, provider) or read_configuration(provider)


def known_keys(provider: OidcProvider, configuration: Json) -> Json:
    """Return the public keys of a provider, at most 5 minutes old; raises SignOnError."""
    return _known(_keys, provider) or read_keys(provider, configuration)


def newer_keys(provider: OidcProvider, configuration: Json, *, than: Json) -> Json | None:
    """Return the keys as they are now, for a signature that these do not fit.

    Another thread may have read them meanwhile. None where a signature did not fit in the last
    minute: an answer with a made-up key makes no flood. Raises SignOnError.
    """
    known = _known(_keys, provider)
    if known is not None and known is not than:
        return known
    now = time.monotonic()
    if now - _keys_missed_at.get(provider.discovery, -math.inf) < BETWEEN_KEYS:
        return None
    _keys_missed_at[provider.discovery] = now
    try:
        return read_keys(provider, configuration)
    except SignOnError:
        _keys_missed_at.pop(provider.discovery, None)  # nothing was read: the next may try
        raise


def _known(documents: dict[str, tuple[float, Json]], provider: OidcProvider) -> Json | None:
    read_at, document = documents.get(provider.discovery, (-math.inf, None))
    return document if time.monotonic() - read_at < KEPT_FOR else None


def forget_all() -> None:
    """Forget what this process knows of providers, for tests."""
    for known in (_turns, _silent_until, _configurations, _keys, _keys_missed_at):
        known.clear()


def read_configuration(provider: OidcProvider) -> Json:
    """Return the configuration that a provider publishes, as it is now; raises SignOnError."""
    answer = read_discovery(provider)
    if answer.status != 200:
        raise SignOnError(Fault.CONFIGURATION, f"{provider.discovery} answers {answer.status}")
    configuration = check_configuration(provider, answer.document)
    _configurations[provider.discovery] = (time.monotonic(), configuration)
    return configuration


def read_discovery(provider: OidcProvider) -> Answer:
    """Return what stands at the discovery address; raises SignOnError where it is unreadable."""
    return _ask(provider, "GET", provider.discovery)


def check_configuration(provider: OidcProvider, document: Json) -> Json:
    """Return a configuration of this issuer with safe addresses; raises SignOnError."""
    if document.get("issuer") not in provider.issuers:  # a list has no hash
        detail = f"issuer is {_shown(document, 'issuer')}, expected {provider.issuer!r}"
        raise SignOnError(Fault.ISSUER, detail)
    for name in ENDPOINTS:
        if not is_safe_address(document.get(name), discovery=provider.discovery):
            detail = f"{name} is {_shown(document, name)}, expected an https address"
            raise SignOnError(Fault.CONFIGURATION, detail)
    methods = document.get(METHODS)
    return document | {METHODS: methods if isinstance(methods, list) else []}


def _shown(document: Json, name: str) -> str:
    return repr(document.get(name))[:MOST_SHOWN]


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
    login = None
    if "client_secret_post" in configuration[METHODS]:
        form |= {"client_id": provider.client, "client_secret": provider.secret}
    else:  # RFC 6749, 2.3.1
        login = (quote_plus(provider.client), quote_plus(provider.secret))
    url = configuration["token_endpoint"]
    status, tokens, _ = _ask(provider, "POST", url, data=form, auth=login)
    if status != 200:
        raise SignOnError(Fault.EXCHANGE, f"{status} {error_code(tokens.get('error'))}")
    if not isinstance(tokens.get("id_token"), str):
        raise SignOnError(Fault.UNREADABLE, "there is no id_token")
    return tokens


def read_keys(provider: OidcProvider, configuration: Json) -> Json:
    """Return the public keys of a provider, as they are now; raises SignOnError."""
    status, keys, _ = _ask(provider, "GET", configuration["jwks_uri"])
    if status != 200:
        raise SignOnError(Fault.KEY, f"jwks_uri answers {status}")
    _keys[provider.discovery] = (time.monotonic(), keys)
    return keys


def read_user_claims(provider: OidcProvider, configuration: Json, tokens: Json) -> Json:
    """Return the claims of the userinfo endpoint, {} where there is none; raises SignOnError."""
    url, token = configuration.get("userinfo_endpoint"), tokens.get("access_token")
    is_safe = is_safe_address(url, discovery=provider.discovery)
    if not is_safe or not isinstance(token, str):
        return {}
    headers = {"Authorization": f"Bearer {token}"}
    status, claims, _ = _ask(provider, "GET", str(url), headers=headers)
    if status != 200:
        raise SignOnError(Fault.UNREADABLE, f"userinfo answers {status}")
    return claims


def _check_silence(provider: OidcProvider) -> None:
    until, why = _silent_until.get(provider.discovery, (0.0, ""))
    if time.monotonic() < until:
        raise NotAskedError(Fault.SILENT, f"{why}, a moment ago")


@contextmanager
def _acquired(semaphore: BoundedSemaphore, patience: float) -> Iterator[None]:
    if not semaphore.acquire(timeout=patience):
        raise NotAskedError(Fault.CROWDED, "too many requests to providers are under way")
    try:
        yield
    finally:
        semaphore.release()


def _ask(provider: OidcProvider, method: str, url: str, **sent: Any) -> Answer:
    _check_silence(provider)
    shown = url[:MOST_SHOWN]
    try:
        with _acquired(_places, PATIENCE[0]), _acquired(_turns[provider.discovery], PATIENCE[1]):
            _check_silence(provider)  # the one before may have found out
            status, body, seconds_ahead = _read(method, url, **sent)
    except ValueError as error:  # an address that no host has, a token that no header can hold
        raise SignOnError(Fault.UNREADABLE, f"{shown}: {type(error).__name__}") from error
    except (requests.RequestException, HTTPError) as error:
        why = f"{shown}: {type(error).__name__}"
        if _is_silence(error):
            _silent_until[provider.discovery] = (time.monotonic() + SILENT_FOR, why)
        raise SignOnError(Fault.SILENT, why) from error
    if status >= 500:
        raise SignOnError(Fault.SILENT, f"{shown} answers {status}")
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        if status != 200:
            return Answer(status, {}, seconds_ahead)
        raise SignOnError(Fault.UNREADABLE, f"{shown}: no JSON") from error
    if not isinstance(document, dict):
        raise SignOnError(Fault.UNREADABLE, f"{shown}: no JSON object")
    return Answer(status, document, seconds_ahead)


def _is_silence(error: Exception) -> bool:
    """Return whether a request held its thread: nothing listens, or no whole answer came in time.

    requests raises the same ConnectionError for these as for a connection that broke.
    """
    cause = next(iter(error.args), None)
    is_late = isinstance(error, requests.Timeout) or isinstance(cause, ReadTimeoutError)
    return is_late or isinstance(cause, MaxRetryError)  # no connection


def _read(method: str, url: str, **sent: Any) -> tuple[int, bytes, float | None]:
    """Return status, body and `seconds_ahead`.

    A redirect is not followed: it could lead a secret elsewhere.
    """
    body, deadline = b"", _Deadline(WHOLE)
    with requests.Session() as session:
        session.auth = _leave_alone
        for scheme in ("https://", "http://"):
            session.mount(scheme, deadline)
        try:
            with session.request(
                method, url, timeout=TIMEOUTS, allow_redirects=False, stream=True, **sent
            ) as answer:
                for piece in answer.iter_content(8192):
                    body += piece
                    if len(body) > MOST_BYTES:
                        problem = f"{url[:MOST_SHOWN]}: more than {MOST_BYTES} bytes"
                        raise SignOnError(Fault.UNREADABLE, problem)
        except (requests.RequestException, HTTPError) as error:
            if deadline.is_over:
                raise requests.Timeout(f"no whole answer in {WHOLE} s") from error
            raise
        if deadline.is_over:  # a body without a length ends where its connection is cut
            raise requests.Timeout(f"no whole answer in {WHOLE} s")
        return answer.status_code, body, _seconds_ahead(answer.headers)


def _leave_alone(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Keep requests from putting a login of `~/.netrc` in place of a token."""
    return request


def _seconds_ahead(headers: Mapping[str, str]) -> float | None:
    """Return by how much the clock of an answer is ahead; one from a cache is as old as it says."""
    try:
        said = parsedate_to_datetime(headers["Date"]).timestamp()
        return said + int(headers.get("Age", 0)) - time.time()
    except (KeyError, ValueError, OverflowError):
        return None


class _Deadline(HTTPAdapter):
    """Cuts the connection of one exchange after some seconds.

    The time-outs of requests hold for each piece: headers or lengths of chunks that come letter by
    letter never exceed them, and nothing returns in between. So a timer ends the connection below
    TLS, and whatever reads from it sees its end.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.is_over = False
        self._socket: socket.socket | None = None
        self._timer = Timer(seconds, self._cut)
        self._timer.daemon = True
        self._timer.start()

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        pool = super().get_connection_with_tls_context(*args, **kwargs)
        plain, deadline = pool.ConnectionCls, self

        class Connection(plain):  # type: ignore[misc, valid-type]  # of http or https, or by proxy
            def connect(self) -> None:
                super().connect()
                deadline._socket = self.sock
                if deadline.is_over:
                    deadline._cut()

        pool.ConnectionCls = Connection
        return pool

    def close(self) -> None:
        self._timer.cancel()
        super().close()

    def _cut(self) -> None:
        self.is_over = True
        if self._socket is not None:
            with suppress(OSError):  # it has ended by itself
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
