"""Faulty answers of a provider: each is a page with a cure, and never an account or a session."""

import socket
from base64 import b64decode
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Thread, Timer
from time import monotonic, sleep
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from quizzes.learners.models import User
from quizzes.learners.sign_on import client
from quizzes.learners.sign_on.faults import Fault, SignOnError
from quizzes.learners.sign_on.id_token import Expected, verify
from quizzes.learners.sign_on.refusals import WAITING
from tests.learners.sign_on.provider import Browser, Person, Provider, configured, text_of
from tests.learners.sign_on.provider_process import CLIENT

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

DISCOVERY = "/.well-known/openid-configuration"
KEYS = "/.well-known/jwks.json"
TOKEN = "/identity/o/api/token"
CLAIMS = "/identity/o/api/userinfo"
SIGN_UP = "/accounts/providers/signup/"


def claims(**values: object) -> dict[str, Any]:
    return {"claims": values}


def answer(path: str, **instead: object) -> dict[str, Any]:
    return {"answers": {path: instead}}


# What the provider says when the person comes back, and the fault that it is.
ANSWERS: dict[str, tuple[dict[str, Any], Fault]] = {
    "another issuer": (claims(iss="https://evil.example"), Fault.ISSUER),
    "no issuer": (claims(iss=None), Fault.ISSUER),
    "another audience": (claims(aud="another"), Fault.AUDIENCE),
    "no audience": (claims(aud=None), Fault.AUDIENCE),
    "two audiences": (claims(aud=["ordinal", "another"]), Fault.AUDIENCE),
    "another party": (claims(azp="another"), Fault.AUDIENCE),
    "list as party": (claims(azp=["ordinal"]), Fault.AUDIENCE),
    "object as party": (claims(azp={}), Fault.AUDIENCE),
    "another nonce": (claims(nonce="another"), Fault.NONCE),
    "no nonce": (claims(nonce=None), Fault.NONCE),
    "number as nonce": (claims(nonce=7), Fault.NONCE),
    "expired": (claims(exp="-120"), Fault.EXPIRED),
    "text as expiry": (claims(exp="soon"), Fault.UNREADABLE),
    "infinite expiry": (claims(exp=1e300), Fault.UNREADABLE),
    "no time of issue": (claims(iat=None), Fault.UNREADABLE),
    "clock ten minutes ahead": (claims(iat="+600", exp="+900"), Fault.CLOCK),
    "clock ten minutes behind": (claims(iat="-600", exp="-300"), Fault.CLOCK),
    "not valid yet": (claims(nbf="+600"), Fault.CLOCK),
    "no subject": (claims(sub=None), Fault.SUBJECT),
    "empty subject": (claims(sub=""), Fault.SUBJECT),
    "number as subject": (claims(sub=7), Fault.SUBJECT),
    "zero byte in subject": (claims(sub="a\0b"), Fault.SUBJECT),
    "foreign letter in subject": (claims(sub="ada\u00df"), Fault.SUBJECT),
    "subject of 300 characters": (claims(sub="a" * 300), Fault.SUBJECT),
    "changed body": ({"token": "body"}, Fault.SIGNATURE),
    "no signature": ({"token": "none"}, Fault.SIGNATURE),
    "signed with secret": ({"token": "secret"}, Fault.SIGNATURE),
    "unknown key": ({"token": "no key"}, Fault.KEY),
    "withdrawn key": ({"key": 1, "published": [0]}, Fault.KEY),
    "no keys": ({"published": []}, Fault.KEY),
    "no token": ({"token": "missing"}, Fault.UNREADABLE),
    "text as token": ({"token": "text"}, Fault.UNREADABLE),
    "no configuration": (answer(DISCOVERY, status=404), Fault.CONFIGURATION),
    "broken configuration": (answer(DISCOVERY, status=500), Fault.SILENT),
    "page as configuration": (answer(DISCOVERY, body="<html>"), Fault.UNREADABLE),
    "list as configuration": (answer(DISCOVERY, body="[]"), Fault.UNREADABLE),
    "configuration of another": (
        answer(DISCOVERY, add={"issuer": "https://evil.example"}),
        Fault.ISSUER,
    ),
    "plain endpoint": (
        answer(DISCOVERY, add={"token_endpoint": "http://evil.example/token"}),
        Fault.CONFIGURATION,
    ),
    "list as issuer": (answer(DISCOVERY, add={"issuer": ["https://a.example"]}), Fault.ISSUER),
    "foreign letter in endpoint": (
        answer(DISCOVERY, add={"token_endpoint": "https://\u00fc.example/"}),
        Fault.CONFIGURATION,
    ),
    "empty label in endpoint": (
        answer(DISCOVERY, add={"jwks_uri": "https://a..b/"}),
        Fault.UNREADABLE,
    ),
    "long label in endpoint": (
        answer(DISCOVERY, add={"jwks_uri": f"https://{'a' * 70}.example/"}),
        Fault.UNREADABLE,
    ),
    "number too large as port": (
        answer(DISCOVERY, add={"jwks_uri": "https://a.example:99999/"}),
        Fault.UNREADABLE,
    ),
    "foreign letter in access token": (
        claims(email=None) | {"tokens": {"access_token": "\u20ac"}},
        Fault.UNREADABLE,
    ),
    "refused code": (answer(TOKEN, status=400, body='{"error": "x"}'), Fault.EXCHANGE),
    "token led elsewhere": (
        answer(TOKEN, status=307, headers={"Location": "/elsewhere"}),
        Fault.EXCHANGE,
    ),
    "token under maintenance": (answer(TOKEN, status=503), Fault.SILENT),
    "keys not there": (answer(KEYS, status=404), Fault.KEY),
    "keys without end": (answer(KEYS, body="x" * 1000, times=300), Fault.UNREADABLE),
    "claims of another": (
        claims(email=None) | answer(CLAIMS, body='{"sub": "0", "email": "eve@uni.example"}'),
        Fault.SUBJECT,
    ),
    "claims refused": (claims(email=None) | answer(CLAIMS, status=401), Fault.UNREADABLE),
}


