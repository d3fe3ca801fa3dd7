"""Lines of the log for people and for programs: each request has its name, nobody forges a line."""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import URLResolver, get_resolver

from quizzes.config.log_lines import JsonFormatter, LineFormatter
from quizzes.config.request_id import SECRET_PARTS, RequestIdFilter, request_id

HOSTILE = [
    "a\n2026-01-01 ERROR root: made up",
    "a\r\n2026-01-01 ERROR root: made up",
    "a\u20282026-01-01 ERROR root: made up",
    "a\x85b\x0bc\x0cd\x1ce",
    'a", "level": "CRITICAL',
    "\x1b[31mred\x07",
]


@contextmanager
def lines_of(formatter: logging.Formatter) -> Iterator[io.StringIO]:
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(formatter)
    handler.addFilter(RequestIdFilter())
    names = ("test.lines", "ordinal.requests", "quizzes", "django")
    for name in names:
        logging.getLogger(name).addHandler(handler)
    logging.getLogger("test.lines").setLevel("INFO")
    logging.getLogger("ordinal.requests").setLevel("INFO")
    yield handler.stream
    for name in names:
        logging.getLogger(name).removeHandler(handler)


@pytest.fixture
def text_log() -> Iterator[io.StringIO]:
    with lines_of(LineFormatter("%(levelname)s %(name)s: %(message)s")) as stream:
        yield stream


@pytest.fixture
def json_log() -> Iterator[io.StringIO]:
    with lines_of(JsonFormatter()) as stream:
        yield stream


@pytest.mark.parametrize("text", HOSTILE)
def test_nobody_s_text_begins_an_entry(
    text_log: io.StringIO, json_log: io.StringIO, text: str
) -> None:
    logging.getLogger("test.lines").info("said %s", text)
    (line,) = json_log.getvalue().splitlines()
    assert json.loads(line)["message"] == f"said {text}"
    assert json.loads(line)["level"] == "INFO"
    written = text_log.getvalue()
    assert written.encode(errors="backslashreplace")
    first, *more = written.splitlines()
    assert first.startswith("INFO test.lines: said")
    assert all(line.startswith("    ") for line in more)
    assert "\x1b" not in written
    assert "\x07" not in written


@pytest.mark.parametrize("formatter", [LineFormatter("%(message)s"), JsonFormatter()])
def test_a_line_with_half_a_character_can_be_written(formatter: logging.Formatter) -> None:
    record = logging.LogRecord("test.lines", logging.INFO, "", 0, "said %s", ("\ud800",), None)
    RequestIdFilter().filter(record)
    assert formatter.format(record).encode(errors="backslashreplace")


def test_a_fault_keeps_its_trace_on_one_json_line(
    text_log: io.StringIO, json_log: io.StringIO
) -> None:
    try:
        raise ValueError("ours\nand more")
    except ValueError:
        logging.getLogger("test.lines").exception("failed")
    (line,) = json_log.getvalue().splitlines()
    assert "ValueError: ours" in json.loads(line)["exception"]
    assert text_log.getvalue().count("Traceback") == 1


def test_each_request_has_a_name_of_its_own_that_its_lines_carry() -> None:
    first, second = (Client().get("/nowhere/").headers["X-Request-ID"] for _ in range(2))
    assert len(first) == 32
    assert first != second
    assert request_id.get() == ""


@pytest.mark.parametrize(
    ("proxies", "sent", "is_kept"),
    [
        (0, "from-a-visitor-1", False),
        (1, "from-our-proxy-1", True),
        (1, "short", False),
        (1, "x" * 65, False),
        (1, "with space in it", False),
        (1, 'quote"-and-more', False),
        (1, "line\nbreak-12345", False),
        (1, "१२३४५६७८९", False),
    ],
)
def test_only_our_proxy_names_a_request(proxies: int, sent: str, is_kept: bool) -> None:
    with override_settings(PROXY_COUNT=proxies):
        answer = Client().get("/nowhere/", headers={"X-Request-ID": sent})
    assert (answer.headers["X-Request-ID"] == sent) is is_kept


