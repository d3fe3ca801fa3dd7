"""Empty the tables that a test filled for good, where Django would flush every table.

`flush` deletes from all of them, and PostgreSQL even truncates them; then content types and
permissions are made again, as after a migration. Most tests fill a dozen tables of more than a
hundred. Content types and permissions stay as the migrations made them, since no test writes those.
"""

from typing import Any

from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connections, transaction
from django.test import TransactionTestCase

FILLED_BY_MIGRATIONS = {model._meta.db_table for model in (ContentType, Permission)}


def empty_tables(database: str) -> None:
    """Delete all rows but those that migrations make."""
    connection = connections[database]
    quote = connection.ops.quote_name
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    questions = [
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {quote(table)})"
        for table in sorted(set(tables) - FILLED_BY_MIGRATIONS)
    ]
    with transaction.atomic(using=database), connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # no check of each row that refers to another
            cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(" UNION ALL ".join(questions))
        for (table,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {quote(table)}")


def empty_tables_after_tests() -> None:
    """Have Django and pytest empty tables in this way."""

    def tear_down(self: Any) -> None:
        for database in self._databases_names(include_mirrors=False):
            empty_tables(database)

    TransactionTestCase._fixture_teardown = tear_down  # type: ignore[attr-defined]
