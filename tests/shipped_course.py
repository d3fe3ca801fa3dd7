"""Courses in the test database, read from their files once for all tests of a process.

Loading takes seconds; putting the same rows back takes a fraction of one.
"""

from collections.abc import Callable

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, models, transaction

from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.loading import load

ROOMS = ("courses", "lessons", "assessment", "exercises", "concepts")
_kept: dict[str, list[tuple[type[models.Model], list[dict[str, object]]]]] = {}


def load_shipped_course() -> None:
    """Load the course as `manage.py load_content` does, once its listings ran.

    The tables must be empty.
    """
    load_once("shipped", lambda: load(read_course_files(settings.COURSE)))


def load_once(name: str, load: Callable[[], object]) -> None:
    """Fill the empty tables by `load`, or with what it left there the first time."""
    tables = [model for room in ROOMS for model in apps.get_app_config(room).get_models(True)]
    if name not in _kept:
        load()
        _kept[name] = [(model, list(model._base_manager.values())) for model in tables]
        return
    with transaction.atomic():  # rows refer to rows of later tables
        for model, rows in _kept[name]:
            model._base_manager.bulk_create([model(**row) for row in rows])
    with connection.cursor() as cursor:  # the next row of a test must not take a number in use
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)
