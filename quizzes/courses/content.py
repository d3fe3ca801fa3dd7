"""What pages work out of a course's content, cached in each process until the content changes.

Every page asks for the lessons, quizzes and exercises of its course, which change when an author
publishes: the 89 steps of a course cost 2.8 ms as new objects. `Course.content_token` says which
content there is. Each statement that writes content through a model gives it a new UUID, before
the rows and in their transaction:

- A reader in the writer's transaction sees the new token with the rows, all others neither.
- After a rollback the old token is back, with the old rows. A new token never comes again, as a
  counter would: what was cached of rolled-back rows is never found.
- A reader reads the token, then the rows, then the token again, and caches nothing where the two
  differ: a change that was committed between two of its queries cannot mix old and new rows.
- All writers of a course take its row first, so two of them wait, and never for each other.

SQL written by hand and the models of migrations have no such step: `migrate` gives every course a
new token when it has applied something.

All requests of a process share what is cached: do not change it, and cache nothing of one learner.

A page that only reads goes by one token for each course, that of the course's row, which it reads
anyway (`page_reads.py`). So what is cached costs it no query, and all of it is of one moment.
"""

from collections.abc import Callable, Iterable
from functools import cache, wraps
from threading import Lock
from typing import Any, ClassVar, Generic, TypeVar

from django.db import models, transaction

from quizzes.courses.models import Course
from quizzes.page_reads import note_read, read_once
from quizzes.statements import Param, Reader

T = TypeVar("T")
M_co = TypeVar("M_co", bound="Content", covariant=True)

CACHE_SIZE = 256  # values of each kind, in each process


class ContentQuerySet(models.QuerySet[M_co]):
    """Rows of a course's content; every write gives their course a new token."""

    def update(self, **values: Any) -> int:
        """Change rows; none where none matches now, though one may come to match meanwhile."""
        if self.model.notes.issuperset(values):
            return super().update(**values)
        with transaction.atomic(savepoint=False):
            return super().update(**values) if self._renew_tokens() else 0

    def bulk_create(self, objs: Iterable[M_co], *args: Any, **options: Any) -> list[M_co]:
        """Insert rows."""
        rows = list(objs)
        with transaction.atomic(savepoint=False):
            _renew_tokens({row.content_course() for row in rows})
            return super().bulk_create(rows, *args, **options)

    def delete(self) -> tuple[int, dict[str, int]]:
        """Delete rows and all that belongs to them."""
        with transaction.atomic(savepoint=False):
            return super().delete() if self._renew_tokens() else (0, {})

    delete.queryset_only = True  # type: ignore[attr-defined]  # as Django's: no manager has it

    def _renew_tokens(self) -> bool:
        courses = self.order_by().values_list(self.model.course_path, flat=True).distinct()
        return _renew_tokens(set(courses))


class Content(models.Model):
    """A row of a course's content; every write gives the course a new token.

    `course_path` leads to the course, as a query has it. `notes` are columns that say nothing to a
    page: writing these alone changes no content.
    """

    course_path: ClassVar[str] = "course"
    notes: ClassVar[frozenset[str]] = frozenset()

    objects = ContentQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Store the row."""
        fields = options.get("update_fields")
        with transaction.atomic(savepoint=False):
            if fields is None or not self.notes.issuperset(fields):
                _renew_tokens({self.content_course()})
            super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> tuple[int, dict[str, int]]:
        """Delete the row and all that belongs to it."""
        with transaction.atomic(savepoint=False):
            _renew_tokens({self.content_course()})
            return super().delete(*args, **options)

    def content_course(self) -> int | None:
        """Return the key of the course whose content this is, None for content of no page."""
        row: Any = self
        *way, last = self.course_path.split("__")
        for name in way:
            row = getattr(row, name)
        key: int = getattr(row, f"{last}_id")
        return key


def _renew_tokens(courses: set[int | None]) -> bool:
    """Give courses new tokens; return whether there are any."""
    known = {course for course in courses if course is not None}
    if known:
        Course.objects.filter(pk__in=known).renew_tokens()
    return bool(courses)


def note_token(course: Course) -> Course:
    """Return a course that was read just now; its token counts for the page that is made."""
    note_read(("token", course.pk), course.content_token)
    return course


def content_token(course: int) -> Any:
    """Return the token of a course's content. One query, none where the page knows it.

    None for a course that is gone, or that a process of an earlier release made: then nothing is
    cached until its content is written.
    """
    return read_once(("token", course), lambda: _token_now(course))


def _token_now(course: int) -> Any:
    rows = _token_reader().read(course=course)
    return rows[0][0] if rows else None


@cache
def _token_reader() -> Reader[tuple[Any]]:
    return Reader(Course.objects.filter(pk=Param("course")).order_by().values_list("content_token"))


def cached_content(compute: Callable[..., T]) -> Callable[..., T]:
    """Cache the value of `compute(course key, ...)` until the content of that course changes.

    The value must depend on rows of `Content` of this course, and on its own row, alone. One of a
    new token takes the place of the former: an `lru_cache` by token would fill with these.
    """
    values: dict[tuple[Any, ...], tuple[Any, T]] = {}
    lock = Lock()

    @wraps(compute)
    def value_now(*key: Any) -> T:
        token = content_token(key[0])
        stored = values.get(key)
        if stored is not None and stored[0] == token and token is not None:
            return stored[1]
        value = compute(*key)
        # Nothing under a name that names nothing: wrong addresses would push the others out.
        is_whole = token is not None and _token_now(key[0]) == token
        if value is not None and is_whole:
            with lock:
                values.pop(key, None)
                values[key] = token, value
                if len(values) > CACHE_SIZE:
                    del values[next(iter(values))]
        return value

    return value_now


class Same(Generic[T]):
    """A cached object as a key for what is drawn of it: it equals itself alone.

    A model compares by its key, so one whose title was changed would find the older drawing.
    """

    __slots__ = ("it",)

    def __init__(self, it: T) -> None:
        self.it = it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.it is other.it

    def __hash__(self) -> int:
        return id(self.it)
