"""Statements whose SQL Django writes once: those of each submission, answer and learner's page.

Writing the SQL of a lease took Django several times as long as running it, and a page of a class's
member spent ten of its milliseconds so. The rules stand in the querysets alone; a value that
changes from run to run is a `Param`, by name.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import DateTimeField, Field, IntegerField, Model, QuerySet, Value
from django.db.models.constants import OnConflict
from django.db.models.query import ModelIterable
from django.db.models.sql import InsertQuery, UpdateQuery

Row = TypeVar("Row")


class Param(Value):
    """Stands in a queryset for a value that is bound when the query runs."""

    def __init__(self, name: str, output_field: Field[Any, Any] | None = None) -> None:
        super().__init__(name, output_field or IntegerField())

    def as_sql(self, *_: Any, **__: Any) -> Any:
        """Put itself in the place of its value."""
        return "%s", [self]

    def bind_value(self, values: dict[str, Any]) -> Any:
        """Return the value as the database takes it; KeyError when it is not among them."""
        return self.output_field.get_db_prep_value(values[self.value], connection)


class TimeParam(Param):
    """The same for a time. As of a `datetime`, time spans may be added to it and taken from it."""

    def __init__(self, name: str, later: timedelta = timedelta(0)) -> None:
        super().__init__(name, DateTimeField())
        self.later = later

    def __add__(self, span: timedelta) -> TimeParam:  # type: ignore[override]  # no SQL of its own
        return TimeParam(self.value, self.later + span)

    def __sub__(self, span: timedelta) -> TimeParam:  # type: ignore[override]
        return self + -span

    def bind_value(self, values: dict[str, Any]) -> Any:
        """Return the time as the database takes it."""
        at: datetime = values[self.value] + self.later
        return super().bind_value({self.value: at})


@dataclass(frozen=True)
class Statement:
    """SQL for the database in use, and its parameters, some of them a `Param`."""

    sql: str
    parameters: tuple[Any, ...]

    def bind(self, **values: Any) -> list[Any]:
        """Return the parameters of one run."""
        return [
            one.bind_value(values) if isinstance(one, Param) else one for one in self.parameters
        ]

    def rows(self, **values: Any) -> list[tuple[Any, ...]]:
        """Run it; return what it selects, as the database says it."""
        with connection.cursor() as cursor:
            cursor.execute(self.sql, self.bind(**values))
            found: list[tuple[Any, ...]] = cursor.fetchall()
        return found

    def change(self, **values: Any) -> int:
        """Run it; return how many rows it changed."""
        with connection.cursor() as cursor:
            cursor.execute(self.sql, self.bind(**values))
            return int(cursor.rowcount)


def in_utc(stored: datetime | str) -> datetime:
    """Return a time of `rows` with its zone, which SQLite does not store; a text there."""
    at = datetime.fromisoformat(stored) if isinstance(stored, str) else stored
    return at if at.tzinfo else at.replace(tzinfo=UTC)


class Reader(Generic[Row]):
    """A queryset whose SQL is written once; it reads what the queryset would, objects or tuples.

    Its compiler, which knows the columns of each object, is asked for its SQL at the first use
    alone: each run takes a copy that answers with the SQL at hand. So this module alone knows
    private names of Django's querysets and compilers. Not for `prefetch_related`.
    """

    def __init__(self, queryset: QuerySet[Any, Row]) -> None:
        self._queryset: Any = queryset
        self._compiler: Any = queryset.query.get_compiler(connection=connection)
        sql, parameters = self._compiler.as_sql()
        self.statement = Statement(sql, tuple(parameters))
        # The query for a member's work has a hundred columns, and looking up their converters took
        # as long as running it. They serve all threads: most close over nothing, and are called
        # with the connection of the thread that reads. A backend's own hold the connection of the
        # thread that wrote the SQL, but only ask which time zone the settings name.
        columns = [column for column, *_ in self._compiler.select[: self._compiler.col_count]]
        self._converters = self._compiler.get_converters(columns)

    def read(self, **values: Any) -> list[Row]:
        """Run it; return what the queryset selects, each value as its field has it."""
        compiler = copy(self._compiler)
        ready = self.statement.sql, self.statement.bind(**values)
        compiler.as_sql = lambda: ready
        compiler.get_converters = lambda _: self._converters
        if self._queryset._iterable_class is not ModelIterable:
            return list(compiler.results_iter(tuple_expected=True))
        rows = self._queryset._chain()
        rows._query = SimpleNamespace(get_compiler=lambda **_: compiler)
        return list(ModelIterable(rows))

    def first(self, **values: Any) -> Row | None:
        """Run it; return the first of what it selects, None where it selects nothing."""
        return next(iter(self.read(**values)), None)


def select(queryset: QuerySet[Any, Any]) -> Statement:
    """Write what the queryset selects."""
    sql, parameters = queryset.query.get_compiler(connection=connection).as_sql()
    return Statement(sql, tuple(parameters))


def update(queryset: QuerySet[Any, Any], **values: Any) -> Statement:
    """Write what `queryset.update(**values)` would do; without joins in the queryset."""
    query: Any = queryset.query.chain(UpdateQuery)
    query.add_update_values(values)
    sql, parameters = query.get_compiler(connection=connection).as_sql()
    return Statement(sql, tuple(parameters))


def insert_missing(model: type[Model], **values: Any) -> Statement:
    """Write the INSERT of a row with these values, by column names, that leaves a clash alone.

    What is not named is the column's default in the database, or NULL.
    """
    query: Any = InsertQuery(model, on_conflict=OnConflict.IGNORE)
    fields = [field for field in model._meta.concrete_fields if field.attname in values]
    if unknown := set(values) - {field.attname for field in fields}:
        raise ValueError(f"{model.__name__} has no columns {', '.join(sorted(unknown))}")
    query.insert_values(fields, [SimpleNamespace(**values)], raw=True)
    ((sql, parameters),) = query.get_compiler(connection=connection).as_sql()
    return Statement(sql, tuple(parameters))
