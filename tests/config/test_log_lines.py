"""A fault of a visitor is a warning of one line; a fault of ours is an error with its trace."""

import io
import logging
from collections.abc import Iterator

import pytest
from django.conf import LazySettings, settings
from django.test import Client

from quizzes.config.log_lines import JsonFormatter, LineFormatter
from quizzes.config.request_id import RequestIdFilter


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Write the log as the site does, into memory."""
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(LineFormatter(settings.LOGGING["formatters"]["line"]["format"]))
    logging.getLogger("django").addHandler(handler)
    yield handler.stream
    logging.getLogger("django").removeHandler(handler)


OVERLONG = {"wsgi.input": io.BytesIO(), "CONTENT_LENGTH": str(10**9)}
FORM = "application/x-www-form-urlencoded"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "environ"),
    [
        ("/", {"HTTP_HOST": "evil.example"}),
        ("/", {"HTTP_HOST": "a b\nERROR x"}),
        ("/accounts/login/", OVERLONG),
        ("/a%0A2026-01-01 ERROR root: made up", OVERLONG),
        ("/a%E2%80%A82026-01-01 ERROR root: made up%0D", OVERLONG),
    ],
)
def test_a_refusal_is_one_line_and_no_error(path: str, environ: dict, log: io.StringIO) -> None:
    response = Client(raise_request_exception=False).generic("POST", path, b"", FORM, **environ)
    assert 400 <= response.status_code < 500
    lines = log.getvalue().splitlines()
    assert lines
    for line in lines:
        assert line.split()[2] == "WARNING", line


def test_a_fault_of_ours_stays_an_error_with_its_trace(log: io.StringIO) -> None:
    try:
        raise ValueError("ours")
    except ValueError:
        logging.getLogger("django.request").exception("A page", extra={"status_code": 500})
        logging.getLogger("django.other").exception("Another page")
    assert log.getvalue().count(" ERROR ") == 2
    assert log.getvalue().count("Traceback") == 2


@pytest.mark.django_db
@pytest.mark.parametrize("formatter", [LineFormatter(), JsonFormatter()])
@pytest.mark.parametrize(
    ("path", "environ"),
    [
        ("/" + "%01" * 10_000, {}),
        ("/", {"HTTP_HOST": "a" * 30_000}),
        ("/" + "%01" * 10_000, OVERLONG),
    ],
)
def test_a_visitor_writes_no_long_line(
    path: str,
    environ: dict,
    formatter: logging.Formatter,
    caplog: pytest.LogCaptureFixture,
    settings: LazySettings,
) -> None:
    settings.REQUEST_LINES = True
    caplog.handler.addFilter(RequestIdFilter())
    with caplog.at_level(logging.INFO):
        Client(raise_request_exception=False).generic("POST", path, b"", FORM, **environ)
    assert len(caplog.records) >= 2, "one of Django, one of ours"
    for record in caplog.records:
        assert len(formatter.format(record)) < 12_000, record.name
