"""The page of operators: settings without the secret, and how the last sign-ins ended."""

import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from quizzes.learners.models import User
from quizzes.learners.sign_on import client, outcomes
from quizzes.learners.sign_on.faults import Fault, error_code
from quizzes.learners.sign_on.outcomes import Outcome, last_outcomes, note_outcome
from quizzes.learners.sign_on.provider_check import check_provider
from quizzes.teaching import sign_on_views
from tests.child_environment import ENDS_WITH_US, child_environment
from tests.databases import copy_database, migrated_database
from tests.factories import browser_of, create_account, create_superuser
from tests.learners.sign_on.provider import Browser, Provider, configured
from tests.learners.sign_on.provider_process import SECRET

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PAGE = "/teach/sign-on/"
DISCOVERY = "/.well-known/openid-configuration"
TOKEN = "/identity/o/api/token"


@pytest.fixture(autouse=True)
def no_earlier_outcomes() -> None:
    outcomes._written_at.clear()


@pytest.fixture
def root() -> Client:
    return browser_of(create_superuser())


def text_of(page: Client) -> str:
    answer = page.get(PAGE)
    assert answer.status_code == 200
    return " ".join(unescape(answer.content.decode()).split())


def test_page_is_for_superusers(provider: Provider) -> None:
    assert Client().get(PAGE)["Location"] == f"/accounts/login/?next={PAGE}"
    browser = browser_of(create_account("ivy", is_staff=True))
    assert browser.get(PAGE).status_code == 403
    assert browser.post(PAGE, {"provider": "uni"}).status_code == 403


def test_page_shows_settings_without_secret(root: Client, provider: Provider, settings) -> None:
    settings.OIDC_PROVIDERS = configured(provider, secret="s-3f1c")
    text = text_of(root)
    for part in ("uni", "The Lab", provider.url, "ordinal", "mfa", "none", "yes", "no"):
        assert part in text
    assert SECRET not in text
    assert "s-3f1c" not in text
    assert "Anybody can create an account." in text
    assert "People can sign in with a password, too." in text
    settings.SIGNUP, settings.LOCAL_PASSWORDS = "invited", False
    text = text_of(root)
    assert "Only people who are invited to a class can create an account." in text
    assert "Accounts that are connected to a provider have no password here." in text


def test_page_shows_every_field_but_secret(provider: Provider) -> None:
    (uni, _) = configured(provider)
    labels = [label for label, _ in sign_on_views._settings_of(uni)]
    assert len(labels) == len(set(labels)) == len(vars(uni)) - 1


def test_page_without_provider_says_what_to_do(root: Client) -> None:
    assert "No provider is configured." in text_of(root)
    assert root.post(PAGE, {"provider": "uni"}).status_code == 404


def test_page_shows_callback_that_is_sent(root: Client, provider: Provider) -> None:
    address = Browser(provider).leave()
    (callback,) = parse_qs(urlsplit(address).query)["redirect_uri"]
    assert callback in text_of(root)


def test_page_names_other_site_address(root: Client, provider: Provider, settings) -> None:
    settings.SITE_ADDRESS = "http://testserver"
    assert "SITE_ADDRESS" not in text_of(root)
    settings.SITE_ADDRESS = "https://ordinal.example"
    text = text_of(root)
    assert "http://testserver/accounts/oidc/uni/login/callback/" in text
    assert "https://ordinal.example/accounts/oidc/uni/login/callback/" in text


# ---- how the last sign-ins ended


def test_page_shows_last_outcomes(root: Client, provider: Provider, settings) -> None:
    assert "No sign-in with Uni is noted in the last 90 days." in text_of(root)
    assert "No success is noted in the last 90 days." in text_of(root)
    browser = Browser(provider, provider.person("ada"))
    browser.sign_up()
    text = text_of(root)
    assert "Uni last confirmed a person’s identity on" in text
    assert "Somebody signed in." in text
    provider.switch(answers={DISCOVERY: {"add": {"issuer": "https://evil.example"}}})
    client.forget_all()
    browser.client.logout()
    browser.client.post("/accounts/oidc/uni/login/")
    text = text_of(root)
    assert "“The answer came from a different issuer than Uni.”" in text
    assert f"issuer is 'https://evil.example', expected '{provider.url}'" in text
    assert text.index("different issuer") < text.index("Somebody signed in.")
    assert [last.outcome for last in last_outcomes(configured(provider)[1])] == []