# Others of the same kind are in the gate.
AT_NIGHT = {
    *("no issuer", "no audience", "no nonce", "number as nonce", "another party"),
    *("text as expiry", "infinite expiry", "not valid yet", "empty subject", "no keys"),
    *("foreign letter in subject", "no token", "text as token", "broken configuration"),
    *("list as configuration", "token under maintenance", "keys not there", "claims refused"),
    *("no valid address", "long address", "zero byte in address", "text as confirmation"),
    *("lists and numbers", "sign-in in far future", "object as party"),
    *("empty label in endpoint", "number too large as port"),
}


def by_day_or_night(table: Iterable[str]) -> list[Any]:
    return [
        pytest.param(name, marks=[pytest.mark.soak] if name in AT_NIGHT else []) for name in table
    ]


@pytest.fixture(scope="module")
def person(running_provider: Provider) -> Person:
    return running_provider.person()


@pytest.fixture(scope="module")
def at_provider() -> requests.Session:
    """The person's browser at the provider, which stays signed in there."""
    return requests.Session()


@pytest.fixture
def browser(provider: Provider, person: Person, at_provider: requests.Session) -> Browser:
    return Browser(provider, person, there=at_provider)


def check(browser: Browser, page: Any, fault: Fault) -> None:
    """Expect the page of a fault, and nobody signed in or made."""
    text = page.content.decode()
    assert f"give this code: {fault.name.lower()}." in text, text
    assert page.status_code == fault.status
    assert browser.account is None
    assert not User.objects.exists()
    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize("name", by_day_or_night(ANSWERS))
def test_faulty_answer_makes_page_with_cure(browser: Browser, name: str) -> None:
    switches, fault = ANSWERS[name]
    back = browser.authorize(browser.leave())
    browser.provider.switch(**switches)
    client.forget_all()  # of five minutes ago
    check(browser, browser.arrive(back), fault)


def _changed(back: str, **values: str | None) -> str:
    parts = urlsplit(back)
    query = {**dict(parse_qsl(parts.query)), **values}
    return f"{parts.path}?{urlencode({k: v for k, v in query.items() if v is not None})}"


