"""The account of a session comes with its learner and roles, and former sessions go on."""

import pytest
from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth import authenticate
from django.contrib.auth.backends import ModelBackend
from django.test import Client, RequestFactory

from quizzes.learners.account_backends import AccountBackend
from quizzes.learners.models import Learner, User
from tests.factories import (
    browser_of,
    create_account,
    create_class,
    create_learner,
    create_member,
    create_superuser,
)
from tests.learners.accounts import make_account, sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

FORMER = (
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
)


def test_account_comes_with_learner_and_roles(django_assert_num_queries):
    learner = create_learner("ada")
    with django_assert_num_queries(1):
        user = AccountBackend().get_user(learner.user_id)
        assert user.learner == learner
        assert (user.finds_teaching, user.knows_classes) == (False, False)


def test_account_without_learner_has_none(django_assert_num_queries):
    pk = create_account("ada").pk
    with django_assert_num_queries(1), pytest.raises(Learner.DoesNotExist):
        _ = AccountBackend().get_user(pk).learner


@pytest.mark.parametrize(
    ("role", "state", "finds"),
    [
        ("student", "active", False),
        ("assistant", "active", True),
        ("instructor", "active", True),
        ("instructor", "removed", False),
    ],
)
def test_role_in_a_class_is_that_of_the_account(role, state, finds):
    member = create_member(create_class(), "ada", role, state=state)
    user = AccountBackend().get_user(member.user_id)
    assert (user.finds_teaching, user.knows_classes) == (finds, True)
    assert User.objects.get(pk=user.pk).finds_teaching == finds


@pytest.mark.parametrize("is_active", [True, False])
def test_superuser_teaches_while_active(is_active):
    user = create_superuser(is_active=is_active)
    there = AccountBackend().get_user(user.pk)
    assert (there is not None and there.finds_teaching) == user.is_active
    assert User.objects.get(pk=user.pk).finds_teaching == user.is_active


@pytest.mark.parametrize("backend", FORMER)
def test_session_of_an_earlier_release_goes_on(backend):
    client = Client()
    client.force_login(create_account("ada"), backend=backend)
    assert "ada" in client.get("/accessibility/").content.decode()


def test_sign_in_uses_backend_of_site():
    make_account()
    for name in ("ada", "ada@example.org"):
        session = sign_in(name).session
        assert session["_auth_user_backend"].startswith("quizzes.learners.account_backends.")


def test_only_own_backend_compares_wrong_password(monkeypatch):
    backends = []

    def refuse(backend, *_, **__):
        backends.append(type(backend).__name__)

    monkeypatch.setattr(ModelBackend, "authenticate", refuse)
    monkeypatch.setattr(AuthenticationBackend, "authenticate", refuse)
    assert authenticate(RequestFactory().post("/"), username="ada", password="wrong") is None
    assert backends == ["AccountBackend"]


@pytest.fixture
def pair():
    """Create two accounts whose names differ only in capitals, as `createsuperuser` may."""
    passwords = {"ada": "turnips-at-dawn", "Ada": "parsnips-at-dusk"}
    for name, password in passwords.items():
        create_account(name, password=password)
    return passwords


def sign_in_with(name, password):
    client = Client()
    client.post("/accounts/login/", {"login": name, "password": password})
    return client.session.get("_auth_user_id")


def test_exact_name_opens_account_of_pair(pair):
    for name, password in pair.items():
        assert sign_in_with(name, password) == str(User.objects.get(username=name).pk)
    assert sign_in_with("ada", pair["Ada"]) is None
    assert sign_in_with("ADA", pair["ada"]) is None


def test_single_account_takes_any_capitals():
    user = create_account("ada", password="turnips-at-dawn")
    assert sign_in_with("ADA", "turnips-at-dawn") == str(user.pk)


def test_account_of_pair_confirms_own_password(pair):
    for name, password in pair.items():
        client = browser_of(User.objects.get(username=name))
        other = next(word for word in pair.values() if word != password)
        for typed, status in ((other, 200), (password, 302)):
            answer = client.post("/accounts/reauthenticate/", {"password": typed})
            assert answer.status_code == status
