"""`manage.py doctor` and providers: each fault is named, with its cure; nothing hangs."""

import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from io import StringIO
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.core.management import CommandError, call_command
from django.test import override_settings

from quizzes.learners.models import User
from quizzes.learners.sign_on import client
from quizzes.learners.sign_on.faults import SignOnError
from quizzes.learners.sign_on.id_token import ALGORITHMS
from quizzes.learners.sign_on.provider_check import CheckResult, check_provider
from quizzes.learners.sign_on.providers import OidcProvider
from quizzes.operations import doctor
from tests.learners.sign_on.provider import Browser, Provider, configured
from tests.learners.sign_on.provider_process import SECRET

DISCOVERY = "/.well-known/openid-configuration"
KEYS = "/.well-known/jwks.json"
SILENT = "http://127.0.0.1:9/none"
ORDINAL_REFUSES = "Answers are refused from 60 s on."


def of(path: str, **instead: object) -> dict[str, Any]:
    return {"answers": {path: instead}}


def add(**values: object) -> dict[str, Any]:
    return of(DISCOVERY, add=values)


def wrong(provider: OidcProvider) -> list[CheckResult]:
    results = list(check_provider(provider))
    assert all(result.cure for result in results if not result.well), results
    return [result for result in results if not result.well]


# What the provider says, what is said of it, and a part of the cure.
FAULTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "wrong address": (of(DISCOVERY, status=404), f"{DISCOVERY} answers 404", "Correct"),
    "moved": (
        of(DISCOVERY, status=302, headers={"Location": "/elsewhere"}),
        f"{DISCOVERY} answers 302",
        "A redirect is not followed",
    ),
    "page": (of(DISCOVERY, body="<html>"), "no JSON", "it must show JSON, not a page"),
    "list": (of(DISCOVERY, body="[]"), "no JSON object", "it must show JSON"),
    "failing": (of(DISCOVERY, status=503), f"{DISCOVERY} answers 503", "fails by itself"),
    "too much": (of(DISCOVERY, body="x" * 1000, times=300), "more than 262144 bytes", "JSON"),
    "another issuer": (
        add(issuer="https://evil.example"),
        "issuer is 'https://evil.example', expected 'http://127.0.0.1:",
        'give the provider a new "id"',
    ),
    "long issuer": (
        add(issuer="x" * 9000),
        f"issuer is '{'x' * 199}, expected 'http://127.0.0.1:",
        "to the issuer that it names",
    ),
    "plain address": (
        add(token_endpoint="http://uni.example/token"),
        "token_endpoint is 'http://uni.example/token', expected an https address",
        "to publish https addresses",
    ),
    "no PKCE": (
        add(code_challenge_methods_supported=["plain"]),
        "code_challenge_methods_supported is ['plain'], expected one of ['S256']",
        "turn on PKCE with S256",
    ),
    "secret as signature": (
        add(id_token_signing_alg_values_supported=["HS256"]),
        "id_token_signing_alg_values_supported is ['HS256'], expected one of ['ES256'",
        "with RS256",
    ),
    "no code": (
        add(response_types_supported=["id_token"]),
        "response_types_supported is ['id_token'], expected one of ['code']",
        "the authorization code flow",
    ),
    "no secret": (
        add(token_endpoint_auth_methods_supported=["private_key_jwt"]),
        "token_endpoint_auth_methods_supported is ['private_key_jwt'], expected one of",
        "authenticate with a secret",
    ),
    "no addresses": (
        add(scopes_supported=["openid", "profile"]),
        "scopes_supported is ['openid', 'profile'], expected all of ['email', 'openid', 'profile']",
        "the scopes openid, email and profile",
    ),
    "no keys": ({"published": []}, "no published key can be used", "publish the key that signs"),
    "keys for encryption": (
        of(KEYS, body='{"keys": [{"kty": "oct", "k": "c2VjcmV0", "use": "enc"}]}'),
        "0 keys for signatures at http",
        "publish the key that signs",
    ),
    "keys not there": (of(KEYS, status=404), "jwks_uri answers 404", "publish the key that signs"),
    "page as keys": (of(KEYS, body="<html>"), "no JSON", "publish the key that signs"),
    "failing keys": (of(KEYS, status=500), f"{KEYS} answers 500", "fails by itself"),
}