def test_refusal_of_this_site_is_no_fault(provider: Provider, settings) -> None:
    settings.OIDC_PROVIDERS = configured(provider, discovery="http://127.0.0.1:9/none")
    for _ in range(2):  # the second time, the provider is not asked
        outcomes._written_at.clear()
        assert Client().post("/accounts/oidc/uni/login/").status_code == 503
    (last,) = last_outcomes(settings.OIDC_PROVIDERS[0])
    assert (last.outcome, "a moment ago" in last.detail) == (Fault.SILENT, False)


def test_inactive_account_is_no_sign_in(root: Client, provider: Provider) -> None:
    browser = Browser(provider, provider.person("ada"))
    browser.sign_up()
    User.objects.filter(pk=browser.account).update(is_active=False)
    outcomes._written_at.clear()
    Browser(provider, browser.person).go()
    text = text_of(root)
    assert "Somebody was asked for a code, or the account is not active." in text
    assert "last confirmed a person’s identity on" in text
    assert "succeeded" not in text


def test_each_way_of_sign_in_is_noted(provider: Provider, settings) -> None:
    (uni, _) = configured(provider)

    def newest() -> object:
        outcomes._written_at.clear()
        return last_outcomes(uni)[0].outcome

    browser = Browser(provider, provider.person("ada"))
    browser.go()
    assert newest() is Outcome.SIGN_UP
    form = {"username": browser.person.name}
    browser.client.post("/accounts/providers/signup/", form)
    assert newest() is Outcome.SIGNED_IN
    browser.go(process="reauthenticate")
    assert newest() is Outcome.CONFIRMED
    User.objects.update(is_active=False)
    Browser(provider, browser.person).go()
    assert newest() is Outcome.NEXT_STEP
    User.objects.update(is_active=True)
    settings.SIGNUP = "closed"
    Browser(provider, provider.person("eve")).go()
    assert newest() is Outcome.NOT_OPENED
    other = Browser(provider, browser.person, client=browser_of(create_account("bea")))
    other.client.get("/")
    other.go(process="connect")
    assert newest() is Outcome.NOT_CONNECTED
    third = Browser(provider, provider.person("kim"), client=browser_of(create_account("kim")))
    third.go(process="connect")
    assert newest() is Outcome.CONNECTED


PERSONAL = {"sub": "s-u-b", "email": "adalovelace@uni.example", "name": "Adalovelace"}
# What a provider or a browser says, each with the person's name where a word of theirs could stand.
LEAKS = {
    "audience": {"claims": {**PERSONAL, "aud": "another"}},
    "subject": {"claims": {**PERSONAL, "sub": "adalovelace\u00df"}},
    "long subject": {"claims": {**PERSONAL, "sub": "adalovelace" * 30}},
    "nonce": {"claims": {**PERSONAL, "nonce": "adalovelace@uni.example"}},
    "expiry": {"claims": {**PERSONAL, "exp": "adalovelace@uni.example"}},
    "exchange": {
        "answers": {
            TOKEN: {"status": 400, "body": '{"error": "adalovelace@uni.example is locked"}'}
        }
    },
}


@pytest.mark.parametrize("name", LEAKS)
def test_page_says_nothing_of_person(root: Client, provider: Provider, name: str) -> None:
    browser = Browser(provider, provider.person("adalovelace"))
    back = browser.authorize(browser.leave())
    provider.switch(**LEAKS[name])
    assert browser.arrive(back).status_code == 502
    says_nothing(text_of(root), browser)


def says_nothing(text: str, browser: Browser) -> None:
    assert browser.person is not None
    for word in (browser.person.name, browser.person.address, "uni.example", "adalovelace"):
        assert word not in text.lower()


def test_error_in_address_is_not_repeated(root: Client, provider: Provider) -> None:
    browser = Browser(provider, provider.person("adalovelace"))
    state = parse_qs(urlsplit(browser.leave()).query)["state"][0]
    address = f"/accounts/oidc/uni/login/callback/?state={state}&error=adalovelace@uni.example"
    assert browser.client.get(address).status_code == 400
    text = text_of(root)
    assert "an error without a known code" in text
    says_nothing(text, browser)
    assert error_code("invalid_client") == "invalid_client"


def test_age_of_sign_in_is_no_time_of_day(root: Client, provider: Provider) -> None:
    browser = Browser(provider, provider.person("ada"))
    browser.sign_up()
    provider.switch(claims={"auth_time": "-3600"})
    assert browser.go(process="reauthenticate").status_code == 403
    assert "auth_time is 360" in text_of(root)


