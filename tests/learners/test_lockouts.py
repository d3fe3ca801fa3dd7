"""Wrong passwords are counted wherever one is asked for, together, and then nothing opens."""

import json
from urllib.parse import urljoin

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from quizzes.learners.models import User
from tests.learners.accounts import (
    NEW,
    OLD,
    PASSWORD,
    copy_session,
    make_account,
    make_stale,
    sign_in,
)
from tests.learners.addresses import Address, FormInPage, addresses, forms_in

pytestmark = pytest.mark.django_db

WRONG = "wrong-and-long-{}"
FILLED = {
    "login": "ada",
    "username": "ada",
    "word": "delete",
    "password1": "another-long-8",
    "password2": "another-long-8",
}


@pytest.fixture
def ada():
    return make_account()


def password_forms(client: Client, walked: list[Address]) -> dict[str, FormInPage]:
    """Return the forms of these pages, by address, that ask for the password an account has.

    Most addresses lead to the same few pages, with a word of where from: each is read once, and its
    form is filled in once.
    """
    found: dict[str, FormInPage] = {}
    read = set()
    for address in walked:
        path = address.path("1", "auth", "x")
        while path.partition("?")[0] not in read:
            read.add(path.partition("?")[0])
            answer = copy_session(client).get(path)
            if leads_on := answer.get("Location"):
                path = urljoin(path, leads_on)
                continue
            if answer.get("Content-Type", "").startswith("text/html"):
                for form in forms_in(answer.content.decode()):
                    if form.password_fields():
                        found[(form.action or path).partition("?")[0]] = form
    return found


def fill(form: FormInPage, password: str) -> dict[str, str]:
    given = {name: given.get("value", "") for name, given in form.inputs.items()}
    return given | FILLED | dict.fromkeys(form.password_fields(), password)


def is_locked(answer) -> bool:
    return "account/lockout.html" in [template.name for template in answer.templates]


def guess(client: Client, path: str, form: FormInPage) -> int:
    """Return after how many wrong passwords this form is closed, or 100 if it never is."""
    for count in range(1, 2 * settings.AXES_FAILURE_LIMIT):
        answer = copy_session(client).post(path, fill(form, WRONG.format(count)))
        if is_locked(answer):
            assert answer.status_code == 429
            return count
    return 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("superuser", "signed_in", "below"),
    [
        (False, True, ("accounts/", "me/")),
        pytest.param(False, False, "", marks=pytest.mark.soak),
        pytest.param(False, True, "", marks=pytest.mark.soak),
        pytest.param(True, True, "", marks=pytest.mark.soak),
    ],
)
def test_every_form_that_asks_for_a_password_is_closed_after_the_same_number(
    superuser, signed_in, below
):
    user = make_account(superuser=superuser)
    client = make_stale(sign_in()) if signed_in else Client()
    walked = [address for address in addresses() if address.route.startswith(below)]
    forms = password_forms(client, walked)
    assert len(forms) >= (3 if signed_in else 1), forms
    for path, form in forms.items():
        AccessAttempt.objects.all().delete()
        cache.clear()
        assert guess(client, path, form) == settings.AXES_FAILURE_LIMIT, path
        browser = copy_session(client)
        assert is_locked(browser.post(path, fill(form, PASSWORD))), path
        user.refresh_from_db()
        assert user.check_password(PASSWORD)
        assert is_locked(Client().post("/accounts/login/", {"login": "ada", "password": PASSWORD}))


@pytest.mark.both_databases
def test_all_forms_and_all_names_of_an_account_are_one_count(ada):
    client = make_stale(sign_in())
    tries = [
        (Client(), "/accounts/login/", {"login": "ada", "password": WRONG}),
        (Client(), "/accounts/login/", {"login": "ADA", "password": WRONG}),
        (Client(), "/accounts/login/", {"login": OLD, "password": WRONG}),
        (Client(), "/accounts/login/", {"login": NEW.upper(), "password": WRONG}),
        (client, "/accounts/reauthenticate/", {"password": WRONG}),
        (client, "/me/data/", {"word": "delete", "password": WRONG}),
        (client, "/accounts/password/change/", {"oldpassword": WRONG, **FILLED}),
        (Client(), "/accounts/login/", {"login": "Ada", "password": WRONG}),
    ]
    assert len(tries) == settings.AXES_FAILURE_LIMIT
    assert [is_locked(who.post(path, form)) for who, path, form in tries] == [*[False] * 7, True]


