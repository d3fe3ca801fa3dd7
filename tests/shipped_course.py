"""Courses in the test database, read from their files once: by a process, in the gate by a run.

Loading takes seconds; putting the same rows back takes milliseconds, since they are what a cursor
reads and writes: no model and no field has a part in it.
"""

import os
import pickle
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, models, transaction

from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.loading import load
from quizzes.content_files.files import DiskFiles
from quizzes.courses.models import Course
from tests.databases import made_once

ROOMS = ("courses", "lessons", "assessment", "exercises", "concepts")
_kept: dict[str, list[tuple[str, list[tuple[object, ...]]]]] = {}


def load_shipped_course() -> None:
    """Load the course as `manage.py load_content` does, once its listings ran.

    The tables must be empty.
    """
    load_once("shipped", lambda: load(read_course_files(DiskFiles(settings.COURSE))))


def _statement(words: str, table: str, columns: list[str]) -> str:
    quote = connection.ops.quote_name
    return words.format(", ".join(map(quote, columns)), quote(table))


def _read_rows(model: type[models.Model]) -> tuple[str, list[tuple[object, ...]]]:
    """Return the statement that inserts the rows of a table, and its values for each row."""
    table, columns = model._meta.db_table, [field.column for field in model._meta.local_fields]
    with connection.cursor() as cursor:
        cursor.execute(_statement("SELECT {} FROM {} ORDER BY 1", table, columns))
        rows = [tuple(map(_as_written, row)) for row in cursor.fetchall()]
    insertion = _statement("INSERT INTO {1} ({0}) VALUES", table, columns)
    return f"{insertion} ({', '.join(['%s'] * len(columns))})", rows


def _as_written(value: object) -> object:
    """Return what a cursor takes for what it returned.

    PostgreSQL returns bytes as a view, which cannot be pickled; SQLite has text for a time.
    """
    if isinstance(value, memoryview):
        return bytes(value)
    return str(value) if isinstance(value, datetime) and value.tzinfo is None else value


def load_once(name: str, load: Callable[[], object]) -> None:
    """Fill the empty tables by `load`, or with what it left there the first time."""
    tables = [model for room in ROOMS for model in apps.get_app_config(room).get_models(True)]

    def rows() -> list[tuple[str, list[tuple[object, ...]]]]:
        load()
        return [_read_rows(model) for model in tables]

    def write_rows(folder: Path) -> str:
        (folder / "rows").write_bytes(pickle.dumps(rows()))
        return name

    if name not in _kept and "ORDINAL_SHARED" in os.environ:
        # A cursor of one engine does not take what one of the other returned.
        folder = Path(os.environ["ORDINAL_SHARED"]) / f"{name}-{connection.vendor}"
        made_once(folder, write_rows)
        _kept[name] = pickle.loads((folder / "rows").read_bytes())
    elif name not in _kept:
        _kept[name] = rows()
    if Course.objects.exists():
        return
    with transaction.atomic(), connection.cursor() as cursor:  # rows refer to rows of later tables
        for insertion, values in _kept[name]:
            cursor.executemany(insertion, values)
        # the next row of a test must not take a number in use
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)
