"""The day on which somebody last compared a fact with its source: `as_of` in the files."""

from datetime import date
from typing import Annotated

from pydantic import AfterValidator, Field

from quizzes.content_files.declaration import Expected
from quizzes.content_files.fields import Fields

FIELD = "as_of"
A_YEAR = 365  # days


def _day(text: str) -> str:
    return date.fromisoformat(text).isoformat()


EXPECTED = Expected("a day, such as 2026-11-30")
Day = Annotated[
    str, Field(max_length=10, json_schema_extra={"format": "date"}), AfterValidator(_day), EXPECTED
]


def read_day(fields: Fields, *, required: bool = True) -> str:
    """Return the day under `as_of` as YYYY-MM-DD, "" where there is none."""
    text = fields.text(FIELD, required=required, max_length=10)
    try:
        return _day(text)
    except ValueError:
        if text:
            fields.note(FIELD, f"{text!r}: must be {EXPECTED.words}")
        return ""


def remark_on(name: str, as_of: str, today: date) -> str:
    """Return a remark on a fact that nobody has compared with its source for a year, else ""."""
    age = (today - date.fromisoformat(as_of)).days
    return f"{name}: {FIELD} {as_of}: look at its source again" if age > A_YEAR else ""