# What the address says by which the person comes back.
ADDRESSES: dict[str, tuple[Callable[[str], str], Fault]] = {
    "no state": (lambda back: _changed(back, state=None), Fault.STATE),
    "another state": (lambda back: _changed(back, state="A" * 16), Fault.STATE),
    "state of another provider": (lambda back: back.replace("/uni/", "/lab/"), Fault.STATE),
    "no code": (lambda back: _changed(back, code=None), Fault.REFUSED),
    "long code": (lambda back: _changed(back, code="a" * 5000), Fault.REFUSED),
    "zero byte in code": (lambda back: _changed(back, code="a\0"), Fault.REFUSED),
    "foreign letter in code": (lambda back: _changed(back, code="\u00df"), Fault.REFUSED),
    "made-up code": (lambda back: _changed(back, code="made-up"), Fault.EXCHANGE),
    "stopped": (lambda back: _changed(back, code=None, error="access_denied"), Fault.CANCELLED),
    "refused": (lambda back: _changed(back, code=None, error="<b>no</b>"), Fault.REFUSED),
    "another issuer": (lambda back: _changed(back, iss="https://evil.example"), Fault.ISSUER),
}


@pytest.mark.parametrize("name", ADDRESSES)
def test_faulty_address_makes_page_with_cure(browser: Browser, name: str) -> None:
    change, fault = ADDRESSES[name]
    back = browser.authorize(browser.leave())
    check(browser, browser.arrive(change(back)), fault)


def test_answer_counts_once(browser: Browser) -> None:
    back = browser.authorize(browser.leave())
    browser.arrive(back)
    check(browser, browser.arrive(back), Fault.STATE)
    thief = Browser(browser.provider)
    check(thief, thief.arrive(back), Fault.STATE)


def test_answer_waits_ten_minutes(browser: Browser) -> None:
    back = browser.authorize(browser.leave())
    session = browser.client.session
    states = session["socialaccount_states"]
    session["socialaccount_states"] = {
        name: (state, at - 601, provider) for name, (state, at, provider) in states.items()
    }
    session.save()
    check(browser, browser.arrive(back), Fault.STATE)


