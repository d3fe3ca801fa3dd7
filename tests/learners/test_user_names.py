"""User names: none that is kept for the site, none that looks like another's; who exists."""

import statistics
import sys
import time
import unicodedata

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from quizzes.learners.account_adapter import AccountAdapter
from quizzes.learners.models import User
from quizzes.learners.name_likeness import likeness_of
from quizzes.learners.user_names import RESERVED, check_new_name
from tests.examples import examples
from tests.learners.accounts import OLD, make_account

pytestmark = pytest.mark.django_db

LOOK_ALIKES = {
    "ada": ["ADA", "a.d.a", "аda", "a_d-a", "ａｄａ", "àdá"],
    "bill": ["bi11", "bIll", "b1ll", "bil|"],
    "modern": ["modem", "m0dern"],
}


def sign_up(name: str, email: str = "") -> tuple[Client, str]:
    client = Client()
    form = {"username": name, "email": email, "password1": "long-enough-7"}
    return client, client.post("/accounts/signup/", form).content.decode()


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_no_kept_name_is_given_away_however_it_is_written(word):
    for name in (word, word.upper(), f"{word}.", word.replace("o", "0").replace("i", "1")):
        with pytest.raises(ValidationError):
            check_new_name(name)


@pytest.mark.both_databases
def test_a_name_that_looks_like_another_s_is_refused_and_the_form_says_why():
    for taken, alike in LOOK_ALIKES.items():
        User.objects.create_user(taken)
        for name in alike:
            assert likeness_of(name) == likeness_of(taken), name
    sign_up("a.d.a")
    _, page = sign_up("b1ll")
    assert "too similar to one that is already taken" in page
    assert User.objects.count() == len(LOOK_ALIKES)
    assert "cannot contain @" in sign_up("ada@example.org")[1]


@pytest.mark.both_databases
@pytest.mark.parametrize("alike", ["ADA", "a.d.a", "аda", "ada"])
def test_of_two_look_alikes_at_once_one_is_taken(monkeypatch, alike):
    """The other form was checked before, and is stored after."""
    checked = AccountAdapter.clean_username

    def clean_username(self, username, shallow=False):
        name = checked(self, username, shallow)
        User.objects.create_user(alike)
        return name

    monkeypatch.setattr(AccountAdapter, "clean_username", clean_username)
    client, _ = sign_up("ada")
    assert [one.username for one in User.objects.all()] == [alike]
    assert "_auth_user_id" not in client.session
    page = client.get("/accounts/signup/").content.decode()
    assert "too similar to one that is already taken" in page


@pytest.mark.both_databases
@pytest.mark.parametrize("name", ["grace", "Łukasz", "Ольга", "小林", "jean-luc", "x7"])
def test_ordinary_names_of_all_scripts_are_taken(name):
    sign_up(name)
    assert User.objects.filter(username=name).exists()


@given(st.text(max_size=150))
@examples(200)
def test_every_text_has_one_likeness_that_fits(name):
    likeness = likeness_of(name)
    assert len(likeness) <= 150
    assert likeness_of(name) == likeness


@pytest.mark.both_databases
def test_a_renamed_account_is_known_by_its_new_name():
    user = User.objects.create_user("ada")
    user.username = "grace"
    user.save(update_fields=["username"])
    check_new_name("ada")
    with pytest.raises(ValidationError):
        check_new_name("grac.e")


@pytest.mark.both_databases
def unseen():
    """Controls, marks of direction and all else that has no picture, of all of Unicode."""
    every = map(chr, range(sys.maxunicode + 1))
    return [one for one in every if unicodedata.category(one) in {"Cc", "Cf"}]


def test_no_user_name_has_what_cannot_be_seen():
    taken = []
    for one in unseen():
        try:
            taken.append(AccountAdapter().clean_username(f"ad{one}a", shallow=True))
        except ValidationError:
            continue
    assert taken == []


def test_names_of_accounts_lose_marks_of_direction():
    names = {"first_name": "\u202eada\u2069", "last_name": "می\u200cخواهم\u200f"}
    ada = User.objects.create_user("ada", **names)
    ada.refresh_from_db()
    assert (ada.first_name, ada.last_name) == ("ada", "می\u200cخواهم")  # ZWNJ is a part of it


def test_signing_up_does_not_tell_which_addresses_have_accounts():
    make_account()
    known, said = sign_up("mallory", OLD)
    new, as_well = sign_up("grace", "grace@example.org")
    assert said == as_well == ""
    assert "_auth_user_id" in known.session
    assert "_auth_user_id" in new.session
    # The owner keeps the address: it is confirmed for nobody else, and opens one account only.
    assert EmailAddress.objects.get(email=OLD, verified=True).user.username == "ada"
    mail.outbox.clear()
    Client().post("/accounts/password/reset/", {"email": OLD})
    assert [one.to for one in mail.outbox] == [[OLD]]
    assert "ada" in mail.outbox[0].body


@pytest.mark.slow
@pytest.mark.races
@pytest.mark.both_databases(postgresql="soak")
def test_known_and_unknown_addresses_take_as_long():
    """The medians of fifty requests each, by turns, differ by less than 20 ms."""
    make_account()
    times: dict[str, list[float]] = {OLD: [], "nobody@example.org": []}
    for number in range(50):
        for email, took in times.items():
            began = time.perf_counter()
            sign_up(f"somebody{number}x{len(took)}y{email[0]}", email)
            took.append(time.perf_counter() - began)
    known, unknown = (statistics.median(took) for took in times.values())
    assert abs(known - unknown) < 0.02


@pytest.mark.soak
@pytest.mark.both_databases
def test_asking_for_a_link_takes_as_long_for_known_and_unknown_addresses():
    make_account()
    times: dict[str, list[float]] = {OLD: [], "nobody@example.org": []}
    for _ in range(100):
        for email, took in times.items():
            cache.clear()  # five a minute may be asked for each
            began = time.perf_counter()
            answer = Client().post("/accounts/password/reset/", {"email": email})
            took.append(time.perf_counter() - began)
            assert answer.status_code == 302
    assert {one.to[0] for one in mail.outbox} >= {OLD}
    known, unknown = (statistics.median(took) for took in times.values())
    assert abs(known - unknown) < 0.02