@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.covering(most=4)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bob@example.org", " BOB@Example.ORG"),
        ("bob", "BOB"),
        ("Ärger@example.org", "äRGER@example.org"),
        ("Ärger", "äRGER"),
        ("straße@example.org", "strasse@example.org"),
        ("straße", "STRASSE"),
        ("\N{FULLWIDTH LATIN SMALL LETTER B}ob", "bob"),
        ("\N{FULLWIDTH LATIN SMALL LETTER B}ob@example.org", "bob@example.org"),
        ("\N{KELVIN SIGN}ate@example.org", "kate@example.org"),
    ],
)
def test_spellings_of_a_name_count_alike_whether_it_has_an_account(one, other, settings):
    """Otherwise the lockout would tell which addresses have accounts."""
    settings.AXES_FAILURE_LIMIT = 2

    def lock() -> list[bool]:
        AccessAttempt.objects.all().delete()
        forms = [{"login": name, "password": WRONG} for name in (one, other)]
        return [is_locked(Client().post("/accounts/login/", form)) for form in forms]

    without = lock()
    assert without == [False, one.strip().lower() == other.strip().lower()]
    for name in (one, other):
        address = name.strip().lower() if "@" in name else ""
        User.objects.create_user("owner" if address else name, address, PASSWORD)
        assert lock() == without, name
        User.objects.all().delete()


def test_a_wrong_password_leaves_the_form_with_its_error(ada):
    client = make_stale(sign_in())
    for path, field in (
        ("/accounts/reauthenticate/", "password"),
        ("/accounts/password/change/", "oldpassword"),
        ("/me/data/", "password"),
    ):
        html = client.post(path, {**FILLED, field: WRONG}).content.decode()
        assert "That is not the password of this account." in html, path
        assert f'id="id_{field}_error"' in html
    assert User.objects.exists()


def test_somebody_elses_failures_close_nothing_for_another_address(ada):
    guesser = Client(REMOTE_ADDR="203.0.113.7")
    for _ in range(settings.AXES_FAILURE_LIMIT):
        guesser.post("/accounts/login/", {"login": "ada", "password": WRONG})
    assert sign_in().get("/me/data/").status_code == 200


def test_nobody_closes_an_account_for_its_owner_from_one_address(ada, settings):
    """However many wrong passwords; the owner signs in by any name of the account."""
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login": None}  # by minutes
    guesser = Client(REMOTE_ADDR="203.0.113.7")
    for _ in range(4 * settings.AXES_FAILURE_LIMIT):
        guesser.post("/accounts/login/", {"login": "ada", "password": WRONG})
    for name in ("ada", OLD, NEW):
        owner = Client(REMOTE_ADDR="198.51.100.9")
        answer = owner.post("/accounts/login/", {"login": name, "password": PASSWORD})
        assert answer.status_code == 302
    own = make_stale(owner)
    page = own.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/me/data/"})
    assert page.url == "/me/data/"


def test_the_page_says_what_is_true_of_a_session_that_is_signed_in(ada):
    client = make_stale(sign_in())
    for _ in range(settings.AXES_FAILURE_LIMIT):
        answer = client.post("/accounts/reauthenticate/", {"password": WRONG})
    words = " ".join(answer.content.decode().split())
    assert "A wrong password was entered 8 times" in words
    assert "You are still signed in" in words
    assert "15 minutes" in words
    assert client.get("/accounts/email/").status_code == 200  # so it is true


@pytest.mark.slow
def test_what_was_typed_is_kept_nowhere(ada):
    """The count keeps the form beside it, and a wrong password is often nearly the right one."""
    client = make_stale(sign_in())
    typed = "secret-of-ada-9"
    fields = ("password", "oldpassword", "password1", "password2", "old_password", "login")
    form = {**dict.fromkeys(fields, typed), "word": "delete"}
    for address in addresses():
        browser = copy_session(client) if address.route != "accounts/login/" else Client()
        if address.route.startswith(("accounts/", "me/", "admin/login/")):
            browser.post(address.path("1", "auth", "x"), form)
    rows = list(AccessAttempt.objects.values("get_data", "post_data"))
    assert rows
    assert typed not in json.dumps(rows)
