"""Passwords of a real site cost a guesser dear; only the tests hash cheaply."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import permutations

import argon2
import pytest
from allauth.account.signals import password_changed
from django.contrib.auth.hashers import (
    Argon2PasswordHasher,
    check_password,
    identify_hasher,
    make_password,
)
from django.contrib.auth.models import AbstractBaseUser
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from quizzes.config import settings as shipped
from quizzes.learners.models import User
from quizzes.learners.password_hasher import PasswordCost, read_password_cost
from tests.learners.accounts import OLD, PASSWORD, make_account, make_stale, sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

DJANGOS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
LOW, HIGH = PasswordCost(mib=1, passes=1), PasswordCost(mib=2, passes=3)
WRONG = "turnips-at-noon"
FORMER_KEYS = ["former-key-" * 6]


@pytest.fixture
def hashers(settings):
    """Hash as a site does, at little cost."""
    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS
    settings.PASSWORD_COST = LOW
    return settings


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/password/change/").status_code == 200


def stored_password() -> str:
    return str(User.objects.get(username="ada").password)


def test_site_hashes_at_minimum_of_owasp(settings):
    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS
    assert PasswordCost(mib=19, passes=2) == shipped.PASSWORD_COST
    stored = make_password("turnips-at-dawn")
    assert check_password("turnips-at-dawn", stored)
    assert not check_password(WRONG, stored)
    used = identify_hasher(stored).decode(stored)
    assert used["variety"] == "argon2id"
    assert (used["memory_cost"], used["time_cost"], used["parallelism"]) == (19 * 1024, 2, 1)


@pytest.mark.parametrize(
    ("mib", "passes"), [("19", "2"), ("46", "1"), ("64", "3"), ("1024", "20"), ("19", "5")]
)
def test_cost_may_be_raised(mib, passes):
    assert read_password_cost(mib, passes) == PasswordCost(int(mib), int(passes))


@pytest.mark.parametrize(
    ("mib", "passes"),
    [
        *(("18", "2"), ("45", "1"), ("19", "1"), ("18", "20"), ("-46", "1")),
        *(("19", "0"), ("1024", "21"), ("19456", "2"), ("19 MiB", "2"), ("19", ""), ("4.6e1", "1")),
        *(("1_9", "2"), (" 19", "2"), ("+19", "2")),
    ],
)
def test_cost_below_minimum_is_named(mib, passes):
    with pytest.raises(ImproperlyConfigured) as error:
        read_password_cost(mib, passes)
    said = f"PASSWORD_MIB={mib}, PASSWORD_PASSES={passes}: expected 19 MiB or more with 2 passes"
    assert str(error.value).startswith(said)


@pytest.mark.slow
def test_old_hash_signs_in_and_is_replaced_once(settings):
    settings.PASSWORD_HASHERS = DJANGOS
    make_account()
    first = stored_password()
    assert "$m=102400,t=2,p=8$" in first
    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS
    sign_in()
    second = stored_password()
    assert "$m=19456,t=2,p=1$" in second
    sign_in()
    sign_in(OLD)
    assert stored_password() == second


def test_new_cost_signs_nobody_out(hashers):
    make_account()
    phone, tablet = sign_in(), sign_in()
    for cost in (HIGH, LOW, HIGH):
        hashers.PASSWORD_COST = cost
        former = stored_password()
        laptop = sign_in()
        assert stored_password() != former
        assert is_signed_in(laptop)
        assert is_signed_in(phone)
    assert is_signed_in(tablet)  # it comes back after all three


def test_new_key_after_new_cost_signs_nobody_out(hashers):
    hashers.SECRET_KEY, hashers.SECRET_KEY_FALLBACKS = FORMER_KEYS[0], []
    make_account()
    phone = sign_in()
    hashers.PASSWORD_COST = HIGH
    sign_in()
    hashers.SECRET_KEY, hashers.SECRET_KEY_FALLBACKS = "present-key" * 6, FORMER_KEYS
    assert is_signed_in(phone)


@pytest.mark.slow
@pytest.mark.parametrize("order", sorted(set(permutations(2 * ["cost", "key"]))), ids="-".join)
def test_new_costs_and_keys_sign_nobody_out(hashers, order):
    """Neither sessions from before the upgrade nor later ones, whenever they come back.

    A look at the list of sessions signs nobody out either.
    """
    keys = [f"key-{number}-" * 10 for number in range(3)]
    hashers.SECRET_KEY, hashers.SECRET_KEY_FALLBACKS = keys.pop(), []
    user, upgraded, steady = make_account(), Client(), Client()
    for client in (upgraded, steady):
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    sessions = [upgraded, sign_in()]
    for change in order:
        if change == "cost":
            cost = hashers.PASSWORD_COST
            hashers.PASSWORD_COST = replace(cost, mib=cost.mib + 1)
        else:
            hashers.SECRET_KEY_FALLBACKS = [hashers.SECRET_KEY, *hashers.SECRET_KEY_FALLBACKS]
            hashers.SECRET_KEY = keys.pop()
        sessions.append(sign_in())
        assert steady.get("/accounts/sessions/").status_code == 200
    assert {client.get("/accounts/sessions/").status_code for client in sessions} == {200}


def test_keys_in_two_orders_sign_nobody_out(hashers):
    """Of two machines, one has the new key already; each knows the other's."""
    keys = [FORMER_KEYS[0], "present-key" * 6]
    make_account()
    phone = sign_in()
    hashers.SECRET_KEY_FALLBACKS = [hashers.SECRET_KEY]
    for turn in range(4):
        hashers.PASSWORD_COST = HIGH if turn > 1 else LOW
        former, hashers.SECRET_KEY = keys[turn % 2], keys[(turn + 1) % 2]
        hashers.SECRET_KEY_FALLBACKS = [former, *hashers.SECRET_KEY_FALLBACKS]
        assert is_signed_in(phone)
        assert is_signed_in(sign_in())


