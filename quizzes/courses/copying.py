"""Copies of courses: a page asks for one here, and the room that can make it says how.

A copy needs every kind of thing that a course has, so it is made by `authoring`, which stands
beside the pages of instructors and not below them.
"""

from typing import Protocol

from quizzes.courses.models import Course
from quizzes.learners.models import User


class CopyError(Exception):
    """The course was not copied; the text is a sentence for the person that asked for it."""


class Copier(Protocol):
    """Make a copy of a course under a new name, with all that it has, unlisted.

    The copy and its owner are there together or not at all. Raises CopyError, for a name that is
    taken too.
    """

    def __call__(self, source: Course, *, slug: str, title: str, owner: User) -> Course: ...


_COPIERS: list[Copier] = []


def register_copier(copier: Copier) -> None:
    """Say how courses are copied; `authoring` does when Django starts. The last one counts."""
    _COPIERS[:] = [copier]


def may_copy() -> bool:
    """Return whether this site has something that copies courses."""
    return bool(_COPIERS)


def copy_course(source: Course, *, slug: str, title: str, owner: User) -> Course:
    """Copy a course, as `Copier` says. Raises CopyError.

    Call it outside of transactions: what takes seconds comes before its own, and on SQLite all
    writers wait for whoever is in one.
    """
    if not _COPIERS:
        raise CopyError("This site cannot copy courses.")
    return _COPIERS[0](source, slug=slug, title=title, owner=owner)
