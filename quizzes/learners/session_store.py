"""Sessions as Django stores them, read by SQL that is written once: every page reads its own."""

from functools import cache

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import CharField
from django.utils import timezone

from quizzes.statements import Param, Reader, TimeParam


class SessionStore(db.SessionStore):
    """Django's sessions in the database."""

    def _get_session_from_db(self) -> Session | None:
        row = _sessions().first(key=self.session_key, now=timezone.now())
        if row is None:
            self._session_key = None  # as Django does: an answer may then delete the cookie
        return row


@cache
def _sessions() -> Reader[Session]:
    return Reader(
        Session.objects.filter(
            session_key=Param("key", CharField()), expire_date__gt=TimeParam("now")
        )
    )
