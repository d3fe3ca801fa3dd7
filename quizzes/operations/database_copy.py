"""From SQLite to PostgreSQL: every row of a site, in bounded memory, compared afterwards.

All is one transaction of the new database, so a copy is whole or is not there. Rows are read and
written a few at a time, as the models' fields have them, without any `save`. Both sides are then
read again and compared by the number of rows and a checksum of what Python sees of them, which is
the same on both databases although their columns are not.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import NoneType
from typing import Any

import environ
from django.apps import apps
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, DataError, connections, models, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from quizzes.exercises.models import WorkerHeartbeat

SOURCE = "copied_from"
BATCH, LARGE_BATCH = 500, 20  # rows at once; a case pack may have half a megabyte
LEFT_OUT = {"exercises.WorkerHeartbeat", "exercises.PeriodicTask"}  # of running processes

Say = Callable[[str], object]


class DatabaseCopyError(Exception):
    """The databases cannot be copied, or the copy is not the same."""


@dataclass(frozen=True)
class Table:
    """How many rows a table has, and a checksum of them."""

    rows: int
    checksum: str


@contextmanager
def source_database(source: str) -> Iterator[None]:
    """Open the database to be copied; raise `DatabaseCopyError` where there is none of its kind."""
    connections.databases[SOURCE] = {
        **connections.databases[DEFAULT_DB_ALIAS],
        "CONN_MAX_AGE": None,
        "OPTIONS": {},
        **environ.Env.db_url_config(source),
    }
    try:
        _refuse_other_kinds(source)
        yield
    finally:
        connections[SOURCE].close()
        del connections[SOURCE]  # else the next one in this process would be this one
        del connections.databases[SOURCE]


def copy_database(source: str, say: Say) -> int:
    """Fill this site's empty, migrated database with all rows of an open source; count them."""
    _refuse_another_version(source)
    _refuse_a_filled_target()
    # On SQLite a deferred transaction that only reads: what is written meanwhile is not seen.
    with transaction.atomic(using=SOURCE), transaction.atomic():
        _empty_target()
        found = sum(_copy(model, say) for model in copied_models())
        _set_sequences()
        _compare(say)
    return found


def copied_models() -> list[type[models.Model]]:
    """Return every model whose rows are copied, with those of many-to-many relations."""
    found = apps.get_models(include_auto_created=True)
    return [
        model
        for model in found
        if model._meta.managed and not model._meta.proxy and model._meta.label not in LEFT_OUT
    ]


def table_of(model: type[models.Model], using: str) -> Table:
    """Read a whole table, a few rows at a time."""
    digest, rows = hashlib.sha256(), 0
    for row in read_rows(model, using):
        values = [_plain(getattr(row, field.attname)) for field in model._meta.concrete_fields]
        digest.update(json.dumps(values, sort_keys=True, ensure_ascii=True).encode() + b"\n")
        rows += 1
    return Table(rows, digest.hexdigest())


def read_rows(model: type[models.Model], using: str) -> Iterator[models.Model]:
    """Read a table by its key: no cursor of a server, which the settings leave out."""
    rows = model._base_manager.using(using).order_by("pk")
    batch = list(rows[: _batch_of(model)])
    while batch:
        yield from batch
        batch = list(rows.filter(pk__gt=batch[-1].pk)[: _batch_of(model)])


def _batch_of(model: type[models.Model]) -> int:
    large = any(isinstance(field, models.BinaryField) for field in model._meta.fields)
    return LARGE_BATCH if large else BATCH


