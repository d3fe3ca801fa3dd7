"""A host that is gone says nothing: each side of a connection looks after the other.

`tests/worker/test_two_hosts.py` cuts the cable; here is what each session asks for.
"""

import pytest
from django.db import connection

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