def test_right_provider_has_no_fault(provider: Provider) -> None:
    (uni, _) = configured(provider)
    assert wrong(uni) == []
    details = " ".join(result.detail for result in check_provider(uni))
    assert f"{provider.url}{DISCOVERY} answers, with the right issuer" in details
    assert "2 keys for signatures" in details
    assert "its clock is" in details


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_named_with_cure(provider: Provider, name: str) -> None:
    switches, detail, cure = FAULTS[name]
    provider.switch(**switches)
    (result,) = wrong(configured(provider)[0])
    assert detail in result.detail
    assert cure in result.cure


def test_several_faults_are_named_together(provider: Provider) -> None:
    provider.switch(**add(code_challenge_methods_supported=[], scopes_supported=["openid"]))
    assert len(wrong(configured(provider)[0])) == 2


def test_what_is_unsaid_is_no_fault(provider: Provider) -> None:
    """Entra ID supports PKCE, and does not list it."""
    provider.switch(**add(code_challenge_methods_supported=None))
    (uni, _) = configured(provider)
    assert wrong(uni) == []
    details = " ".join(result.detail for result in check_provider(uni))
    assert "it does not say code_challenge_methods_supported" in details


@pytest.mark.parametrize(("seconds", "way"), [(300, "ahead of"), (-300, "behind"), (60, "")])
def test_clock_is_compared(provider: Provider, seconds: int, way: str) -> None:
    said = format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
    (uni, _) = configured(provider)
    document = client.read_discovery(uni).document
    provider.switch(**of(DISCOVERY, body=json.dumps(document), headers={"Date": said}))
    results = wrong(uni)
    assert len(results) == bool(way)
    for result in results:
        assert f" s {way} this machine's clock" in result.detail
        assert ORDINAL_REFUSES in result.cure


@pytest.mark.parametrize("age", ["300", "soon", "nan"])
def test_answer_of_cache_is_as_old_as_it_says(provider: Provider, age: str) -> None:
    said = format_datetime(datetime.now(UTC) - timedelta(seconds=300), usegmt=True)
    (uni, _) = configured(provider)
    document = client.read_discovery(uni).document
    headers = {"Date": said, "Age": age}
    provider.switch(**of(DISCOVERY, body=json.dumps(document), headers=headers))
    assert wrong(uni) == []


# ---- without an answer


def test_closed_port_is_named(provider: Provider) -> None:
    (result,) = wrong(configured(provider, discovery=SILENT)[0])
    assert "nothing answers there (Connection refused)" in result.detail
    assert "Start the provider" in result.cure