def test_sessions_are_signed_as_djangos(settings):
    """So that sessions from before an upgrade go on."""
    settings.SECRET_KEY_FALLBACKS = FORMER_KEYS
    user = make_account()
    assert user.get_session_auth_hash() == AbstractBaseUser.get_session_auth_hash(user)
    of_django = (AbstractBaseUser._get_session_auth_hash(user, key) for key in FORMER_KEYS)
    assert list(user.get_session_auth_fallback_hash()) == list(of_django)


def test_confirming_with_new_cost_keeps_session(hashers):
    make_account()
    client, former = make_stale(sign_in()), stored_password()
    hashers.PASSWORD_COST = HIGH
    client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/me/data/"})
    assert stored_password() != former
    assert is_signed_in(client)
    assert client.get("/me/data/").status_code == 200


def test_new_cost_sends_no_mail(hashers):
    heard = []

    def hear(**said):
        heard.append(said)

    make_account()
    hashers.PASSWORD_COST = HIGH
    password_changed.connect(hear)
    sign_in()
    password_changed.disconnect(hear)
    assert "$m=2048,t=3,p=1$" in stored_password()
    assert mail.outbox == []
    assert heard == []


def test_wrong_password_replaces_no_hash(hashers):
    make_account()
    former = stored_password()
    hashers.PASSWORD_COST = HIGH
    Client().post("/accounts/login/", {"login": "ada", "password": WRONG})
    assert stored_password() == former


@pytest.mark.parametrize("fields", [None, ["password"]])
def test_new_password_ends_sessions_after_rehash(hashers, fields):
    """However it is stored: what the rehash kept counts for its own hash alone."""
    make_account()
    phone = sign_in()
    hashers.PASSWORD_COST = HIGH
    laptop = sign_in()
    user = User.objects.get(username="ada")
    user.set_password("another-long-9")
    user.save(update_fields=fields)
    assert not is_signed_in(phone)
    assert not is_signed_in(laptop)


