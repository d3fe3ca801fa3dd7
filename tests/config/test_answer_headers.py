"""Headers of every answer: pages are private, devices are closed, cookies are bound to the host."""

import json

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from quizzes.learners.services import learner_for_writing
from tests.config.test_settings import PRODUCTION, python
from tests.learners.accounts import PASSWORD, make_account, sign_in
from tests.learners.test_identity import visit

PAGES = ("/", "/review/", "/me/data/", "/accounts/login/", "/courses/", "/nowhere/")


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_no_shared_cache_keeps_a_page(path: str) -> None:
    make_account()
    for client in (Client(), sign_in()):
        said = client.get(path).headers["Cache-Control"]
        assert "private" in said or "no-store" in said, said
        assert "public" not in said


@pytest.mark.django_db
def test_every_answer_closes_the_devices() -> None:
    for path in (*PAGES, "/healthz"):
        said = Client().get(path).headers["Permissions-Policy"]
        assert "camera=()" in said
        assert "geolocation=()" in said


@pytest.mark.django_db
def test_every_cookie_of_production_belongs_to_the_host_alone(tmp_path, settings) -> None:
    """Look at the cookies themselves, so that one more is seen."""
    show = (
        "import json\n"
        "names = [one for one in dir(settings) if 'COOKIE' in one]\n"
        "print(json.dumps({one: getattr(settings, one) for one in names}))"
    )
    run = python(show, PRODUCTION | {"ORDINAL_VAR": str(tmp_path)})
    for name, value in json.loads(run.stdout).items():
        setattr(settings, name, value)
    make_account()
    client = Client()
    form = {"login": "ada", "password": PASSWORD}
    answers = [client.get("/accounts/login/", secure=True)]
    answers += [client.post("/accounts/login/", form, secure=True)]  # "You are signed in"
    answers += [client.get("/review/", secure=True)]  # the message is shown, its cookie cleared
    answers += [visit(learner_for_writing)[1]]
    cookies = [cookie for answer in answers for cookie in answer.cookies.values()]
    assert {cookie.key for cookie in cookies} == {
        "__Host-csrftoken",
        "__Host-learner",
        "__Host-messages",
        "__Host-sessionid",
    }
    for cookie in cookies:
        assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", ""), cookie.key
    assert answers[2].cookies["__Host-messages"].value == "", "it was shown and is cleared"


@pytest.mark.django_db
def test_a_message_to_a_visitor_makes_no_session() -> None:
    make_account()
    client = sign_in()
    answer = client.post("/accounts/logout/")
    assert answer.cookies["messages"].value
    assert answer.cookies["sessionid"].value == ""
    assert not Session.objects.exists()


def test_a_former_key_still_opens_what_it_signed(tmp_path) -> None:
    former = "former-key-" * 6
    signing = "from django.core import signing; print(signing.dumps('ada'))"
    signed = python(signing, {"ORDINAL_VAR": str(tmp_path), "SECRET_KEY": former}).stdout.strip()
    load = f"from django.core import signing; print(signing.loads({signed!r}))"
    now = {"ORDINAL_VAR": str(tmp_path), "SECRET_KEY": "present-key" * 6}
    assert python(load, now | {"SECRET_KEY_FALLBACKS": former}).stdout.strip() == "ada"
    assert python(load, now).returncode != 0
    short = python("", now | {"SECRET_KEY_FALLBACKS": "short"})
    assert "SECRET_KEY_FALLBACKS" in short.stderr
    assert short.returncode != 0
