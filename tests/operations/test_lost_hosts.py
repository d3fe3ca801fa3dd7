"""A host that is gone says nothing: each side of a connection looks after the other.

`tests/worker/test_two_hosts.py` cuts the cable; here is what each session asks for.
"""

import pytest
from django.db import DEFAULT_DB_ALIAS, connection
from django.test.utils import CaptureQueriesContext

from quizzes.learners.models import Learner
from quizzes.operations import database_copy
from quizzes.operations.lost_hosts import SERVER_SETTINGS
from tests.databases import on_postgresql

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_each_session_has_the_server_look_after_its_host():
    asked, own = [], connection.copy()

    def note(execute, sql, params, many, context):
        asked.extend(params or ())
        return execute(sql, params, many, context)

    try:
        with own.execute_wrapper(note):
            own.ensure_connection()
    finally:
        own.close()
    assert set(SERVER_SETTINGS) <= set(asked) if on_postgresql() else not asked


@pytest.mark.skipif(not on_postgresql(), reason="SQLite has no connections")
def test_this_side_gives_up_a_database_that_is_gone_within_seconds():
    given = connection.get_connection_params()
    silent = given["keepalives_idle"] + given["keepalives_interval"] * given["keepalives_count"]
    assert silent == given["tcp_user_timeout"] // 1000 == 15
    assert given["connect_timeout"] == 5


@pytest.mark.skipif(not on_postgresql(), reason="SQLite has no poolers")
def test_no_statement_needs_the_session_of_the_one_before():
    """A pooler may give each statement to another server, which has no cursor of this one."""
    Learner.objects.bulk_create(Learner() for _ in range(3))
    rows = Learner.objects.iterator(chunk_size=1)
    assert next(rows)
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_cursors WHERE name LIKE '\\_django%'")
        assert cursor.fetchall() == []
    assert len(list(rows)) == 2


def test_a_long_table_is_read_a_few_rows_at_a_time(monkeypatch):
    monkeypatch.setattr(database_copy, "BATCH", 2)
    made = Learner.objects.bulk_create(Learner() for _ in range(5))
    with CaptureQueriesContext(connection) as asked:
        read = list(database_copy.read_rows(Learner, DEFAULT_DB_ALIAS))
    assert read == sorted(made, key=lambda one: one.pk)
    assert all("LIMIT 2" in query["sql"] for query in asked)
