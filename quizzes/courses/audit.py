"""The audit log: what staff did, and whose work they opened.

Services write an entry in the transaction of the act itself. An entry names things and numbers, no
learner, so that it may stay when a person's data goes.
"""

from datetime import timedelta

from django.utils import timezone

from quizzes.courses.models import AuditEntry, Course
from quizzes.learners.models import User

AGAIN_AFTER = timedelta(hours=1)  # opening the same work twice within an hour is one entry


def record(
    *, by: User | None, act: str, about: str = "", course: Course | None = None, cohort: str = ""
) -> None:
    """Write down one act. `by` None is an operator on the machine, whom the log does not know."""
    if by is not None:
        _write(by, act, about, course, cohort)


def record_opening(*, by: User, about: str, course: Course | None = None, cohort: str = "") -> None:
    """Write down that somebody opened work with a name, at most once an hour for each work."""
    recent = AuditEntry.objects.filter(
        by=by, act="opened", about=about, cohort=cohort, at__gt=timezone.now() - AGAIN_AFTER
    )
    if not recent.exists():
        _write(by, "opened", about, course, cohort)


def _write(by: User, act: str, about: str, course: Course | None, cohort: str) -> None:
    AuditEntry.objects.create(
        by=by, by_number=by.pk, act=act[:200], about=about[:300], course=course, cohort=cohort
    )