def _drip(server: socket.socket, head: bytes) -> None:
    """Answer one request with `head`, and then a letter each tenth of a second, for a minute."""
    connection, _ = server.accept()
    with connection, suppress(OSError):
        connection.recv(65536)
        connection.sendall(head)
        for _ in range(600):
            sleep(0.1)
            connection.sendall(b"a")


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\nX: ",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;",
    ],
    ids=["headers", "body", "chunk"],
)
def test_dripping_answer_is_cut(
    browser: Browser, settings, monkeypatch: pytest.MonkeyPatch, head: bytes
) -> None:
    monkeypatch.setattr(client, "WHOLE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        settings.OIDC_PROVIDERS = configured(browser.provider, discovery=address)
        Thread(target=_drip, args=(server, head), daemon=True).start()
        begin = monotonic()
        check(browser, browser.client.post("/accounts/oidc/uni/login/"), Fault.SILENT)
        assert monotonic() - begin < 20, "the answer would last a minute"
        assert address + DISCOVERY in client._silent_until


def test_hanging_provider_holds_nobody(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a class press the button at a process of four threads, and then ask for another page."""
    monkeypatch.setattr(client, "TIMEOUTS", (0.3, 1.0))
    monkeypatch.setattr(client, "PATIENCE", (0.01, 0.2))
    browser.provider.switch(**answer(DISCOVERY, seconds=2))
    provider = configured(browser.provider)[0]
    begin = monotonic()

    def press() -> Fault:
        with pytest.raises(SignOnError) as refusal:
            client.known_configuration(provider)
        return refusal.value.fault

    with ThreadPoolExecutor(4) as threads:
        presses = [threads.submit(press) for _ in range(20)]
        page = threads.submit(monotonic)
        assert page.result() - begin < 0.8, "the first answer is waited for until 1 s"
    faults = [press.result() for press in presses]
    assert faults.count(Fault.SILENT) == client.TURNS
    assert faults.count(Fault.CROWDED) == 20 - client.TURNS
    browser.provider.switch()
    begin = monotonic()
    check(browser, browser.client.post("/accounts/oidc/uni/login/"), Fault.SILENT)
    assert monotonic() - begin < 0.3, "it is left alone for a while"
    client.forget_all()
    assert browser.leave()


def test_crowd_waits_and_is_told_why(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    press = "/accounts/oidc/uni/login/"
    monkeypatch.setattr(client, "PATIENCE", (0.01, 0.5))
    turns = client._turns[configured(browser.provider)[0].discovery]
    with turns, turns:
        page = browser.client.post(press)
        check(browser, page, Fault.CROWDED)
        assert "Many people are signing in right now." in text_of(page)
        Timer(0.1, turns.release).start()
        assert browser.leave(), "it waits for its turn"
        turns.acquire()
    with client._places, client._places, client._places:
        client.forget_all()
        check(browser, browser.client.post(press), Fault.CROWDED)


def test_sign_in_makes_one_request(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    addresses, read = [], client._read

    def note_and_read(method: str, url: str, **sent: Any) -> Any:
        addresses.append(urlsplit(url).path)
        return read(method, url, **sent)

    monkeypatch.setattr(client, "_read", note_and_read)
    browser.go()
    assert addresses == [DISCOVERY, TOKEN, KEYS]
    addresses.clear()
    browser.go()
    assert addresses == [TOKEN]
    monkeypatch.setattr(client, "KEPT_FOR", 0.0)
    browser.go()
    assert addresses == [TOKEN, DISCOVERY, DISCOVERY, TOKEN, KEYS]


def test_made_up_keys_are_looked_for_once_a_minute(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, read = [], client.read_keys

    def count_and_read(*of: Any) -> Any:
        reads.append(of)
        return read(*of)

    monkeypatch.setattr(client, "read_keys", count_and_read)
    browser.go()
    browser.provider.switch(token="no key")
    for _ in range(3):
        check(browser, browser.go(), Fault.KEY)
    assert len(reads) == 2
    browser.provider.switch(key=1, published=[1])
    monkeypatch.setattr(client, "BETWEEN_KEYS", 0.0)
    assert browser.go()["Location"] == SIGN_UP


def _break_off(server: socket.socket) -> None:
    for _ in range(2):
        connection, _ = server.accept()
        with connection:
            connection.recv(65536)


def test_broken_connection_stops_nobody_else(browser: Browser) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        Thread(target=_break_off, args=(server,), daemon=True).start()
        provider = configured(browser.provider, discovery=address)[0]
        for _ in range(2):
            with pytest.raises(SignOnError, match="ConnectionError") as refusal:
                client.read_configuration(provider)
            assert refusal.value.fault is Fault.SILENT
            assert not isinstance(refusal.value, client.NotAskedError)


def test_long_address_makes_short_detail(browser: Browser) -> None:
    address = f"https://a..b/{'x' * 9000}"
    browser.provider.switch(**answer(DISCOVERY, add={"jwks_uri": address}))
    provider = configured(browser.provider)[0]
    with pytest.raises(SignOnError) as refusal:
        client.read_keys(provider, client.read_configuration(provider))
    assert len(refusal.value.detail) < 300


def test_provider_that_is_down_says_so(browser: Browser, settings) -> None:
    settings.OIDC_PROVIDERS = configured(browser.provider, discovery="http://127.0.0.1:9/none")
    check(browser, browser.client.post("/accounts/oidc/uni/login/"), Fault.SILENT)
    assert client._silent_until


def test_foreign_letters_in_secret_are_sent(browser: Browser, settings) -> None:
    settings.OIDC_PROVIDERS = configured(browser.provider, secret="\u20ac")
    back = browser.authorize(browser.leave())
    browser.provider.switch(**answer(DISCOVERY, add={client.METHODS: ["client_secret_basic"]}))
    check(browser, browser.arrive(back), Fault.EXCHANGE)


@pytest.fixture
def requests_sent(monkeypatch: pytest.MonkeyPatch) -> list[requests.PreparedRequest]:
    """Each request as it goes out."""
    sent: list[requests.PreparedRequest] = []
    send = client._Deadline.send

    def note_and_send(self: Any, request: requests.PreparedRequest, **more: Any) -> Any:
        sent.append(request)
        return send(self, request, **more)

    monkeypatch.setattr(client._Deadline, "send", note_and_send)
    return sent


def test_secret_is_encoded_as_form(
    browser: Browser, settings, requests_sent: list[requests.PreparedRequest]
) -> None:
    settings.OIDC_PROVIDERS = configured(browser.provider, secret="a:b%c d\u20ac")
    browser.provider.switch(**answer(DISCOVERY, add={client.METHODS: ["client_secret_basic"]}))
    browser.go()
    login = b64decode(requests_sent[-1].headers["Authorization"].removeprefix("Basic ")).decode()
    assert login == "ordinal:a%3Ab%25c+d%E2%82%AC"


def test_netrc_replaces_no_token(
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    requests_sent: list[requests.PreparedRequest],
) -> None:
    file = tmp_path / "netrc"
    file.write_text("machine 127.0.0.1 login eve password eve")
    monkeypatch.setenv("NETRC", str(file))
    browser.provider.switch(**claims(email=None))
    assert browser.go()["Location"] == SIGN_UP
    logins = [request.headers.get("Authorization", "").split(" ")[0] for request in requests_sent]
    assert logins == ["", "", "", "Bearer"]


# Odd, and no fault: the account is made, with what can be kept. Whether it has a confirmed address.
ODD: dict[str, tuple[dict[str, Any], bool]] = {
    "no address": (claims(email=None) | answer(CLAIMS, body="{}"), False),
    "no methods": (answer(DISCOVERY, add={client.METHODS: None}), True),
    "address with the claims": (claims(email=None, email_verified=False), True),
    "no valid address": (claims(email="ada at uni") | answer(CLAIMS, body="{}"), False),
    "long address": (claims(email=f"{'a' * 300}@a.example") | answer(CLAIMS, body="{}"), False),
    "zero byte in address": (claims(email="a\0@a.example") | answer(CLAIMS, body="{}"), False),
    "address that looks like another's": (
        claims(email="\u212aate@uni.example") | answer(CLAIMS, body="{}"),
        False,
    ),
    "text as confirmation": (claims(email_verified="false"), False),
    "number as confirmation": (claims(email_verified=1), False),
    "confirmation of another address": (
        claims(email="ada at uni") | answer(CLAIMS, add={"email_verified": None}),
        False,
    ),
    "long name": (claims(given_name="A" * 300, family_name="B" * 300, name="C" * 300), True),
    "odd name": (claims(given_name="A\0\ud800\u202eda", preferred_username="<b>\0"), True),
    "lists and numbers": (
        claims(given_name=[1], name=7, preferred_username={}, amr=7, acr=[]),
        True,
    ),
    "sign-in in far future": (claims(auth_time=1e300), True),
}


@pytest.mark.parametrize("name", by_day_or_night(ODD))
@pytest.mark.both_databases(postgresql="soak")
def test_odd_claims_make_account(browser: Browser, name: str) -> None:
    switches, is_confirmed = ODD[name]
    browser.provider.switch(**switches)
    browser.go()
    page = browser.client.post(SIGN_UP, {"username": "ada"})
    assert page.status_code == 302, page.content.decode()
    user = User.objects.get()
    assert browser.account == user.pk
    assert len(user.first_name) <= 150
    confirmed = EmailAddress.objects.filter(user=user, verified=True)
    assert (
        list(confirmed.values_list("email", flat=True)) == [browser.person.address] * is_confirmed
    )


@pytest.mark.parametrize("removed", ["nothing, but it is late", "provider", "client"])
def test_waiting_sign_up_ends_with_page(browser: Browser, settings, removed: str) -> None:
    browser.go()
    if removed == "provider":
        settings.OIDC_PROVIDERS = ()
    elif removed == "client":
        settings.OIDC_PROVIDERS = configured(browser.provider, client="another")
    else:
        session = browser.client.session
        session[WAITING]["state"]["began_at"] -= 601
        session.save()
    check(browser, browser.client.post(SIGN_UP, {"username": "ada"}), Fault.STATE)
    assert WAITING not in browser.client.session
    assert browser.client.get(SIGN_UP)["Location"] == "/accounts/login/"


def test_published_private_key_verifies_nothing() -> None:
    private = rsa.generate_private_key(65537, 2048)
    token = jwt.encode({}, private, "RS256", headers={"kid": "1"})
    expected = Expected("https://uni.example", CLIENT, "nonce", now=0.0)
    for key, fault in ((private.public_key(), Fault.ISSUER), (private, Fault.KEY)):
        published = RSAAlgorithm.to_jwk(key, as_dict=True) | {"kid": "1", "key_ops": ["verify"]}
        with pytest.raises(SignOnError) as refusal:
            verify(token, {"keys": [published]}, expected)
        assert refusal.value.fault is fault


@pytest.mark.parametrize("fault", Fault)
def test_fault_has_sentence_and_cure(fault: Fault) -> None:
    for text in (fault.sentence("Uni"), fault.cure("Uni")):
        for sentence in text.rstrip(".").split(". "):
            assert 3 <= len(sentence.split()) <= 20, sentence
        assert text.endswith(".")
        assert "{" not in text