def test_unknown_name_is_named(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    (result,) = wrong(configured(provider, discovery="https://nowhere.example")[0])
    assert (
        "nowhere.example/.well-known/openid-configuration: the name of its host is unknown"
        in result.detail
    )
    assert "DNS" in result.cure


def test_broken_proxy_is_named(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    (result,) = wrong(configured(provider, discovery="https://uni.example")[0])
    assert "the proxy does not lead there" in result.detail
    assert "NO_PROXY" in result.cure


def test_hanging_provider_holds_doctor_once(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "TIMEOUTS", (0.3, 0.4))
    provider.switch(**of(DISCOVERY, seconds=2))
    begin = monotonic()
    (result,) = wrong(configured(provider)[0])
    assert monotonic() - begin < 1.5
    assert "no whole answer within" in result.detail
    assert "A firewall" in result.cure
    (again,) = wrong(configured(provider)[0])
    assert again.detail.startswith("it was not asked: ")
    assert again.detail.endswith("ReadTimeout, a moment ago")


@contextmanager
def tls_server(folder: Path) -> Iterator[str]:
    """Serve with a certificate that nobody signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "uni.example")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
    ).sign(key, hashes.SHA256())
    encoding = serialization.Encoding.PEM
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(encoding))
    (folder / "key.pem").write_bytes(
        key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                context.wrap_socket(connection, server_side=True)

        Thread(target=serve, daemon=True).start()
        yield f"https://127.0.0.1:{server.getsockname()[1]}"


def test_untrusted_certificate_is_named(provider: Provider, tmp_path: Path) -> None:
    with tls_server(tmp_path) as address:
        (result,) = wrong(configured(provider, discovery=address)[0])
    assert "its certificate is not trusted: " in result.detail
    assert "certificate verify failed" in result.detail
    assert "REQUESTS_CA_BUNDLE" in result.cure


# ---- in the doctor


def said() -> str:
    out = StringIO()
    with suppress(CommandError):
        call_command("doctor", only="web", stdout=out)
    return out.getvalue()


@pytest.mark.django_db
@override_settings(SITE_ADDRESS="https://ordinal.uni.example:8443")
def test_doctor_prints_providers_and_callback(provider: Provider, settings) -> None:
    settings.OIDC_PROVIDERS = configured(provider, discovery=SILENT)
    text = said()
    assert f"WRONG sign-on uni: {SILENT}{DISCOVERY}: nothing answers there" in text
    assert "ok    sign-on lab: it supports the sign-in that Ordinal asks for" in text
    callback = "https://ordinal.uni.example:8443/accounts/oidc/lab/login/callback/"
    assert f"ok    sign-on lab: the provider must allow the redirect address {callback}" in text
    assert SECRET not in text
    settings.SITE_ADDRESS = ""  # ALLOWED_HOSTS begins with a pattern
    assert "address https://SITE/accounts/oidc/lab/login/callback/" in said()
    settings.OIDC_PROVIDERS = ()
    assert "ok    sign-on: no provider: OIDC_PROVIDERS is empty" in said()


def without_second_factor() -> tuple[str, str]:
    with override_settings(PRODUCTION=True):
        (diagnosis,) = [row for row in doctor.examine_people() if "second factor" in row.detail]
    return diagnosis.detail, "" if diagnosis.well else diagnosis.cure


@pytest.mark.django_db
@pytest.mark.slow
def test_doctor_counts_second_factor_of_provider(provider: Provider, settings) -> None:
    browser = Browser(provider, provider.person("olga"))
    browser.sign_up()
    User.objects.update(is_superuser=True)
    detail, cure = without_second_factor()
    assert detail == "1 accounts that teach or administer have no second factor"
    assert f"{browser.person.name}. That of a provider counts here from the next sign-in" in cure
    provider.switch(claims={"amr": ["pwd", "mfa"]})
    Browser(provider, browser.person).go()
    assert SocialAccount.objects.get().extra_data["second_factor"] == "mfa"
    detail, cure = without_second_factor()
    assert detail.endswith("; 1 gave one to their provider at the last sign-in")
    assert not cure
    settings.OIDC_PROVIDERS = configured(provider, second_factor=["hwk"])
    assert browser.person.name in without_second_factor()[1], "its value stands for none any more"
    settings.OIDC_PROVIDERS = configured(provider)
    provider.switch()
    Browser(provider, browser.person).go()
    assert browser.person.name in without_second_factor()[1], "the last sign-in had none"


def test_check_accepts_what_tokens_are_verified_with(provider: Provider) -> None:
    for algorithm in ALGORITHMS:
        provider.switch(**add(id_token_signing_alg_values_supported=[algorithm, "HS256"]))
        assert wrong(configured(provider)[0]) == []


def test_check_reads_what_provider_says_now(provider: Provider) -> None:
    uni = configured(provider)[0]
    configuration = client.known_configuration(uni)
    assert client.known_keys(uni, configuration)
    assert not wrong(uni)
    provider.switch(published=[])
    assert [result.detail for result in wrong(uni)] == ["no published key can be used"]
    provider.switch(**of(DISCOVERY, status=404))
    assert "answers 404" in wrong(uni)[0].detail
    assert client.known_configuration(uni) == configuration


def test_newer_keys_are_read_once_a_minute(provider: Provider) -> None:
    uni = configured(provider)[0]
    configuration = client.known_configuration(uni)
    old = client.known_keys(uni, configuration)
    provider.switch(**of("/.well-known/jwks.json", status=500))
    with pytest.raises(SignOnError):
        client.newer_keys(uni, configuration, than=old)
    provider.switch()
    newer = client.newer_keys(uni, configuration, than=old)
    assert newer is not None, "a failed reading does not count"
    assert client.newer_keys(uni, configuration, than=old) is newer, "another thread read them"
    assert client.newer_keys(uni, configuration, than=newer) is None
