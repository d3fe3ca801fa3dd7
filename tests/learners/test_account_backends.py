"""The account of a session comes with its learner and roles, and former sessions go on."""

import pytest
from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth import authenticate
from django.contrib.auth.backends import ModelBackend
from django.test import Client, RequestFactory

from quizzes.learners.account_backends import AccountBackend
from quizzes.learners.models import Learner, User
from tests.factories import (
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


def test_sign_in_opens_a_session_of_ours():
    make_account()
    for name in ("ada", "ada@example.org"):
        session = sign_in(name).session
        assert session["_auth_user_backend"].startswith("quizzes.learners.account_backends.")


def test_wrong_password_is_compared_by_ours_alone(monkeypatch):
    backends = []

    def refuse(backend, *_, **__):
        backends.append(type(backend).__name__)

    monkeypatch.setattr(ModelBackend, "authenticate", refuse)
    monkeypatch.setattr(AuthenticationBackend, "authenticate", refuse)
    assert authenticate(RequestFactory().post("/"), username="ada", password="wrong") is None
    assert backends == ["AccountBackend"]
