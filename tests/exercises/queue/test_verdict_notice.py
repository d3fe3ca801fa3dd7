"""A notice wakes the request of its submission, once its transaction is through, and no other."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError, connection, transaction

from quizzes.exercises.queue import verdict_notice
from quizzes.exercises.queue.verdict_notice import VerdictListener, notify_of_verdict
from tests.databases import on_postgresql

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]

SOON, MOMENT = 5.0, 0.05


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have SQLite's database, which is in memory, be a file with a folder of pipes."""
    file = tmp_path / "site.sqlite3"
    file.touch()
    if not on_postgresql():
        monkeypatch.setattr(verdict_notice, "database_file", lambda: file)
    return tmp_path / "site.sqlite3-verdicts"


def test_notice_wakes_its_own_request() -> None:
    key = uuid4()
    with VerdictListener(key) as listener:
        notify_of_verdict(uuid4())
        assert not listener.wait(MOMENT)
        notify_of_verdict(key)
        assert listener.wait(SOON)
        assert not listener.wait(0)


def test_notice_comes_with_its_transaction() -> None:
    key = uuid4()
    with VerdictListener(key) as listener:
        with transaction.atomic():
            notify_of_verdict(key)
            transaction.set_rollback(True)
        assert not listener.wait(MOMENT)
        with transaction.atomic():
            notify_of_verdict(key)
        assert listener.wait(SOON)


def test_notice_that_nobody_read_wakes_nobody_later() -> None:
    first, second = uuid4(), uuid4()
    with VerdictListener(first):
        notify_of_verdict(first)
    with VerdictListener(second) as listener:
        assert not listener.wait(MOMENT)
    notify_of_verdict(second)  # nobody listens any more
    with VerdictListener(uuid4()) as listener:
        assert not listener.wait(MOMENT)


@pytest.mark.skipif(on_postgresql(), reason="PostgreSQL needs no pipes")
def test_listener_leaves_no_pipe(folder: Path) -> None:
    with VerdictListener(uuid4()):
        assert len(list(folder.iterdir())) == 1
    assert not list(folder.iterdir())


@pytest.mark.skipif(not on_postgresql(), reason="SQLite has no channels")
def test_listener_leaves_no_channel() -> None:
    key = uuid4()
    with VerdictListener(key):
        assert channels() == [f"verdict_{key.hex}"]
    assert channels() == []


def channels() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_listening_channels()")
        return [name for (name,) in cursor.fetchall()]


@pytest.mark.skipif(not on_postgresql(), reason="SQLite has no channels")
@pytest.mark.parametrize("refused", ["LISTEN", "UNLISTEN"])
def test_refused_listen_leaves_the_looks(refused: str, caplog: pytest.LogCaptureFixture) -> None:
    def refuse(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith(refused):
            raise OperationalError("permission denied")
        return execute(sql, *rest)

    with connection.execute_wrapper(refuse), VerdictListener(uuid4()) as listener:
        assert not listener.wait(MOMENT)
    assert "permission denied" in caplog.text


@pytest.mark.skipif(on_postgresql(), reason="PostgreSQL needs no pipes")
def test_verdict_is_recorded_without_a_pipe(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder.write_text("in the way")
    with VerdictListener(uuid4()) as listener:
        assert not listener.wait(0)
    assert "no named pipe" in caplog.text
    notify_of_verdict(uuid4())
