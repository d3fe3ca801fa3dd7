"""Processor time of calls and pages in this process, the database's work for them included.

On SQLite it is this process's; on PostgreSQL that of this process and of the server's process for
its connection, where both are on one machine, and wall time where they are not.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.databases import on_postgresql


def seconds_of(
    call: Callable[[], object], times: int = 5, *, before_each: Callable[[], object] | None = None
) -> float:
    """Return the median of several calls, after one that is not counted.

    `before_each` is called before each of them, and not counted.
    """
    clock = _server_clock() if on_postgresql() else time.process_time
    call()  # whatever is compiled or imported once
    taken = []
    for _ in range(times):
        if before_each is not None:
            before_each()
        began = clock()
        call()
        taken.append(clock() - began)
    return statistics.median(taken)


def _server_clock() -> Callable[[], float]:
    """Return a clock of this process and of the server's for its connection, else wall time."""
    from django.db import connection

    with connection.cursor() as cursor:  # parallel queries would work in processes of their own
        cursor.execute("SET max_parallel_workers_per_gather = 0")
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    spent = Path(f"/proc/{pid}/schedstat")
    if "postgres" not in _name_of(pid):
        return time.perf_counter
    return lambda: time.process_time() + int(spent.read_text().split()[0]) / 1e9


def _name_of(pid: int) -> str:
    """Return the name of a process of this machine, "" where there is none."""
    try:
        return Path(f"/proc/{pid}/comm").read_text()
    except OSError:
        return ""


@contextmanager
def counted() -> Iterator[list[Any]]:
    """Collect the queries of a block."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    found: list[Any] = []
    with CaptureQueriesContext(connection) as asked:
        yield found
    found.extend(asked)


def measure_pages(
    pages: dict[str, str], user: Any, *, before_each: Callable[[], object] | None = None
) -> dict[str, float]:
    """Return the time of each address, by the name of its page, asked for by this account."""
    from django.test import Client

    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")

    def ask(path: str) -> None:
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)

    return {
        name: seconds_of(partial(ask, path), before_each=before_each)
        for name, path in pages.items()
    }
