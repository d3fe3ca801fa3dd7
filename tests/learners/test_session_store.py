"""A session is read as Django's own store reads it."""

from datetime import timedelta

import pytest
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from quizzes.learners.sessions.session_store import SessionStore

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


def stored(**changes: object) -> str:
    """Return the key of a session that has one value, with these columns changed."""
    session = db.SessionStore()
    session["name"] = "ada"
    session.save()
    Session.objects.filter(pk=session.session_key).update(**changes)
    return str(session.session_key)


@pytest.mark.parametrize(
    "changes",
    [{}, {"expire_date": timezone.now() - timedelta(days=1)}, {"session_data": "not:signed"}],
)
def test_sessions_are_those_of_django(changes):
    key = stored(**changes)
    own, theirs = SessionStore(key), db.SessionStore(key)
    assert dict(own.items()) == dict(theirs.items())
    assert own.session_key == theirs.session_key


@pytest.mark.parametrize("key", ["x" * 32, "x" * 500, "", None, "'; --" * 8])
def test_unknown_keys_have_no_session(key):
    own, theirs = SessionStore(key), db.SessionStore(key)
    assert not own.items()
    assert not theirs.items()
    assert own.session_key == theirs.session_key is None