def _plain(value: Any) -> Any:
    """Return a value for JSON, the same for values that are equal in Python."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)  # jsonb keeps 1e22 as digits
    if isinstance(value, bytes | memoryview):
        return hashlib.sha256(value).hexdigest()
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value if isinstance(value, bool | int | float | str | NoneType) else str(value)


def _refuse_other_kinds(source: str) -> None:
    if connections[DEFAULT_DB_ALIAS].vendor != "postgresql":
        raise DatabaseCopyError(
            "DATABASE_URL does not name a PostgreSQL database: set it to the new database"
        )
    if connections[SOURCE].vendor != "sqlite":
        raise DatabaseCopyError(
            "the source must be an SQLite database, such as sqlite:////srv/x.sqlite3"
        )
    file = Path(str(connections[SOURCE].settings_dict["NAME"]))
    if not file.is_file():  # SQLite would make an empty one
        raise DatabaseCopyError(f"{source}: there is no file {file}")


def _refuse_another_version(source: str) -> None:
    try:
        there = set(MigrationRecorder(connections[SOURCE]).applied_migrations())
    except DatabaseError as error:
        raise DatabaseCopyError(f"{source}: cannot be read: {error}") from error
    ours = {key for key in _applied_here() if key[0] != "procrastinate"}
    if there != ours:
        lacks = sorted(".".join(key) for key in ours - there) or "nothing"
        more = sorted(".".join(key) for key in there - ours) or "nothing"
        raise DatabaseCopyError(
            f"{source}: is from another version: it lacks the migrations {lacks} and has {more} "
            "more; migrate both with the same version of the program"
        )
    alive = WorkerHeartbeat.objects.using(SOURCE).alive(timezone.now())
    if alive.exists():
        raise DatabaseCopyError(f"{source}: a worker is running: stop the site first")


def _applied_here() -> set[tuple[str, str]]:
    return set(MigrationRecorder(connections[DEFAULT_DB_ALIAS]).applied_migrations())


def _refuse_a_filled_target() -> None:
    for label in ("learners.Learner", "learners.User", "exercises.Submission"):
        if apps.get_model(label)._base_manager.exists():
            raise DatabaseCopyError(
                f"the new database has rows of {label}: it must be new and migrated"
            )


def _empty_target() -> None:
    """Delete what migrations and `prepare_site` put there: the copied rows have their own keys."""
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    tables = ", ".join(quote(model._meta.db_table) for model in copied_models())
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(f"TRUNCATE {tables} CASCADE")  # our own names
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _copy(model: type[models.Model], say: Say) -> int:
    fields = model._meta.concrete_fields
    batch: list[models.Model] = []
    found = 0
    for row in read_rows(model, SOURCE):
        batch.append(row)
        if len(batch) == _batch_of(model):
            found += _insert(model, batch, fields)
            batch = []
    found += _insert(model, batch, fields)
    if found:
        say(f"{model._meta.label}: {found} rows")
    return found


def _insert(model: type[models.Model], batch: list[models.Model], fields: Any) -> int:
    """Insert rows as they are: no `save`, no time of now, no signal."""
    try:
        if batch:
            rows: Any = model._base_manager.using(DEFAULT_DB_ALIAS)
            rows._insert(batch, fields=fields, using=DEFAULT_DB_ALIAS, raw=True)
    except (DataError, ValueError) as error:
        keys = f"{batch[0].pk} to {batch[-1].pk}"
        raise DatabaseCopyError(
            f"{model._meta.label}, rows {keys}: PostgreSQL does not take them: {error}"
        ) from error
    return len(batch)


def _set_sequences() -> None:
    new = connections[DEFAULT_DB_ALIAS]
    with new.cursor() as cursor:
        for statement in new.ops.sequence_reset_sql(no_style(), copied_models()):
            cursor.execute(statement)


def _compare(say: Say) -> None:
    for model in copied_models():
        old, new = table_of(model, SOURCE), table_of(model, DEFAULT_DB_ALIAS)
        if old != new:
            raise DatabaseCopyError(
                f"{model._meta.label}: {old.rows} rows with checksum {old.checksum[:12]} became"
                f" {new.rows} with {new.checksum[:12]}; nothing was kept"
            )
    say(f"{len(copied_models())} tables have the same rows and checksums on both sides")
