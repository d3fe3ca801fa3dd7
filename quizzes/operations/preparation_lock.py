"""One `prepare_site` at a time on one database, however many hosts start together.

Two that migrate an empty database at once make the same tables, and one of them fails. The lock
must outlast every connection that migrating opens and closes, must be gone the moment its holder
dies, and must not block the migrations themselves:

PostgreSQL: an advisory lock of a connection of its own, so that neither `migrate` nor a broken
connection of the site can drop it. It belongs to a transaction that stays open, not to the
session: a pooler such as PgBouncer may give the session's next statement another server, and would
keep a session's lock on a server that somebody else uses by then. A transaction keeps its server
until it ends, and ends with its client. It is asked for again and again (`pg_try_...`) instead of
waited for within one statement: a statement that waits keeps a snapshot, for which a migration
that builds an index CONCURRENTLY would wait in turn, for ever. For the same reason the last
statement of that transaction has no parameters: the server keeps one with parameters open, snapshot
and all, until the next.

SQLite: a lock of the operating system on a file beside the database. SQLite's own lock would do
for one transaction, but migrations are many, and who held it would keep their own migrations
out. Every process that can open the database file sees the file beside it; a network file system,
on which such locks may mean nothing, cannot carry SQLite's write-ahead log either.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO

from django.core.files import locks
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from quizzes.operations.copy_file import CopyError
from quizzes.operations.sqlite_copies import database_file

LOCK_KEY = 0x50524550  # of an advisory lock, which other programs on this database must not use
TRY_SECONDS = 0.2
SAY_SECONDS = 30.0
# The server must not end a transaction because nothing happens in it for the minutes of a first
# start, and must notice within about a minute that a host has lost its power. Names that this
# server's version does not know are passed over.
SERVER_SETTINGS = {
    "idle_in_transaction_session_timeout": "0",
    "transaction_timeout": "0",
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}

Say = Callable[[str], object]


@contextmanager
def preparation_lock(say: Say) -> Iterator[None]:
    """Keep every other `prepare_site` on this database out of the block; `say` that it waits."""
    with _lock_of_this_database(say):
        yield


def _lock_of_this_database(say: Say) -> AbstractContextManager[None]:
    if connection.vendor == "postgresql":
        return _in_a_transaction(say)
    file = _file_beside_the_database()
    if file is None:  # in memory: no other process sees this database
        return nullcontext()
    return _on_a_file(file, say)


@contextmanager
def _in_a_transaction(say: Say) -> Iterator[None]:
    own = connection.copy()
    try:
        own.set_autocommit(False)
        _set_for_this_transaction(own)
        _wait(lambda: _try_lock(own), say)
        yield
    finally:
        own.close()  # which ends the transaction, and the lock with it


def _set_for_this_transaction(own: BaseDatabaseWrapper) -> None:
    with own.cursor() as cursor:
        for name, value in SERVER_SETTINGS.items():
            cursor.execute(
                "SELECT set_config(name, %s, true) FROM pg_settings WHERE name = %s", [value, name]
            )


def _try_lock(own: BaseDatabaseWrapper) -> bool:
    with own.cursor() as cursor:
        cursor.execute(f"SELECT pg_try_advisory_xact_lock({LOCK_KEY})")  # without parameters
        (taken,) = cursor.fetchone()
    return bool(taken)


@contextmanager
def _on_a_file(path: Path, say: Say) -> Iterator[None]:
    with path.open("ab") as file:  # never deleted: another may wait for this very file
        _wait(lambda: _try_file(file), say)
        yield


def _try_file(file: IO[bytes]) -> bool:
    return locks.lock(file, locks.LOCK_EX | locks.LOCK_NB)


def _file_beside_the_database() -> Path | None:
    """Return the same file for every name of one database; None for one in memory."""
    try:
        database = database_file().resolve()
    except CopyError:
        return None
    return database.with_name(f"{database.name}.preparing")


def _wait(take: Callable[[], bool], say: Say) -> None:
    """Try until the lock is taken; report at once that another holds it, and again now and then."""
    began = said_at = time.monotonic()
    if take():
        return
    say("another prepare_site is running on this database: waiting until it ends")
    while not take():
        time.sleep(TRY_SECONDS)
        if time.monotonic() - said_at > SAY_SECONDS:
            said_at = time.monotonic()
            say(f"still waiting for the other prepare_site, {said_at - began:.0f} s so far")
    say(f"the other prepare_site has ended; waited {time.monotonic() - began:.0f} s")