def test_two_sign_ins_at_once_store_one_hash(hashers):
    make_account()
    hashers.PASSWORD_COST = HIGH
    first, second = (User.objects.get(username="ada") for _ in range(2))
    assert first.check_password(PASSWORD)
    assert second.check_password(PASSWORD)
    stored = User.objects.get(username="ada")
    assert stored.password == first.password
    for signing_in in (first, second):
        assert signing_in.get_session_auth_hash() == stored.get_session_auth_hash()


def test_sign_in_beside_new_password_opens_nothing(hashers):
    """The password was right when it was read, and is another before its new hash is stored."""
    make_account()
    hashers.PASSWORD_COST = HIGH
    signing_in, owner = (User.objects.get(username="ada") for _ in range(2))
    owner.set_password("another-long-9")
    owner.save()
    assert signing_in.check_password(PASSWORD)
    stored = User.objects.get(username="ada")
    assert stored.password == owner.password
    assert signing_in.get_session_auth_hash() != stored.get_session_auth_hash()


@contextmanager
def counted_work(monkeypatch) -> Iterator[list[int]]:
    """Collect what each hash costs, in KiB times passes."""
    work: list[int] = []
    encode, verify = argon2.low_level.hash_secret, argon2.PasswordHasher.verify

    def counted_encode(*args, **kwargs):
        work.append(kwargs["memory_cost"] * kwargs["time_cost"])
        return encode(*args, **kwargs)

    def counted_verify(self, encoded, password):
        stored = argon2.extract_parameters(encoded)
        work.append(stored.memory_cost * stored.time_cost)
        return verify(self, encoded, password)

    with monkeypatch.context() as patch:
        patch.setattr(argon2.low_level, "hash_secret", counted_encode)
        patch.setattr(argon2.PasswordHasher, "verify", counted_verify)
        yield work


def work_of_sign_in(monkeypatch, name: str, password: str) -> list[int]:
    with counted_work(monkeypatch) as work:
        Client().post("/accounts/login/", {"login": name, "password": password})
    return work


@pytest.mark.parametrize("cost", [LOW, HIGH], ids=["as stored", "raised since"])
def test_wrong_password_takes_same_work_everywhere(hashers, monkeypatch, cost):
    """The time must not tell who has an account: by name, by address, by the second address."""
    make_account()
    hashers.PASSWORD_COST = cost
    names = ("ada", "nobody", OLD, "new@example.org", "nobody@example.org")
    work = {name: sum(work_of_sign_in(monkeypatch, name, WRONG)) for name in names}
    assert work["nobody"] >= cost.mib * 1024 * cost.passes
    assert min(work.values()) > 0.999 * max(work.values()), work  # KiB are whole numbers


@pytest.mark.parametrize("name", ["ada", OLD])
def test_right_password_is_hashed_once(hashers, monkeypatch, name):
    make_account()
    assert work_of_sign_in(monkeypatch, name, PASSWORD) == [LOW.mib * 1024 * LOW.passes]


def test_name_of_pair_is_hashed_once(hashers, monkeypatch):
    """Names that differ only in capitals; a third spelling takes what an unknown name does."""
    for name in ("ada", "Ada"):
        User.objects.create_user(name, password=PASSWORD)
    once = [LOW.mib * 1024 * LOW.passes]
    for name in ("ada", "Ada", "ADA"):
        assert work_of_sign_in(monkeypatch, name, WRONG) == once
    assert work_of_sign_in(monkeypatch, "ada", PASSWORD) == once


def test_cost_is_one_lane_of_argon2(hashers):
    """A hash of today's cost with Django's eight lanes is replaced as well."""
    user = make_account()
    hasher = Argon2PasswordHasher()
    hasher.memory_cost, hasher.time_cost = LOW.mib * 1024, LOW.passes
    User.objects.filter(pk=user.pk).update(password=hasher.encode(PASSWORD, hasher.salt()))
    sign_in()
    assert "p=1$" in stored_password()
