"""Courses in the test database, read from their files once: by a process, in the gate by a run.

Loading takes seconds; putting the same rows back takes a fraction of one.
"""

import os
import pickle
from collections.abc import Callable
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
_kept: dict[str, list[tuple[type[models.Model], list[dict[str, object]]]]] = {}


def load_shipped_course() -> None:
    """Load the course as `manage.py load_content` does, once its listings ran.

    The tables must be empty.
    """
    load_once("shipped", lambda: load(read_course_files(DiskFiles(settings.COURSE))))


def _as_bytes(row: dict[str, object]) -> dict[str, object]:
    """Return the row with bytes for what PostgreSQL returns as views, which cannot be pickled."""
    return {
        name: bytes(value) if isinstance(value, memoryview) else value
        for name, value in row.items()
    }


def load_once(name: str, load: Callable[[], object]) -> None:
    """Fill the empty tables by `load`, or with what it left there the first time."""
    tables = [model for room in ROOMS for model in apps.get_app_config(room).get_models(True)]

    def rows() -> list[tuple[type[models.Model], list[dict[str, object]]]]:
        load()
        return [
            (model, [_as_bytes(row) for row in model._base_manager.values()]) for model in tables
        ]

    def write_rows(folder: Path) -> str:
        (folder / "rows").write_bytes(pickle.dumps(rows()))
        return name

    if name not in _kept and "ORDINAL_SHARED" in os.environ:
        folder = Path(os.environ["ORDINAL_SHARED"]) / name
        made_once(folder, write_rows)
        _kept[name] = pickle.loads((folder / "rows").read_bytes())
    elif name not in _kept:
        _kept[name] = rows()
    if Course.objects.exists():
        return
    with transaction.atomic():  # rows refer to rows of later tables
        for model, values in _kept[name]:
            model._base_manager.bulk_create([model(**value) for value in values])
    with connection.cursor() as cursor:  # the next row of a test must not take a number in use
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)
