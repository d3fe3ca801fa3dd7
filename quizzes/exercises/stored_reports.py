"""The one place that turns a stored report into a Report, or says that it cannot be read.

A row may be older than this site, or written when less was checked. Whatever stands in it, the
page, the list and the export that it belongs to go on without it; the log says once which row it
is, so that an instructor can have it graded again.
"""

import logging
from functools import lru_cache
from typing import Any

from django.db import models

from quizzes.grader.api import BadFrame, storable
from quizzes.grader.judge import Picture, Report, UnreadableReport

logger = logging.getLogger(__name__)


class ReportField(models.JSONField):
    """A JSON column in which also such JSON may stand that Python does not read.

    A number of 5 000 digits and a thousand brackets are JSON, and ValueError and RecursionError of
    `json.loads`; raised while rows are fetched, one of them would take a whole list with it. The
    text itself is the value then, which no report is.
    """

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        try:
            return super().from_db_value(value, expression, connection)
        except (ValueError, RecursionError):
            return str(value)

    def deconstruct(self) -> Any:
        """Be a JSONField for migrations: the column is the same."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs


def read_report(stored: object, *, number: int) -> Report | None:
    """Return the report of submission `number`; None for one that cannot be read."""
    try:
        return Report.from_json(stored)
    except (UnreadableReport, RecursionError) as error:
        _log_once("report", number, str(error))
        return None


def was_parsed(stored: object) -> bool:
    """Return whether a stored report is of a program that Python reads; older ones say nothing."""
    return not (isinstance(stored, dict) and stored.get("parsed") is False)


def copy_of(stored: object) -> Any:
    """Return the part of a stored report that a second row can keep."""
    try:
        return {} if stored is None else storable(stored)  # JSON's null is none to a column
    except RecursionError:
        return {}


def readable_arrays(arrays: bytes, *, number: int) -> bytes | None:
    """Return a stored picture of submission `number`; None for one that cannot be read."""
    try:
        Picture.from_bytes(arrays)
    except BadFrame as error:
        _log_once("picture", number, str(error))
        return None
    return arrays


@lru_cache(maxsize=1024)
def _log_once(what: str, number: int, why: str) -> None:
    logger.warning("the %s of submission %s cannot be read: %s", what, number, why)