# ---- a flood, and a database that takes nothing


def test_flood_is_one_write_a_second(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "BETWEEN_WRITES", 60.0)  # as if all came within a second
    visitor, address = Client(), "/accounts/oidc/uni/login/callback/?state=x"
    with CaptureQueriesContext(connection) as first:
        assert visitor.get(address).status_code == 400
    with CaptureQueriesContext(connection) as others:
        for _ in range(20):
            assert visitor.get(address).status_code == 400
    assert any("INSERT" in query["sql"] for query in first)
    assert not any("site_cache" in query["sql"] for query in others)
    (uni, _) = configured(provider)
    note_outcome(uni, Outcome.SIGNED_IN)
    kinds = [last.outcome for last in last_outcomes(uni)]
    assert kinds == [Outcome.SIGNED_IN, Fault.STATE], "a flood of one hides no other"


def test_number_of_rows_is_bounded(provider: Provider) -> None:
    (uni, _) = configured(provider)
    for _ in range(3):
        outcomes._written_at.clear()
        for outcome in (*Outcome, *Fault):
            note_outcome(uni, outcome, "x" * 1000)
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM site_cache WHERE cache_key LIKE '%sign-on:%'")
        assert cursor.fetchone() == (len(Outcome) + len(Fault),)
    assert {len(last.detail) for last in last_outcomes(uni)} == {outcomes.MOST_DETAIL}


def test_database_without_writes_fails_no_sign_in(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise DatabaseError("database is locked")

    browser = Browser(provider, provider.person("ada"))
    browser.sign_up()
    monkeypatch.setattr(cache, "set", refuse)
    outcomes._written_at.clear()
    again = Browser(provider, browser.person)
    again.go()
    assert again.account == browser.account


TWO_PROCESSES = """
import os, django
django.setup()
from django.conf import settings
from django.db import connections
from quizzes.learners.sign_on.faults import Fault
from quizzes.learners.sign_on.outcomes import last_outcomes, note_outcome
(uni,) = settings.OIDC_PROVIDERS
note_outcome(uni, Fault.KEY, "of the first")
connections.close_all()
child = os.fork()
if not child:
    note_outcome(uni, Fault.SILENT, "of the second")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(*sorted(f"{last.code}: {last.detail}" for last in last_outcomes(uni)), sep="; ")
"""


def test_processes_share_outcomes(tmp_path: Path, shared_folder: Path) -> None:
    provider = (
        '[{"id": "uni", "name": "U", "discovery": "https://uni.example",'
        ' "client": "c", "secret": "s"}]'
    )
    done = subprocess.run(
        [*ENDS_WITH_US, sys.executable, "-c", TWO_PROCESSES],
        env=child_environment()
        | {
            "DATABASE_URL": copy_database(migrated_database(shared_folder), tmp_path),
            "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
            "OIDC_PROVIDERS": provider,
        },
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.strip() == "key: of the first; silent: of the second"


# ---- the button


def test_button_says_what_doctor_says(root: Client, provider: Provider, settings) -> None:
    settings.OIDC_PROVIDERS = configured(provider, discovery="http://127.0.0.1:9/none")
    text = unescape(root.post(PAGE, {"provider": "uni"}).content.decode())
    (result,) = check_provider(settings.OIDC_PROVIDERS[0])
    assert "What to do:" in text
    assert "ConnectionError, a moment ago" in result.detail, "nobody waits for it twice"
    assert result.cure == "Try again in 10 seconds."
    assert "nothing answers there (Connection refused)" in text
    text = unescape(root.post(PAGE, {"provider": "lab"}).content.decode())
    assert "2 keys for signatures" in text
    assert "What to do:" not in text


def test_button_holds_threads_now_and_then(root: Client, provider: Provider) -> None:
    answers = [root.post(PAGE, {"provider": "uni"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert "This provider was checked a moment ago." in answers[2].content.decode()
    assert "2 keys" not in answers[2].content.decode()
    assert root.post(PAGE, {"provider": "lab"}).status_code == 200


@pytest.mark.parametrize("name", ["", "none", "x" * 1000, "\0"])
def test_button_of_no_provider_is_not_found(root: Client, provider: Provider, name: str) -> None:
    assert root.post(PAGE, {"provider": name}).status_code == 404
