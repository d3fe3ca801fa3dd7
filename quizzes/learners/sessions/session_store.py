"""Sessions in the database, whose SQL Django writes once: each page of an account reads one."""

from functools import cache
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import CharField
from django.utils import timezone

from quizzes.statements import Param, Reader, TimeParam


class SessionStore(db.SessionStore):
    """Django's, which reads a session in its own way: the same rows, the same keys."""

    def load(self) -> dict[str, Any]:
        """Return what the session has; nothing, and no key, where it has ended. One query."""
        row = _sessions().first(key=self.session_key, now=timezone.now())
        if row is None:
            self._session_key = None
            return {}
        stored: dict[str, Any] = self.decode(row.session_data)
        return stored


@cache
def _sessions() -> Reader[Session]:
    live = Session.objects.filter(expire_date__gt=TimeParam("now"))
    return Reader(live.filter(session_key=Param("key", CharField())))
