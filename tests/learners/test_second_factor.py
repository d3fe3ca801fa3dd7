"""The second factor: set up, asked for, not taken twice, not guessed, required of who teaches."""

import re
import time
from datetime import timedelta
from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, override_settings
from django.urls import get_resolver, reverse
from django.utils import timezone

from quizzes.learners.models import INSTRUCTORS, User
from quizzes.learners.second_factor import (
    ASKING_FOR_A_CODE,
    REQUIRED_AFTER,
    SecondFactorAdapter,
    has_second_factor,
    must_have_one_from,
)
from tests.learners.accounts import PASSWORD, copy_session, make_account, make_stale, sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

AGAIN = "/accounts/reauthenticate/"
CODE_AGAIN = "/accounts/2fa/reauthenticate/"
INDEX = "/accounts/2fa/"
CODE_PAGE = "/accounts/2fa/authenticate/"


@pytest.fixture
def ada() -> User:
    return make_account()


@pytest.fixture(autouse=True)
def begin_of_a_period(monkeypatch):
    """Let time stand at the beginning of a period: codes would change meanwhile."""
    period = int(time.time()) // 30 * 30
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.time.time", lambda: period + 1)


def code(secret: str, *, periods: int = 0) -> str:
    from allauth.mfa.totp.internal import auth

    return format_hotp_value(hotp_value(secret, int(auth.time.time()) // 30 + periods))


def set_up(client: Client) -> str:
    """Set up a second factor through the pages; return its secret."""
    page = client.get("/accounts/2fa/totp/activate/")
    assert page.status_code == 200
    secret = re.search(
        r'<code class="entrance__address">([A-Z2-7]{32})</code>', page.content.decode()
    )
    assert secret is not None
    answer = client.post("/accounts/2fa/totp/activate/", {"code": code(secret[1], periods=0)})
    assert answer.status_code == 302, answer.content.decode()
    return secret[1]


def give_password(client: Client | None = None) -> tuple[Client, object]:
    client = client or Client()
    form = {"login": "ada", "password": PASSWORD}
    return client, client.post("/accounts/login/", form)


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


@pytest.mark.django_db(transaction=True)  # messages are sent when the change is kept
def test_it_is_set_up_told_by_mail_and_asked_for_at_the_sign_in(ada):
    client = sign_in()
    secret = set_up(client)
    assert has_second_factor(ada)
    assert "recovery" in client.get("/accounts/2fa/recovery-codes/").content.decode().lower()
    assert [one.to for one in mail.outbox][-1] == [ada.email]
    other, answer = give_password()
    assert answer["Location"].startswith(CODE_PAGE)
    assert not is_signed_in(other)
    for address in ("/me/data/", INDEX, "/accounts/email/"):
        assert other.get(address).status_code == 302 or not is_signed_in(other)
    assert other.post(CODE_PAGE, {"code": "000000"}).status_code == 200
    assert not is_signed_in(other)
    cache.clear()  # the code that set it up is of this very period
    assert other.post(CODE_PAGE, {"code": code(secret)}).status_code == 302
    assert is_signed_in(other)


@pytest.mark.django_db(transaction=True)  # sessions are ended when the change is kept
def test_setting_it_up_ends_all_other_sessions_and_says_so(ada):
    thief, client = sign_in(), sign_in()
    User.objects.create_user("bea", "bea@example.org", PASSWORD)
    bea = sign_in("bea")
    assert (
        "signed out everywhere else" in client.get("/accounts/2fa/totp/activate/").content.decode()
    )
    set_up(client)
    assert not is_signed_in(thief)
    assert is_signed_in(client)
    assert is_signed_in(bea)
    page = client.get("/accounts/2fa/recovery-codes/").content.decode()
    assert "You have been signed out everywhere else." in page
    other, _ = give_password()
    recovery = re.findall(r"<li><code>(\d+)</code></li>", page)[0]
    assert other.post(CODE_PAGE, {"code": recovery}).status_code == 302
    client.post("/accounts/2fa/recovery-codes/generate/")
    assert is_signed_in(other)


def test_the_code_that_sets_it_up_opens_no_sign_in(ada):
    secret = set_up(sign_in())
    client, _ = give_password()
    for _ in range(2):
        assert client.post(CODE_PAGE, {"code": code(secret)}).status_code == 200
    assert not is_signed_in(client)


@pytest.mark.both_databases
def test_a_code_is_taken_once_and_only_in_its_half_minute(ada):
    secret = set_up(sign_in())
    cache.clear()
    first, _ = give_password()
    assert first.post(CODE_PAGE, {"code": code(secret)}).status_code == 302
    second, _ = give_password()
    for wrong in (code(secret), code(secret, periods=-1), code(secret, periods=1), "", "abc"):
        assert second.post(CODE_PAGE, {"code": wrong}).status_code == 200
    assert is_signed_in(first)
    assert not is_signed_in(second)


def test_a_pasted_code_opens_as_a_typed_one_does(ada):
    secret = set_up(sign_in())
    cache.clear()
    first, _ = give_password()
    typed = code(secret)
    pasted = f"\ufeff{typed[:3]}\u200b\u00a0{typed[3:]}\u202c"
    assert first.post(CODE_PAGE, {"code": pasted}).status_code == 302
    second, _ = give_password()
    for again in (
        typed,
        pasted,
        f"{typed}\u200d",
        "".join(chr(ord(one) + 0xFEE0) for one in typed),
    ):
        assert second.post(CODE_PAGE, {"code": again}).status_code == 200  # it was used


def test_codes_cannot_be_guessed_even_when_cookies_are_thrown_away(ada):
    secret = set_up(sign_in())
    cache.clear()
    for _ in range(12):
        client, _answer = give_password()
        client.post(CODE_PAGE, {"code": "123456"})
    client, _answer = give_password()
    page = client.post(CODE_PAGE, {"code": code(secret)})
    assert "Too many codes were tried" in page.content.decode()
    assert not is_signed_in(client)


@pytest.mark.both_databases
def test_a_recovery_code_opens_once(ada):
    client = sign_in()
    set_up(client)
    page = client.get("/accounts/2fa/recovery-codes/").content.decode()
    first = re.findall(r"<li><code>(\d+)</code></li>", page)[0]
    other, _ = give_password()
    assert other.post(CODE_PAGE, {"code": first}).status_code == 302
    assert is_signed_in(other)
    again, _ = give_password()
    assert again.post(CODE_PAGE, {"code": first}).status_code == 200
    assert not is_signed_in(again)


def test_the_secret_is_not_in_the_database_and_a_former_key_still_opens_it(ada, settings):
    secret = set_up(sign_in())
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM mfa_authenticator")
        assert secret not in str(cursor.fetchall())
    kept = Authenticator.objects.get(type="totp").data["secret"]
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another" * 10
    assert SecondFactorAdapter().decrypt(kept) == secret


def test_neither_export_nor_an_open_session_gives_it_away(ada):
    client = sign_in()
    secret = set_up(client)
    kept = Authenticator.objects.get(type="totp").data["secret"]
    text = client.get("/me/data/export/").content.decode()
    assert ada.email in text
    assert secret not in text
    assert kept not in text
    assert client.session.session_key not in text
    old = make_stale(copy_session(client))
    for address in (
        "/accounts/2fa/totp/deactivate/",
        "/accounts/2fa/recovery-codes/generate/",
        "/accounts/2fa/recovery-codes/",
        "/accounts/2fa/recovery-codes/download/",
    ):
        for ask in (old.get, old.post):
            answer = ask(address)
            assert answer["Location"].startswith(CODE_AGAIN), address
    assert has_second_factor(ada)


WEAKENING = {  # view: whether it takes a post
    "mfa_deactivate_totp": True,
    "mfa_generate_recovery_codes": True,
    "mfa_view_recovery_codes": False,
    "mfa_download_recovery_codes": False,
}


def test_a_typed_password_alone_neither_takes_it_away_nor_reads_recovery_codes(ada):
    client = sign_in()
    secret = set_up(client)
    make_stale(client)
    client.post(AGAIN, {"password": PASSWORD})
    assert client.get("/accounts/2fa/totp/activate/").status_code == 302, "the password counts"
    for view, takes_posts in WEAKENING.items():
        for ask in (client.get, *([client.post] if takes_posts else [])):
            answer = ask(reverse(view))
            assert answer["Location"].startswith(CODE_AGAIN), view
    assert has_second_factor(ada)
    cache.clear()
    page = client.get(answer["Location"]).content.decode()
    assert "Use your password" not in page
    form = {"code": code(secret), "next": reverse("mfa_deactivate_totp")}
    assert client.post(CODE_AGAIN, form)["Location"] == reverse("mfa_deactivate_totp")
    for view in WEAKENING:
        assert client.get(reverse(view)).status_code == 200, view
    client.post(reverse("mfa_deactivate_totp"))
    assert not has_second_factor(ada)


def test_every_page_of_the_second_factor_was_thought_about():
    """A page of a later allauth that changes it must not open with the password alone."""
    harmless = {"mfa_index", "mfa_authenticate", "mfa_reauthenticate", "mfa_activate_totp"}
    pages, left = set(), list(get_resolver("allauth.mfa.urls").url_patterns)
    while left:
        one = left.pop()
        left += getattr(one, "url_patterns", [])
        pages |= {one.name} if getattr(one, "name", None) else set()
    assert pages == harmless | ASKING_FOR_A_CODE == harmless | set(WEAKENING)


def test_another_s_session_cannot_touch_it(ada):
    set_up(sign_in())
    User.objects.create_user("bea", "bea@example.org", PASSWORD)
    bea = sign_in("bea")
    assert bea.post("/accounts/2fa/totp/deactivate/").status_code == 404
    assert bea.get("/accounts/2fa/recovery-codes/").status_code == 404
    assert has_second_factor(ada)


def test_a_new_password_does_not_open_what_asks_for_a_code(ada):
    set_up(sign_in())
    client = Client()
    client.post("/accounts/password/reset/", {"email": ada.email})
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", mail.outbox[-1].body)
    assert link is not None
    page = client.get(link[1], follow=True)
    form = {"password1": "another-long-9", "password2": "another-long-9"}
    client.post(page.redirect_chain[-1][0], form)
    assert not is_signed_in(client)
    form = {"login": "ada", "password": "another-long-9"}
    assert client.post("/accounts/login/", form)["Location"].startswith(CODE_PAGE)


def test_the_operator_takes_it_away(ada):
    set_up(sign_in())
    sent, said = len(mail.outbox), StringIO()
    call_command("reset_mfa", "ADA", stdout=said)
    assert "password alone" in said.getvalue()
    assert not Authenticator.objects.exists()
    assert mail.outbox[sent].to == [ada.email]
    client, _ = give_password()
    assert is_signed_in(client)
    call_command("reset_mfa", "ada", stdout=said)
    assert "has no second factor" in said.getvalue()
    with pytest.raises(CommandError, match="no account has this"):
        call_command("reset_mfa", "nobody-here")


def instructor(ada: User, *, days: float) -> User:
    from django.contrib.auth.models import Group

    ada.groups.add(Group.objects.get_or_create(name=INSTRUCTORS)[0])
    User.objects.update(first_signed_in_at=timezone.now() - timedelta(days=days))
    return User.objects.get(pk=ada.pk)


def test_an_instructor_needs_one_after_fourteen_days_in_production(ada):
    client = sign_in()
    instructor(ada, days=13.9)
    with override_settings(PRODUCTION=True):
        page = client.get("/teach/")
        assert page.status_code == 200
        assert "teaching accounts on this site will need a second factor" in page.content.decode()
        instructor(ada, days=14.1)
        for ask, address in ((client.get, "/teach/"), (client.post, "/review/"), (client.get, "/")):
            assert ask(address)["Location"] == "/accounts/2fa/totp/activate/", address
        assert client.get("/healthz").status_code in {200, 503}
        assert client.get("/me/data/").status_code == 200
        set_up(client)
        assert client.get("/teach/").status_code == 200
    client.logout()


def test_nobody_else_and_no_development_site_asks_for_one(ada):
    client = sign_in()
    assert User.objects.get().first_signed_in_at is not None
    User.objects.update(first_signed_in_at=timezone.now() - timedelta(days=400))
    with override_settings(PRODUCTION=True):
        assert must_have_one_from(User.objects.get()) is None
        assert client.get("/review/").status_code == 200
    instructor(ada, days=400)
    assert client.get("/teach/").status_code == 200
    assert must_have_one_from(User.objects.get()) is None


@override_settings(PRODUCTION=True)
def test_a_superuser_needs_one_and_a_day_counts_from_the_first_sign_in():
    root = make_account("root", superuser=True)
    assert must_have_one_from(root) is None
    sign_in("root")
    first = User.objects.get().first_signed_in_at
    assert must_have_one_from(User.objects.get()) == first + REQUIRED_AFTER
    sign_in("root")
    assert User.objects.get().first_signed_in_at == first


@pytest.mark.both_databases
def test_demo_logins_are_exempt_and_refused_in_production(ada):
    instructor(ada, days=400)
    User.objects.update(is_demo=True)
    client, answer = give_password()
    assert is_signed_in(client)
    with override_settings(PRODUCTION=True):
        other, answer = give_password()
        assert answer["Location"] == "/accounts/inactive/"
        assert not is_signed_in(other)


def test_without_its_key_a_second_factor_stays_closed(ada, settings):
    secret = set_up(sign_in())
    settings.SECRET_KEY = "another" * 10
    client, _ = give_password()
    for guess in (code(secret), code("")):
        assert client.post(CODE_PAGE, {"code": guess}).status_code == 200
    assert not is_signed_in(client)
    call_command("reset_mfa", "ada", stdout=StringIO())
    client, _ = give_password()
    assert is_signed_in(client)
