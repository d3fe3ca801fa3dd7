"""Databases beside pytest's own, for real processes: new ones, and copies of one made before."""

import fcntl
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from tests.child_environment import ENDS_WITH_US, child_environment

ROOT = Path(__file__).resolve().parents[1]
SQLITE, POSTGRESQL = "sqlite", "postgresql"  # the kinds, and the names of their shared folders
MIGRATED = "migrated"
TESTS = "tests"  # the name under which our own connections are known to PostgreSQL


def on_postgresql() -> bool:
    """Say which kind of database this run tests on."""
    return os.environ.get("DATABASE_URL", "").startswith("postgres")


def new_database(folder: Path) -> str:
    """Return the DATABASE_URL of an empty database of the kind this run tests on."""
    if not on_postgresql():
        return f"sqlite:///{folder / 'site.sqlite3'}"
    return _create("")


def copy_database(url: str, folder: Path) -> str:
    """Return the DATABASE_URL of a copy; nobody may be connected to the original."""
    if on_postgresql():
        return _create(f"TEMPLATE {name_of_database(url)}")
    copy = new_database(folder)
    with (
        closing(sqlite3.connect(name_of_database(url))) as source,
        closing(sqlite3.connect(name_of_database(copy))) as to,
    ):
        source.backup(to)
    return copy


def made_once(folder: Path, make: Callable[[Path], str]) -> str:
    """Return what `make(folder)` said; of all processes that ask, the first makes it."""
    folder.mkdir(exist_ok=True)
    said = folder / "said"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not said.exists():
            said.write_text(make(folder))
    return said.read_text()


def migrated_database(shared: Path) -> str:
    """Return the DATABASE_URL of a database with today's tables and no rows, to be copied.

    All migrations take 9 seconds of the processor. A run of the gate has seven processes of pytest,
    and two sites and two queues to start from nothing: all of them begin with copies of this one.
    """
    return made_once(shared / MIGRATED, _migrate)


# One process for both. A migration makes models by the thousand, which Python looks through for
# what can be freed: a tenth of the time.
MIGRATE = """
import gc
gc.disable()
from django.core.management import call_command, execute_from_command_line
execute_from_command_line(["manage.py", "migrate", "--verbosity=0"])
call_command("createcachetable")
"""


def _migrate(folder: Path) -> str:
    url = new_database(folder)
    subprocess.run(
        [*ENDS_WITH_US, sys.executable, "-c", MIGRATE],
        cwd=ROOT,
        env=child_environment()
        | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "quizzes.config.settings"},
        check=True,
    )
    return url


def cut_a_connection(url: str, place: int) -> bool:
    """End the server's side of a connection to a PostgreSQL database; say if there was one.

    Not of a test's own: what it asks meanwhile, in other threads too, must be answered.
    """
    others = (
        "SELECT pid FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name <> %s ORDER BY pid"
    )
    with _connect(url) as there:
        found = [pid for (pid,) in there.execute(others, [TESTS]).fetchall()]
        if found:
            there.execute("SELECT pg_terminate_backend(%s)", [found[place % len(found)]])
    return bool(found)


def ask_rows(url: str, question: str) -> list[tuple[Any, ...]]:
    """Return the rows that SQL asks for, without a Django of its own, which takes a second."""
    if on_postgresql():
        with _connect(url) as there:
            return list(there.execute(question))
    with closing(sqlite3.connect(name_of_database(url), timeout=30)) as here:
        return here.execute(question).fetchall()


def ask_number(url: str, question: str) -> int:
    """Return the one number that SQL asks for."""
    return int(ask_rows(url, question)[0][0])


def execute(url: str, *statements: str) -> None:
    """Run statements of SQL that return nothing."""
    if on_postgresql():
        with _connect(url) as there:
            for one in statements:
                there.execute(one)
        return
    with closing(sqlite3.connect(name_of_database(url), timeout=30)) as here, here:
        for one in statements:
            here.execute(one)


def name_of_database(url: str) -> str:
    path = urlsplit(url).path
    return path.removeprefix("/") if on_postgresql() else path


def _connect(url: str, *, autocommit: bool = False) -> Any:
    import psycopg

    return psycopg.connect(url, autocommit=autocommit, application_name=TESTS)


def _create(how: str) -> str:
    url = os.environ["DATABASE_URL"]
    name = f"site_{os.getpid()}_{time.monotonic_ns()}"
    with _connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} {how}")
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
