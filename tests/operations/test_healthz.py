"""/healthz tells a load balancer whether pages are served, and a monitor whether code is graded."""

import os
import time
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import DatabaseError, InternalError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from quizzes.exercises.models import WorkerHeartbeat
from quizzes.operations.healthz import NOT_GRADED, newer_migrations
from quizzes.operations.machine import DISK_FULL, READ_ONLY, RECENT_SECONDS
from quizzes.operations.management.commands import prepare_site
from tests.courses import some_course

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

TOKEN = "a-token-of-enough-letters"
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}
PROXIED = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_PROTO": "https"}
FORWARDED = {"REMOTE_ADDR": "::1", "HTTP_X_FORWARDED_FOR": "127.0.0.1"}
SOCKET = {"REMOTE_ADDR": ""}
WRONG = {**ELSEWHERE, "HTTP_AUTHORIZATION": "Bearer "}


def ask(client: Client, expected_status: int = 200) -> dict[str, Any]:
    answer = client.get("/healthz")
    assert answer.status_code == expected_status, answer.content
    return dict(answer.json())


def beat(*, ok: bool = True, detail: str = "", age_seconds: float = 0) -> None:
    now = timezone.now() - timedelta(seconds=age_seconds)
    WorkerHeartbeat.objects.create(
        host="here",
        pid=1,
        started_at=now,
        seen_at=now,
        self_test_at=now,
        self_test_ok=ok,
        detail=detail,
    )


def test_a_site_with_a_worker_that_can_grade_is_ok(client: Client) -> None:
    beat()
    report = ask(client)
    assert report["status"] == "ok"
    assert report["site"] == {"ok": True, "database": "ok", "migrations_missing": 0}
    assert report["grading"]["ok"] is True
    assert report["grading"]["queue_length"] == 0
    assert 0 <= report["grading"]["worker_age_seconds"] < 60
    assert report["grading"]["sandbox_verified_at"]


@pytest.mark.parametrize(
    ("heartbeat", "why"),
    [
        (None, "worker"),
        ({"age_seconds": 3600.0}, "worker"),
        ({"age_seconds": -3600.0}, "since the clock was set back"),
        ({"ok": False, "detail": "bubblewrap is not installed"}, "bubblewrap is not installed"),
    ],
)
def test_a_site_that_cannot_grade_is_degraded_and_still_serves(
    heartbeat: dict[str, Any] | None, why: str, client: Client
) -> None:
    if heartbeat is not None:
        beat(**heartbeat)
    report = ask(client)
    assert report["status"] == "degraded"
    assert report["grading"]["ok"] is False
    assert why in report["grading"]["why"]


def test_a_migration_that_was_not_applied_is_down(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'exercises'")
    report = ask(client, 503)
    assert report["status"] == "down"
    assert report["site"]["migrations_missing"] >= 1


def test_a_database_that_fails_is_down_without_its_secrets(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise DatabaseError("connection to server as user ordinal with password hunter2 failed")

    monkeypatch.setattr(connection, "cursor", fail)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["site"]["database"] == "DatabaseError"
    assert b"hunter2" not in answer.content


def leaves(report: object) -> list[object]:
    """Return every value of a report, however deep."""
    if isinstance(report, dict):
        return [leaf for value in report.values() for leaf in leaves(value)]
    return [report]


@pytest.mark.parametrize("asked", [ELSEWHERE, PROXIED, FORWARDED, SOCKET, WRONG])
@pytest.mark.parametrize("ok", [True, False])
def test_strangers_are_told_words_and_no_number(
    asked: dict[str, str], ok: bool, client: Client, settings: LazySettings
) -> None:
    for settings.METRICS_TOKEN in ("", TOKEN):
        beat(ok=ok, detail="" if ok else "The sandbox needs 256 descriptors: /usr/bin/bwrap")
        report = client.get("/healthz", **asked).json()
        assert report["status"] == ("ok" if ok else "degraded")
        assert report["grading"] == {"ok": ok, "why": "" if ok else NOT_GRADED}
        for leaf in leaves(report):
            assert isinstance(leaf, bool | str), report
            assert not any(sign.isdigit() or sign == "/" for sign in str(leaf)), report


@pytest.mark.parametrize(
    "asked",
    [
        {"REMOTE_ADDR": "127.0.0.1"},
        {"REMOTE_ADDR": "::ffff:127.0.0.1"},
        {"REMOTE_ADDR": "::1"},
        {**ELSEWHERE, "HTTP_AUTHORIZATION": f"Bearer {TOKEN}"},
    ],
)
def test_this_machine_and_the_token_are_told_what_a_monitor_needs(
    asked: dict[str, str], client: Client, settings: LazySettings
) -> None:
    settings.METRICS_TOKEN = TOKEN
    beat(ok=False, detail="bubblewrap is not installed")
    report = client.get("/healthz", **asked).json()
    assert report["site"]["migrations_missing"] == 0
    assert report["grading"]["why"] == "bubblewrap is not installed"
    assert report["grading"]["queue_length"] == 0
    assert report["grading"]["worker_age_seconds"] < 60


def test_asking_is_cheap_and_leaves_no_trace(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    ask(client)
    with django_assert_max_num_queries(5):
        answer = client.get("/healthz")
    assert not answer.cookies
    assert "no-store" in answer["Cache-Control"]


def test_only_reading_is_answered(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
    assert client.head("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OperationalError("could not extend file: No space left on device"), DISK_FULL),
        (InternalError("cannot execute UPDATE in a read-only transaction"), READ_ONLY),
        (OperationalError("the connection is closed"), ""),
    ],
)
def test_what_a_page_could_not_store_is_told_for_a_while(
    client: Client,
    settings: LazySettings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    told: str,
) -> None:
    def fail(*_: object) -> None:
        raise error

    beat()
    some_course()
    settings.VAR = tmp_path
    if connection.vendor == "sqlite":
        told = ""  # its own disk and files are looked at
    client.raise_request_exception = False
    with monkeypatch.context() as failing:
        failing.setattr("quizzes.study.views.next_actions", fail)
        assert client.get("/").status_code == 503
    report = ask(client)
    assert report["machine"] == {"ok": not told, "why": told}
    assert report["status"] == ("degraded" if told else "ok")
    if told:
        os.utime(tmp_path / "recent-fault", (time.time() - RECENT_SECONDS,) * 2)
        assert ask(client)["status"] == "ok"
        (tmp_path / "recent-fault").write_text("what somebody else wrote there")
        assert ask(client)["status"] == "ok"


def test_migrations_that_this_code_does_not_know_are_newer_by_their_number() -> None:
    assert newer_migrations() == []
    record = MigrationRecorder(connection).record_applied
    record("exercises", "0001_put_together_with_others_later")
    record("an_app_that_is_gone", "0001_initial")
    assert newer_migrations() == []
    record("exercises", "9999_of_the_next_release")
    assert newer_migrations() == ["exercises.9999_of_the_next_release"]


@pytest.mark.parametrize("is_newer", [True, False])
def test_an_older_host_leaves_the_courses_of_a_newer_site(
    monkeypatch: pytest.MonkeyPatch, is_newer: bool
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(prepare_site, "call_command", lambda name, *_, **__: asked.append(name))
    monkeypatch.setattr(prepare_site, "fill_pools", lambda **_: None)
    if is_newer:
        MigrationRecorder(connection).record_applied("exercises", "9999_of_the_next_release")
    out = StringIO()
    prepare_site.Command(stdout=out)._prepare()
    assert ("load_content" in asked) is not is_newer
    assert ("courses are left as they are" in out.getvalue()) is is_newer
