"""Where an account is signed in: listed for its owner, and ended by its owner alone."""

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from quizzes.learners.models import User
from quizzes.worker.periodic_tasks import forget_ended_sessions
from tests.learners.accounts import PASSWORD, make_account, sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

PAGE = "/accounts/sessions/"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15"
    " (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
)
LAPTOP = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
HOSTILE = '<script>alert(1)</script>\r\nSet-Cookie: a=b\x1b[31m"onload="x'


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/password/change/").status_code == 200


def sign_in_with(agent: str) -> Client:
    client = Client(headers={"User-Agent": agent})
    client.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    return client


def test_the_owner_sees_each_browser_and_ends_all_others():
    make_account()
    phone, laptop = sign_in_with(IPHONE), sign_in_with(LAPTOP)
    page = laptop.get(PAGE).content.decode()
    assert "Safari on iPhone" in page
    assert "Firefox on Linux" in page
    assert "Mozilla" not in page
    assert page.count("this browser") == 1
    assert laptop.get(PAGE).status_code == 200
    assert is_signed_in(phone)
    laptop.post(PAGE)
    assert not is_signed_in(phone)
    assert is_signed_in(laptop)
    laptop.post(PAGE)  # twice is as good as once
    assert UserSession.objects.count() == 1


def test_another_account_sees_and_ends_nothing_of_it():
    make_account()
    phone = sign_in_with(IPHONE)
    User.objects.create_user("bea", "bea@example.org", PASSWORD)
    bea = sign_in("bea")
    assert "iPhone" not in bea.get(PAGE).content.decode()
    bea.post(PAGE)
    assert is_signed_in(phone)
    assert Client().get(PAGE).status_code == 302
    assert Client().post(PAGE).status_code == 302


def test_looking_changes_nothing():
    make_account()
    client = sign_in_with(IPHONE)
    before = UserSession.objects.values().get()
    client.get("/")
    client.get(PAGE)
    assert UserSession.objects.values().get() == before


def test_what_a_browser_calls_itself_is_only_text():
    make_account()
    client = sign_in_with(HOSTILE * 20)
    page = client.get(PAGE).content.decode()
    assert "<script>alert" not in page
    assert "Unknown browser" in page


@pytest.mark.both_databases
def test_a_changed_password_ends_the_others():
    make_account()
    phone, laptop = sign_in_with(IPHONE), sign_in_with(LAPTOP)
    form = {"oldpassword": PASSWORD, "password1": "another-long-9", "password2": "another-long-9"}
    assert laptop.post("/accounts/password/change/", form).status_code == 302
    assert not is_signed_in(phone)
    assert is_signed_in(laptop)


FORMER, PRESENT = "former-key-" * 6, "present-key" * 6


@pytest.mark.both_databases
def test_after_a_change_of_the_key_all_sessions_are_listed_and_ended(settings):
    settings.SECRET_KEY = FORMER
    make_account()
    phone, laptop = sign_in_with(IPHONE), sign_in_with(LAPTOP)
    opened = set(UserSession.objects.values_list("user_agent", "created_at"))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = PRESENT, [FORMER]
    keys = {one.session.session_key for one in (phone, laptop)}
    phone.get("/review/")
    page = laptop.get(PAGE).content.decode()  # the page itself is the first to ask for the account
    assert keys.isdisjoint(one.session.session_key for one in (phone, laptop))
    assert page.count("iPhone") == page.count("Firefox on Linux") == 1
    assert page.count("this browser") == 1
    forget_ended_sessions()
    assert set(UserSession.objects.values_list("user_agent", "created_at")) == opened
    laptop.post(PAGE)
    assert not is_signed_in(phone)
    assert is_signed_in(laptop)


def test_list_after_new_key_signs_nobody_out(settings):
    """A browser that has not come back since is listed, and its session goes on.

    Nor does another sign-in.
    """
    settings.SECRET_KEY = FORMER
    make_account()
    phone, laptop = sign_in_with(IPHONE), sign_in_with(LAPTOP)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = PRESENT, [FORMER]
    assert "Safari on iPhone" in laptop.get(PAGE).content.decode()
    sign_in_with("Tablet/3")
    assert is_signed_in(phone)


def test_list_leaves_out_what_opens_nothing(settings):
    make_account()
    for agent in ("Edg/1", "OPR/2"):
        sign_in_with(agent)
    ended, expired = UserSession.objects.order_by("pk")
    Session.objects.filter(pk=ended.session_key).delete()
    Session.objects.filter(pk=expired.session_key).update(expire_date=timezone.now())
    settings.SECRET_KEY, former = PRESENT, settings.SECRET_KEY
    sign_in_with("Vivaldi/3")
    settings.SECRET_KEY = former
    page = sign_in_with(LAPTOP).get(PAGE).content.decode()
    assert [name in page for name in ("Edge", "Opera", "Vivaldi")] == 3 * [False]
    assert page.count("Firefox on Linux") == 1


def test_a_session_that_did_not_come_since_the_key_was_changed_is_ended_too(settings):
    settings.SECRET_KEY = FORMER
    make_account()
    phone, laptop = sign_in_with(IPHONE), sign_in_with(LAPTOP)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = PRESENT, [FORMER]
    laptop.post(PAGE)
    assert not is_signed_in(phone)
    assert is_signed_in(laptop)


def test_a_session_from_before_the_list_is_listed_with_its_next_page():
    phone = Client(headers={"User-Agent": IPHONE})
    phone.force_login(make_account(), backend="django.contrib.auth.backends.ModelBackend")
    assert not UserSession.objects.exists()
    assert phone.get(PAGE).content.decode().count("Safari on iPhone") == 1
    laptop = sign_in_with(LAPTOP)
    assert "Safari on iPhone" in laptop.get(PAGE).content.decode()
    laptop.post(PAGE)
    assert not is_signed_in(phone)


def test_the_list_costs_a_page_nothing_and_gives_visitors_no_session(django_assert_num_queries):
    make_account()
    client = sign_in_with(IPHONE)
    client.get("/robots.txt")
    with django_assert_num_queries(1):  # the session, for what a later middleware looks up there
        client.get("/robots.txt")
    visitor = Client()
    visitor.cookies[settings.SESSION_COOKIE_NAME] = "made-up-by-somebody-else-0123456"
    for one in (Client(), visitor):
        one.get("/")
    assert Session.objects.count() == 1, "that of the account"
