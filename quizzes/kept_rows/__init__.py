"""What pages work out of the rows of a course, kept in each process until one of the rows changes.

Every page asks for the lessons, quizzes and exercises of its course, which change when an author
publishes. Django takes most of the time of such a query to write SQL that it wrote before and to
make objects that it made before: the 89 steps of a course cost 2.8 ms as objects, and 0.15 ms to
read and to compare with those of the page before. The rows are read each time, so nothing here can
be older than the database, also after a transaction that was rolled back.

What is kept is shared by all requests of a process: it must not be changed, and it must not say
anything of one learner.
"""

from collections.abc import Callable, Collection
from threading import Lock
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

T = TypeVar("T")
Rows = tuple[tuple[Any, ...], ...]
Make = Callable[..., QuerySet[Any, Any]]

KEPT = 256  # of each kind, in each process


def _mark(kind: type, place: int) -> int | str:
    """Return what stands for a value while the SQL is written."""
    return f"value {place} of a kept query" if kind is str else -(10**9) - place


def field_names(model: type[Model], before: str = "", without: Collection[str] = ()) -> list[str]:
    """Return the columns of a model as `values_list` takes them; `before` leads to the model."""
    fields = model._meta.concrete_fields
    return [f"{before}{field.attname}" for field in fields if field.name not in without]


class KeptQuery:
    """A query whose SQL is written once. `make` returns it for values of these kinds: int or str.

    Only these values may differ from call to call: a time, for instance, would stay the first one.
    """

    def __init__(self, make: Make, values: tuple[type, ...] = (int,)) -> None:
        self.make, self.values = make, values
        self._lock = Lock()
        self._written: tuple[str, list[Any], list[int | None]] | None = None

    def rows(self, *values: int | str) -> Rows:
        """Return the rows as the database stores them, JSON as its text. One query."""
        if len(values) != len(self.values):
            raise TypeError(f"{len(values)} values: this query takes {len(self.values)}")
        sql, params, places = self._written or self._write()
        given = [
            param if place is None else values[place]
            for param, place in zip(params, places, strict=True)
        ]
        with connection.cursor() as cursor:
            cursor.execute(sql, given)
            return tuple(map(tuple, cursor.fetchall()))

    def _write(self) -> tuple[str, list[Any], list[int | None]]:
        with self._lock:
            if self._written is None:
                marks = [_mark(kind, place) for place, kind in enumerate(self.values)]
                sql, params = self.make(*marks).query.get_compiler("default").as_sql()
                places = [marks.index(one) if one in marks else None for one in params]
                if not set(range(len(marks))) <= set(places):
                    raise ValueError(f"a value of this query is not among its parameters: {sql}")
                self._written = sql, list(params), places
            return self._written


class Kept(Generic[T]):
    """What `work_out` returns, made anew when the rows of one of the queries `of` have changed.

    It must depend on these rows alone.
    """

    def __init__(
        self, work_out: Callable[..., T], *of: Make, values: tuple[type, ...] = (int,)
    ) -> None:
        self.work_out = work_out
        self.queries = [KeptQuery(make, values) for make in of]
        self._kept: dict[tuple[int | str, ...], tuple[list[Rows], T]] = {}

    def __call__(self, *values: int | str) -> T:
        """Return it for these values: one query for each of `of`, and those of `work_out`."""
        rows = self._rows(*values)
        known = self._kept.get(values)
        if known is not None and known[0] == rows:
            return known[1]
        made = self.work_out(*values)
        # Somebody may have written meanwhile: then it is not known which rows it was made of.
        # What there is not is not kept by its name, or wrong addresses would fill the memory.
        is_named = any(isinstance(one, str) for one in values)
        if (any(rows) or not is_named) and self._rows(*values) == rows:
            self._keep(values, rows, made)
        return made

    def _rows(self, *values: int | str) -> list[Rows]:
        return [query.rows(*values) for query in self.queries]

    def _keep(self, values: tuple[int | str, ...], rows: list[Rows], made: T) -> None:
        kept = dict(self._kept)
        kept.pop(values, None)
        while len(kept) >= KEPT:
            kept.pop(next(iter(kept)))
        self._kept = kept | {values: (rows, made)}  # in one step: other threads read it


class Same(Generic[T]):
    """Something kept, as a key for what is drawn of it: it equals itself alone.

    A model compares by its key, so one whose title was changed would find the older drawing.
    """

    __slots__ = ("it",)

    def __init__(self, it: T) -> None:
        self.it = it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.it is other.it

    def __hash__(self) -> int:
        return id(self.it)
