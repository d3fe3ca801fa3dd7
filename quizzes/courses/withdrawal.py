"""Things that are withdrawn from learners in the browser, and restored.

They belong to the browser from then on: no load brings back what was withdrawn, or takes away what
was restored, until the files name it again. A draft that waits for a class is published by nobody
any more: that would bring the thing back.

Both hold the row of the course first, as every change of content and drafts does: who publishes a
draft takes the course, then the draft.
"""

from typing import Any

from django.db import transaction
from django.utils import timezone

from quizzes.courses.audit import record
from quizzes.courses.drafts import cancel_plan, lock_course
from quizzes.learners.models import User


class Withdrawable:
    """A row of a course that learners may be given no longer, and later again."""

    pk: Any
    course_id: int

    def set_withdrawn(self, *, is_withdrawn: bool) -> bool:
        """Note whether learners are given it; False where that is noted already."""
        rows: Any = type(self)
        there = rows.objects.filter(pk=self.pk, withdrawn_at__isnull=is_withdrawn)
        at = timezone.now() if is_withdrawn else None
        return bool(there.update(withdrawn_at=at, loaded_hash=""))

    def follow_withdrawal(self) -> None:
        """Adjust what depends on whether learners are given it."""


@transaction.atomic
def withdraw(row: Any, *, by: User | None = None) -> bool:
    """Withdraw a thing; False where it was withdrawn already. Work of learners is kept."""
    lock_course(row.course_id)
    row.refresh_from_db(fields=["slug"])  # a load may have renamed it meanwhile
    cancel_plan(row.course_id, kind=row._meta.model_name, slug=row.slug)
    return _change(row, is_withdrawn=True, act="withdrew", by=by)


@transaction.atomic
def restore(row: Any, *, by: User | None = None) -> bool:
    """Give learners a withdrawn thing again; False where it was not withdrawn."""
    lock_course(row.course_id)
    return _change(row, is_withdrawn=False, act="restored", by=by)


def _change(row: Any, *, is_withdrawn: bool, act: str, by: User | None) -> bool:
    is_changed: bool = row.set_withdrawn(is_withdrawn=is_withdrawn)
    if is_changed:
        record(by=by, act=act, subjects=[row.as_subject()], course=row.course)
    row.follow_withdrawal()
    return is_changed
