"""Every page of the accounts application is drawn in our frame, with our words."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from tests.factories import create_account

PASSWORD = "long-enough-7"


@pytest.fixture
def ada(db):
    return create_account("ada", email="ada@example.org", password=PASSWORD, verified=False)


@pytest.fixture
def signed_in(ada):
    client = Client()
    assert (
        client.post("/accounts/login/", {"login": "ada", "password": PASSWORD}).status_code == 302
    )
    return client


def heading(response) -> str:
    assert response.status_code == 200
    html = response.content.decode()
    assert 'class="site-header"' in html
    found = re.findall(r"<h1>(.*?)</h1>", html)
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/accounts/login/", "Sign in"),
        ("/accounts/signup/", "Sign up"),
        ("/accounts/inactive/", "This account is disabled"),
        ("/accounts/password/reset/", "Set a new password"),
        ("/accounts/password/reset/done/", "Check your e-mail"),
        ("/accounts/password/reset/key/1-nonsense/", "This link no longer works"),
        ("/accounts/password/reset/key/done/", "Your password has been changed"),
        ("/accounts/confirm-email/nonsense/", "This link no longer works"),
    ],
)
def test_pages_of_a_visitor(client, db, path, words):
    assert heading(client.get(path)) == words


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/accounts/password/change/", "Change your password"),
        ("/accounts/email/", "E-mail address"),
        ("/accounts/logout/", "Sign out?"),
        ("/accounts/reauthenticate/", "Confirm that it is you"),
    ],
)
def test_pages_of_an_account(signed_in, path, words):
    assert heading(signed_in.get(path)) == words


def test_an_address_is_listed_with_what_is_known_of_it(signed_in):
    html = signed_in.get("/accounts/email/").content.decode()
    assert "ada@example.org" in html
    assert "main address" in html
    assert "not confirmed" in html


def test_a_forgotten_password_is_set_through_the_message(client, ada):
    EmailAddress.objects.update(verified=True)
    assert client.post("/accounts/password/reset/", {"email": ada.email}).status_code == 302
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", mail.outbox[0].body)
    assert link is not None
    page = client.get(link.group(1), follow=True)
    assert heading(page) == "Choose a new password"
    action = page.redirect_chain[-1][0]
    new = {"password1": "another-long-8", "password2": "another-long-8"}
    assert heading(client.post(action, new, follow=True)) == "Your password has been changed"
    again = {"login": "ada", "password": "another-long-8"}
    assert Client().post("/accounts/login/", again).status_code == 302


def test_a_password_is_changed_and_the_learner_stays_signed_in(signed_in):
    form = {"oldpassword": PASSWORD, "password1": "another-long-8", "password2": "another-long-8"}
    assert signed_in.post("/accounts/password/change/", form).status_code == 302
    assert heading(signed_in.get("/accounts/password/change/")) == "Change your password"


def test_every_field_has_its_label_and_its_error(client, db):
    form = {"username": "a b", "email": "nonsense", "password1": "12345678"}
    html = client.post("/accounts/signup/", form).content.decode()
    for name in ("username", "email", "password1"):
        assert f'<label for="id_{name}">' in html
        assert f'id="id_{name}_error"' in html


def test_a_name_cannot_bring_markup_into_the_frame(django_user_model, db):
    client = Client()
    django_user_model.objects.create_user("<b>eve</b>", password=PASSWORD)
    client.post("/accounts/login/", {"login": "<b>eve</b>", "password": PASSWORD})
    html = client.get("/no/such/page/").content.decode()
    assert "<b>eve" not in html
    assert "&lt;b&gt;eve&lt;/b&gt;" in html
