"""Headers of every answer: pages are private, devices are closed, cookies are bound to the host."""

import pytest
from django.test import Client

from tests.config.test_settings import PRODUCTION, python
from tests.learners.accounts import make_account, sign_in

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


def test_cookies_of_production_belong_to_the_host_alone(tmp_path) -> None:
    show = (
        "print(settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME,"
        " settings.LEARNER_COOKIE_NAME, settings.SESSION_COOKIE_SECURE,"
        " settings.CSRF_COOKIE_SECURE,"
        " settings.SESSION_COOKIE_DOMAIN, settings.SESSION_COOKIE_PATH)"
    )
    run = python(show, PRODUCTION | {"ORDINAL_VAR": str(tmp_path)})
    assert run.stdout.split() == [
        "__Host-sessionid",
        "__Host-csrftoken",
        "__Host-learner",
        *("True", "True", "None", "/"),
    ], run.stderr


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
