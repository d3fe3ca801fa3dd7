"""Where an account is signed in: listed for its owner, and ended by its owner alone."""

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from quizzes.learners.models import User
from tests.learners.accounts import PASSWORD, make_account, sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

PAGE = "/accounts/sessions/"
HOSTILE = '<script>alert(1)</script>\r\nSet-Cookie: a=b\x1b[31m"onload="x'


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/password/change/").status_code == 200


def sign_in_with(agent: str) -> Client:
    client = Client(headers={"User-Agent": agent})
    client.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    return client


def test_the_owner_sees_each_browser_and_ends_all_others():
    make_account()
    phone, laptop = sign_in_with("Phone/1"), sign_in_with("Laptop/2")
    page = laptop.get(PAGE).content.decode()
    assert "Phone/1" in page
    assert "Laptop/2" in page
    assert page.count("this one") == 1
    assert laptop.get(PAGE).status_code == 200
    assert is_signed_in(phone)
    laptop.post(PAGE)
    assert not is_signed_in(phone)
    assert is_signed_in(laptop)
    laptop.post(PAGE)  # twice is as good as once
    assert UserSession.objects.count() == 1


def test_another_account_sees_and_ends_nothing_of_it():
    make_account()
    phone = sign_in_with("Phone/1")
    User.objects.create_user("bea", "bea@example.org", PASSWORD)
    bea = sign_in("bea")
    assert "Phone/1" not in bea.get(PAGE).content.decode()
    bea.post(PAGE)
    assert is_signed_in(phone)
    assert Client().get(PAGE).status_code == 302
    assert Client().post(PAGE).status_code == 302


def test_looking_changes_nothing():
    make_account()
    client = sign_in_with("Phone/1")
    before = UserSession.objects.values().get()
    client.get("/")
    client.get(PAGE)
    assert UserSession.objects.values().get() == before


def test_what_a_browser_calls_itself_is_only_text():
    make_account()
    client = sign_in_with(HOSTILE * 20)
    page = client.get(PAGE).content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


@pytest.mark.both_databases
def test_a_changed_password_ends_the_others():
    make_account()
    phone, laptop = sign_in_with("Phone/1"), sign_in_with("Laptop/2")
    form = {"oldpassword": PASSWORD, "password1": "another-long-9", "password2": "another-long-9"}
    assert laptop.post("/accounts/password/change/", form).status_code == 302
    assert not is_signed_in(phone)
    assert is_signed_in(laptop)
