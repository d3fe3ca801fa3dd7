"""SQLite's log is begun anew although somebody always reads; who reads for long is left alone."""

import pytest
from django.db import connections
from django.db.utils import ConnectionHandler

from quizzes.worker import heartbeat, periodic_tasks
from quizzes.worker.periodic_tasks import shorten_log

pytestmark = pytest.mark.django_db  # of none of the site's: but no test may open another without


@pytest.fixture
def open_database(tmp_path):
    """Return what opens one file again and again, with the settings of the site."""
    usual = connections.settings["default"]
    options = {"timeout": 5, "init_command": "PRAGMA journal_mode=WAL;"}
    own = {**usual, "NAME": str(tmp_path / "site.sqlite3"), "OPTIONS": options}
    opened = []

    def open_one():
        handler = ConnectionHandler({"default": dict(own)})
        opened.append(handler["default"])
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def test_the_log_is_shortened_once_its_readers_let_go(open_database, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(periodic_tasks, "LONG_LOG_BYTES", 100_000)
    monkeypatch.setattr(periodic_tasks, "LOG_WAITS_MS", 50)
    log = tmp_path / "site.sqlite3-wal"
    writer, reader = open_database(), open_database()
    with writer.cursor() as write, reader.cursor() as read:
        write.execute("CREATE TABLE words (word TEXT)")
        read.execute("BEGIN")
        read.execute("SELECT count(*) FROM words")
        read.fetchall()
        for _ in range(300):
            write.execute("INSERT INTO words VALUES (%s)", ["x" * 4000])
        long = log.stat().st_size
        assert long > 1_000_000
        with caplog.at_level("INFO"):
            shorten_log(writer)
        assert "stays long" in caplog.text
        assert log.stat().st_size == long
        read.execute("COMMIT")
        shorten_log(writer)
        assert log.stat().st_size == 0
        read.execute("SELECT count(*) FROM words")
        assert read.fetchone() == (300,)
        write.execute("PRAGMA busy_timeout")
        assert write.fetchone() == (5000,)


def test_only_heartbeats_copy_a_short_log(open_database, tmp_path, monkeypatch):
    """No request waits for the disk, until the log is ten times as long."""
    usual = connections.settings["default"]["OPTIONS"]["init_command"]
    writer, beating = open_database(), open_database()
    log = tmp_path / "site.sqlite3-wal"
    pages = heartbeat.LOG_PAGES + 100
    with writer.cursor() as write, beating.cursor() as beat:
        for statement in usual.split(";")[:-1]:
            write.execute(statement)
            beat.execute(statement)
        write.execute("CREATE TABLE words (word TEXT)")
        for _ in range(pages):
            write.execute("INSERT INTO words VALUES (%s)", ["x" * 3000])
        assert log.stat().st_size > 4096 * pages
        monkeypatch.setattr(heartbeat, "connection", beating)
        heartbeat._copy_log_early()
        beat.execute("INSERT INTO words VALUES ('beat')")
        long = log.stat().st_size
        write.execute("INSERT INTO words VALUES ('next')")  # from the log's beginning
        assert log.stat().st_size == long


def test_a_short_log_is_left_alone(open_database, tmp_path):
    with open_database().cursor() as write:
        write.execute("CREATE TABLE words (word TEXT)")
    short = (tmp_path / "site.sqlite3-wal").stat().st_size
    shorten_log(open_database())
    assert (tmp_path / "site.sqlite3-wal").stat().st_size == short > 0
