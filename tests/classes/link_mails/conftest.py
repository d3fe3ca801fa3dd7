"""A class whose mail is on, a mail server that may fail, and a clock that moves."""

from datetime import timedelta

import pytest
from django.core.mail.backends import locmem
from django.utils import timezone

from quizzes.classes.link_mails import sending
from tests.factories import create_class


@pytest.fixture(autouse=True)
def mail_is_on(settings):
    settings.CLASS_MAIL = True
    settings.SITE_ADDRESS = "http://localhost:8000"


@pytest.fixture
def cohort(course, ida):
    return create_class(course=course, by=ida)


@pytest.fixture
def server(settings):
    """A mail server that raises the next of `answers`, by address or for each connection."""

    class Server(locmem.EmailBackend):
        answers: dict[str, list[Exception | None]] = {}
        connections: list[Exception | None] = []
        calls: list[str] = []

        def open(self):
            if self.connections and (error := self.connections.pop(0)):
                raise error

        def send_messages(self, messages):
            (address,) = messages[0].to
            self.calls.append(address)
            if (answers := self.answers.get(address)) and (error := answers.pop(0)):
                raise error
            return super().send_messages(messages)

    Server.answers, Server.connections, Server.calls = {}, [], []
    settings.EMAIL_BACKEND = f"{__name__}.Server"
    globals()["Server"] = Server
    yield Server
    del globals()["Server"]


@pytest.fixture
def clock(monkeypatch):
    """The database's time, which `pass_time` moves."""

    class Clock:
        ahead = timedelta(0)

        def pass_time(self, **time):
            self.ahead += timedelta(**time)

    moved = Clock()
    monkeypatch.setattr(sending, "database_time", lambda: timezone.now() + moved.ahead)
    return moved
