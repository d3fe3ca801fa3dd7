"""An account that signed in, some time ago or just now."""

from importlib import import_module
from time import time
from types import ModuleType

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection
from django.test import Client

from quizzes.learners.models import User

PASSWORD = "correct horse battery"
OLD, NEW, CLAIMED = "ada@example.org", "new@example.org", "claimed@example.org"


def make_account(name: str = "ada", *, superuser: bool = False) -> User:
    """Make an account with a confirmed main address, a confirmed one, and one only claimed."""
    make = User.objects.create_superuser if superuser else User.objects.create_user
    user = make(name, OLD, PASSWORD)
    # Row and account share a number: a walk over all addresses that tries it finds the row.
    EmailAddress.objects.create(pk=user.pk, user=user, email=OLD, primary=True, verified=True)
    EmailAddress.objects.create(pk=user.pk + 1000, user=user, email=NEW, verified=True)
    EmailAddress.objects.create(pk=user.pk + 2000, user=user, email=CLAIMED, verified=False)
    with connection.cursor() as cursor:  # the next address must not take a number in use
        for statement in connection.ops.sequence_reset_sql(no_style(), [EmailAddress]):
            cursor.execute(statement)
    return user


def sign_in(name: str = "ada") -> Client:
    """Return a browser in which the account has just signed in."""
    client = Client()
    answer = client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    assert answer.status_code == 302, answer.content.decode()
    return client


def make_stale(client: Client) -> Client:
    """Let more time go by in this session than a typed password counts for."""
    session = client.session
    _let_time_go_by(session)
    session.save()
    return client


def _let_time_go_by(session: SessionBase) -> None:
    for record in session.get(AUTHENTICATION_METHODS_SESSION_KEY, []):
        record["at"] -= settings.ACCOUNT_REAUTHENTICATION_TIMEOUT + 1


def make_stale_sessions() -> None:
    """Let the same time go by in every session, also of a browser."""
    store: ModuleType = import_module(settings.SESSION_ENGINE)
    for row in Session.objects.all():
        session = store.SessionStore(row.session_key)
        _let_time_go_by(session)
        session.save()


def confirm(client: Client, user: User) -> Client:
    """Let the owner have confirmed a moment ago, by whatever way, that the account is theirs."""
    session = client.session
    record = {"method": "password", "at": time(), "reauthenticated": True}
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [record]
    session[f"{AUTHENTICATION_METHODS_SESSION_KEY}_user"] = str(user.pk)
    session.save()
    return client


def copy_session(client: Client) -> Client:
    """Return another browser with the same session, so that one may sign out."""
    engine: ModuleType = import_module(settings.SESSION_ENGINE)
    store = engine.SessionStore()
    store.update(dict(client.session.items()))
    store.save()
    copy = Client()
    copy.cookies[settings.SESSION_COOKIE_NAME] = store.session_key
    return copy


def set_up_app(user: int) -> None:
    """Give an account an authenticator app."""
    TOTP.activate(User.objects.get(pk=user), "A" * 32)


def give_code(client: Client, page: str = "/accounts/2fa/reauthenticate/") -> None:
    """Confirm in this browser with a code of that app, or go on with a sign-in."""
    cache.clear()
    counter = next(iter(yield_hotp_counters_from_time()))
    form = {"code": format_hotp_value(hotp_value("A" * 32, counter)), "next": "/me/data/"}
    answer = client.post(page, form)
    assert answer.status_code == 302, answer.content.decode()
