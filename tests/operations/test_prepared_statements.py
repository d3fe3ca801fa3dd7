"""Prepared statements of PostgreSQL: a pooler that loses them, and tables that change."""

from itertools import count

import psycopg
import pytest
from django.db import NotSupportedError, connection, transaction
from psycopg._preparing import Prepare, PrepareManager

from quizzes.learners.models import Learner
from quizzes.operations import doctor
from tests.databases import on_postgresql

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.both_databases(postgresql="soak"),
    pytest.mark.skipif(not on_postgresql(), reason="SQLite has no prepared statements"),
]
TIMES = 6  # the driver prepares a statement that it has run five times


def diagnosis() -> doctor.Diagnosis:
    (pooler,) = [item for item in doctor.examine_database() if item.part == "pooler"]
    return pooler


def statements() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return [statement for (statement,) in cursor.fetchall()]


def read_learners() -> int:
    return len(Learner.objects.all()[:7])


def change_table(change: str) -> None:
    """Change a table as a migration of another process does, of which the driver hears nothing."""
    with connection.cursor() as cursor:
        cursor.execute(f"DO $$ BEGIN ALTER TABLE learners_learner {change}; END $$")


@pytest.fixture
def behind_pooler(monkeypatch):
    """Let the driver know another number than the server's, as PgBouncer does."""
    monkeypatch.setattr(psycopg.ConnectionInfo, "backend_pid", property(lambda _: 2**31 - 1))


def test_direct_connection_is_well():
    assert diagnosis().well
    assert diagnosis().detail.startswith("none")


@pytest.mark.usefixtures("behind_pooler")
def test_pooler_that_loses_statements_is_named():
    assert not diagnosis().well
    assert "PREPARED_STATEMENTS=0" in diagnosis().cure


@pytest.mark.usefixtures("behind_pooler")
def test_pooler_with_own_names_is_well(monkeypatch):
    connection.connection.execute("DEALLOCATE ALL")
    names = (f"PGBOUNCER_{number}".encode() for number in count())
    monkeypatch.setattr(PrepareManager, "get", lambda *_: (Prepare.SHOULD, next(names)))
    assert diagnosis().well


@pytest.mark.usefixtures("behind_pooler")
def test_pooler_without_statements_is_well(settings, monkeypatch):
    settings.PREPARED_STATEMENTS = False
    connection.connection.execute("DEALLOCATE ALL")
    monkeypatch.setattr(connection.connection, "prepare_threshold", None)
    assert diagnosis().well


def test_prepared_statement_survives_new_column():
    for _ in range(TIMES):
        read_learners()
    assert any("learners_learner" in statement for statement in statements())
    change_table("ADD COLUMN later integer DEFAULT 1")
    for _ in range(TIMES):
        read_learners()


def test_prepared_statement_fails_after_new_type():
    """Why docs/operations.md has web processes stop before such a migration."""
    for _ in range(TIMES):
        read_learners()
    change_table("ALTER COLUMN uuid TYPE text")
    with (
        pytest.raises(NotSupportedError, match="cached plan must not change result type"),
        transaction.atomic(),
    ):
        read_learners()