@pytest.mark.django_db
def test_a_submission_is_found_from_the_click_to_its_verdict(
    json_log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.exercises.making import ready_exercise

    exercise, key = ready_exercise(), "3f2b8a51-6f0b-4b7b-9c0e-0d6a3a1f7c55"
    form = {"code": "x = 1", "kind": "submit", "key": key}
    with override_settings(REQUEST_LINES=True):
        answer = Client().post(exercise.get_absolute_url(), form)
    grade_by_our_word(monkeypatch)
    lines = [json.loads(line) for line in json_log.getvalue().splitlines()]
    handed_in, verdict = (line for line in lines if "submission" in line)
    asked = next(line for line in lines if line["logger"] == "ordinal.requests")
    assert handed_in["request"] == asked["request"] == answer.headers["X-Request-ID"]
    assert asked["status"] == answer.status_code
    assert asked["view"] == "exercises:exercise"
    assert str(handed_in["submission"]) in answer.headers["Location"]
    # The worker's line, in another process of another machine, is joined by the submission.
    assert verdict["submission"] == handed_in["submission"]
    assert verdict["logger"] == "quizzes.worker.worker"
    assert verdict["message"].endswith(": correct")


def grade_by_our_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a worker grade the row that waits, with a sandbox that finds all code correct."""
    from quizzes.worker import worker
    from tests.exercises import making

    monkeypatch.setattr(worker, "read_pack", lambda _pk: None)
    monkeypatch.setattr(worker.lanes, "has_lanes", lambda _pack: False)
    monkeypatch.setattr(worker, "grade_code", lambda *_, **__: making.CORRECT)
    worker.Worker().grade(making.lease(), None)


def parts_of_addresses() -> set[tuple[str, str]]:
    """Return the name of each part of an address that varies, with a route that has it."""
    found, left = set(), [("", get_resolver())]
    while left:
        above, resolver = left.pop()
        for one in resolver.url_patterns:
            route = above + str(one.pattern)
            found |= {(name, route) for name in one.pattern.regex.groupindex}
            if isinstance(one, URLResolver):
                left.append((route, one))
    return found


# Names and numbers of things, which the pages themselves show to everybody who may see them.
SHOWN = {"app_label", "block", "class", "cohort", "content_type_id", "course", "encoding", "file"}
SHOWN |= {"id", "layer", "lesson", "member", "number", "object_id", "rest", "scheme", "slug"}
SHOWN |= {"place", "provider_id", "step", "uidb36", "url", "version", "view"}


def test_each_part_of_an_address_is_shown_or_left_out_of_the_log() -> None:
    parts = parts_of_addresses()
    assert {name for name, _ in parts} >= SECRET_PARTS
    assert {one for one in parts if one[0] not in SHOWN | SECRET_PARTS} == set()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "/accounts/password/reset/key/1-{}/",
        "/accounts/confirm-email/{}/",
        "/join/{}/",
        "/invited/{}/",
    ],
)
def test_what_opens_something_is_in_no_line(
    text_log: io.StringIO, json_log: io.StringIO, address: str
) -> None:
    secret = "c1rm-2b7d4e6f8a9b"
    with override_settings(REQUEST_LINES=True):
        Client().get(address.format(secret), {"code": secret})
    asked = [json.loads(line) for line in json_log.getvalue().splitlines()]
    assert [one["path"] for one in asked if "path" in one] == [address.format("...")]
    for written in (text_log.getvalue(), json_log.getvalue()):
        assert address.format("...") in written
        assert secret not in written


def test_the_site_logs_as_it_is_told() -> None:
    assert settings.LOG_FORMAT == "text"
    assert settings.LOGGING["handlers"]["console"]["formatter"] == "line"


def test_every_message_about_a_submission_names_it_as_the_collector_expects(
    json_log: io.StringIO,
) -> None:
    logging.getLogger("test.lines").info("submission %s: %s", 17, "correct")
    logging.getLogger("test.lines").info("said %s", "submission 18: correct")
    ours, theirs = (json.loads(line) for line in json_log.getvalue().splitlines())
    assert ours["submission"] == 17
    assert "submission" not in theirs
