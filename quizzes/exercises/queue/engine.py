"""The engine under the queue, chosen by the site's database."""

from functools import cache

from django.db import connection

from quizzes.exercises.queue.port import Engine


@cache
def engine() -> Engine:
    """Return the engine of this site's database."""
    if connection.vendor == "postgresql":
        from quizzes.exercises.queue.procrastinate_engine import ProcrastinateEngine

        return ProcrastinateEngine()
    from quizzes.exercises.queue.sqlite_engine import SqliteEngine

    return SqliteEngine()
