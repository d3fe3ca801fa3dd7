"""What happens to an account while its request waits for the provider."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.core import mail

from quizzes.learners.models import User
from quizzes.learners.sessions.own_sessions import end_sessions
from quizzes.learners.sign_on import client
from tests.learners.accounts import PASSWORD, make_account, make_stale, sign_in
from tests.learners.sign_on.provider import Browser, Provider, new_account

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NEW = "the-owners-new-77"


def set_password(user: User) -> None:
    user.set_password(NEW)
    user.save()


def close(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def dismiss(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_staff=False)


def do_while_provider_answers(monkeypatch: pytest.MonkeyPatch, do: Callable[[], object]) -> None:
    exchange = client.exchange_code

    def exchange_and_do(*sent: Any, **more: Any) -> Any:
        do()
        return exchange(*sent, **more)

    monkeypatch.setattr(client, "exchange_code", exchange_and_do)


@pytest.mark.parametrize("do", [set_password, close, end_sessions])
@pytest.mark.both_databases(postgresql="soak")
def test_session_that_ended_meanwhile_connects_nothing(
    provider: Provider, monkeypatch: pytest.MonkeyPatch, do: Callable[[User], object]
) -> None:
    ada = make_account()
    browser = Browser(provider, provider.person(), client=sign_in())
    back = browser.authorize(browser.leave(process="connect"))
    do_while_provider_answers(monkeypatch, lambda: do(User.objects.get(pk=ada.pk)))
    answer = browser.arrive(back)
    assert not SocialAccount.objects.exists()
    assert answer.status_code == 400 or answer["Location"].startswith("/accounts/reauthenticate/")
    assert not mail.outbox
    now = User.objects.get(pk=ada.pk)
    assert now.check_password(NEW) == (do is set_password)
    assert now.is_active == (do is not close)


def test_connecting_leaves_account_as_it_is(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = make_account()
    User.objects.update(is_staff=True)
    browser = Browser(provider, provider.person(), client=sign_in())
    back = browser.authorize(browser.leave(process="connect"))
    do_while_provider_answers(monkeypatch, lambda: dismiss(ada))
    browser.arrive(back)
    assert SocialAccount.objects.get().user == ada
    assert not User.objects.get().is_staff
    assert User.objects.get().check_password(PASSWORD)


@pytest.mark.parametrize("do", [close, end_sessions])
def test_session_that_ended_meanwhile_confirms_nothing(
    provider: Provider, monkeypatch: pytest.MonkeyPatch, do: Callable[[User], object]
) -> None:
    browser = new_account(provider)
    make_stale(browser.client)
    back = browser.authorize(browser.leave(process="reauthenticate", next="/me/data/"))
    do_while_provider_answers(monkeypatch, lambda: do(User.objects.get()))
    assert browser.arrive(back).status_code == 400


def test_closed_account_is_not_opened(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = new_account(provider)
    again = Browser(provider, browser.person)
    back = again.authorize(again.leave())
    do_while_provider_answers(monkeypatch, lambda: close(User.objects.get()))
    assert again.arrive(back)["Location"] == "/accounts/inactive/"
    assert again.account is None
    assert not User.objects.get().is_active
