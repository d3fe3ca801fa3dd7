"""The audit log: what staff did, and whose work they opened.

Services write an entry in the transaction of the act itself. An entry has the kind, the key and the
title of each thing it is about, as they were then: a page names a thing that is gone by that title,
and links to one that is there. A person stands in it by key alone, and has a name only as long as
the class has one, so that an entry may stay when a person's data goes.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from quizzes.courses.log_subjects import Kind, Subject
from quizzes.courses.models import AuditEntry, Course
from quizzes.learners.models import User

AGAIN_AFTER = timedelta(hours=1)  # opening the same work twice within an hour is one entry


def subjects_of(entry: AuditEntry) -> list[Subject]:
    """Return the subjects of an entry."""
    return [Subject(Kind(kind), key, title) for kind, key, title in entry.subjects]


def record(
    *,
    by: User | None,
    act: str,
    subjects: Iterable[Subject] = (),
    about: str = "",
    course: Course | None = None,
    cohort: str = "",
) -> None:
    """Record one act. `by` None is an operator on the machine, whom the log does not know."""
    if by is not None:
        _write(by, act, subjects=_plain(subjects), about=about, course=course, cohort=cohort)


def record_opening(
    *,
    by: User,
    subjects: Iterable[Subject],
    about: str = "",
    course: Course | None = None,
    cohort: str = "",
) -> None:
    """Record that somebody opened work with a name, at most once an hour for each work."""
    named = _plain(subjects)
    recent = AuditEntry.objects.filter(
        by=by,
        act="opened",
        subjects=named,
        about=about[:300],
        cohort=cohort,
        at__gt=timezone.now() - AGAIN_AFTER,
    )
    if not recent.exists():
        _write(by, "opened", subjects=named, about=about, course=course, cohort=cohort)


def _plain(subjects: Iterable[Subject]) -> list[list[str]]:
    return [[one.kind.value, one.key, one.title] for one in subjects]


def _write(by: User, act: str, *, about: str, **facts: Any) -> None:
    facts |= {"act": act[:200], "about": about[:300]}
    AuditEntry.objects.create(by=by, by_number=by.pk, **facts)
