"""Requests and commands of all tests write content with its token, in the same transaction.

`Watch` sees each statement that they send. It knows the tables of content and no place that writes
them: raw SQL, `bulk_create` of another manager or a model without the rule end a test.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from django.apps import apps
from django.core.handlers.base import BaseHandler
from django.core.management.base import BaseCommand
from django.db import connection

from quizzes.courses.content import Content
from quizzes.courses.models import Course

WRITE = re.compile(r'(INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')
SET = re.compile(r'"(\w+)" = ')
AUTHORS = "written_by_id"  # the account of a version goes with the account; no page is cached of it
# Those of drawn numbers go with their `Instance`, and no page is cached of them. All others go with
# their version, whose own row is deleted by the same call.
GO_WITH_OTHERS = {"assessment_option"}
UNWATCHED = {"assessment_instance"}  # content only where it is the only one of its question
# `migrate` gives new tokens at its end; a copy of a database has its tokens.
WITHOUT_TOKENS = {"copy_database"}


@cache
def notes_of_tables() -> dict[str, set[str]]:
    """Return the tables of content with the columns that say nothing to a page."""
    models = (model for model in apps.get_models() if issubclass(model, Content))
    return {model._meta.db_table: {*model.notes, AUTHORS} for model in models}


class Watch:
    """Sees the statements of one request or command; `faults` are those without a token."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        self.renewed_in: Any = None  # the innermost block of the last new token

    def __call__(self, execute: Callable[..., Any], sql: Any, params: Any, *rest: Any) -> Any:
        self.look(str(sql), params)
        return execute(sql, params, *rest)

    def look(self, sql: str, params: Any) -> None:
        """Note a write of content that no token came before, since somebody read the last one."""
        course = f'"{Course._meta.db_table}"'
        if sql.startswith(f'SELECT {course}."content_token"'):
            self.renewed_in = None
        elif (found := WRITE.match(sql)) is None:
            return
        elif f'"{found[2]}"' == course:
            if '"content_token"' in sql:
                self.renewed_in = next(reversed(connection.atomic_blocks), None)
            elif found[1] == "UPDATE":
                self.faults.append(sql[:300])
        elif _is_content(found[1], found[2], sql, params) and not self._is_renewed():
            self.faults.append(sql[:300])

    def _is_renewed(self) -> bool:
        return self.renewed_in in connection.atomic_blocks


def _is_content(verb: str, table: str, sql: str, params: Any) -> bool:
    notes = notes_of_tables().get(table)
    if notes is None or table in UNWATCHED or (verb == "DELETE FROM" and table in GO_WITH_OTHERS):
        return False
    if verb == "UPDATE":
        return not notes.issuperset(SET.findall(sql.partition(" WHERE ")[0]))
    columns = re.findall(r'"(\w+)"', sql.partition(") VALUES")[0].partition("(")[2])
    return "instance_id" not in columns or params[columns.index("instance_id")] is None


def watch_content(monkeypatch: Any, faults: list[str]) -> None:
    """Have requests and commands of this test watched."""
    respond, run = BaseHandler.get_response, BaseCommand.execute

    def get_response(self: BaseHandler, request: Any) -> Any:
        with connection.execute_wrapper(Watch(faults)):
            return respond(self, request)

    def execute(self: BaseCommand, *args: Any, **options: Any) -> Any:
        _, _, name = type(self).__module__.rpartition(".")
        if name in WITHOUT_TOKENS or type(self).__module__.startswith("django."):
            return run(self, *args, **options)
        with connection.execute_wrapper(Watch(faults)):
            return run(self, *args, **options)

    monkeypatch.setattr(BaseHandler, "get_response", get_response)
    monkeypatch.setattr(BaseCommand, "execute", execute)
