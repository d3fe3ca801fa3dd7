"""What learners got of a thing in the course of time.

Each publish and each load that changes a thing adds an edition. What stands there without one is
noted before it is replaced, so no text is lost: a process of the release before notes none, and a
question that is renamed changes the quizzes that ask it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from quizzes.courses.models import Edition
from quizzes.learners.models import User


@dataclass(frozen=True)
class PastText:
    """A version of a thing, as its history shows it. `row` is what the database has of it."""

    number: int
    content: Mapping[str, Any]
    at: datetime | None
    by: User | None
    from_files: bool
    is_current: bool
    row: Any


def editions_of(row: Any) -> QuerySet[Edition]:
    """Return the editions of a thing, newest first, each with the account that published it."""
    named = Edition.objects.filter(course=row.course_id, kind=row._meta.model_name, slug=row.slug)
    return named.select_related("by").order_by("-number")


def add_edition(row: Any, files: Mapping[str, str], content_hash: str, **facts: Any) -> None:
    """Note what learners get of a thing, unless its newest edition says the same.

    Call this with the row of the course locked. `facts` are `by`, or `from_files`.
    """
    newest = editions_of(row).first()
    if newest is not None and newest.content_hash == content_hash:
        return
    Edition.objects.create(
        course_id=row.course_id,
        kind=row._meta.model_name,
        slug=row.slug,
        number=newest.number + 1 if newest else 1,
        files=dict(files),
        content_hash=content_hash,
        **facts,
    )
