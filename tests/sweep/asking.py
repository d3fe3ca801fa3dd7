"""Asks the site as a browser of one person does, at two depths.

Whole: all that a request passes in production. At the view: what the view needs and no more, which
is a tenth of the work: sessions, accounts and learners are there, but nothing else stands before
it; the page of a refusal is not made, nor the body of an answer to HEAD, which nobody reads.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from unittest import mock

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.test import Client, RequestFactory, override_settings

from quizzes.learners.models import User
from tests.learners.accounts import confirm

BACKEND = "quizzes.learners.account_backends.AccountBackend"
NEEDED = (  # by views
    "SessionMiddleware",
    "AuthenticationMiddleware",
    "MessageMiddleware",
    "AccountMiddleware",
    "AccountGuardMiddleware",
    "HtmxMiddleware",
    "LearnerMiddleware",
)


class Site:
    """The site with all, or some, of what stands before its views."""

    def __init__(self, *, whole: bool) -> None:
        self._is_whole = whole
        self._handler = BaseHandler()
        names = [one for one in settings.MIDDLEWARE if whole or one.endswith(NEEDED)]
        with override_settings(MIDDLEWARE=names):
            self._handler.load_middleware()

    def answer(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, and undo what the request changed; `changes` counts the rows."""
        with transaction.atomic(), self._sparing(request):
            before = _changes()
            answer = self._handler.get_response(request)
            vars(answer)["changes"] = _changes() - before
            transaction.set_rollback(True)
        return answer

    @contextmanager
    def _sparing(self, request: HttpRequest) -> Iterator[None]:
        if self._is_whole:
            yield
            return
        with mock.patch("django.core.handlers.exception.get_exception_response", _refusal):
            if request.method != "HEAD":
                yield
                return
            with mock.patch("django.template.base.Template.render", return_value=""):
                yield


def _refusal(
    _request: HttpRequest, _resolver: object, status: int, _error: Exception
) -> HttpResponse:
    return HttpResponse(status=status)


def _changes() -> int:
    """Return how many rows this connection has changed so far."""
    return int(connection.connection.total_changes)


class Browser:
    """Of a person whose password was typed a moment ago, None for somebody who is signed out."""

    def __init__(self, user: User | None) -> None:
        self.cookie = ""
        if user is not None:
            client = Client()
            client.force_login(user, backend=BACKEND)
            confirm(client, user)
            client.get("/healthz")  # the first request of a session writes it into the list
            pairs = (f"{name}={morsel.value}" for name, morsel in client.cookies.items())
            self.cookie = "; ".join(pairs)
        self._requests = RequestFactory(**({"HTTP_COOKIE": self.cookie} if self.cookie else {}))

    def request(
        self, method: str, address: str, body: Mapping[str, object] | None = None
    ) -> HttpRequest:
        """Return a request; a POST brings a body."""
        if method == "POST":
            made = self._requests.post(address, body or {})
        else:
            made = self._requests.generic(method, address)
        vars(made)["_dont_enforce_csrf_checks"] = True
        return made
