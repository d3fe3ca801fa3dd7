"""Copies of a PostgreSQL database, by pg_dump and pg_restore: all, or nothing.

The database's host and its user are given to these programs as Django has them; the password goes
by the environment, since everybody on a machine reads the arguments of a program.
"""

import os
import shutil
import subprocess
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils import timezone
from psycopg.conninfo import make_conninfo

from quizzes.operations.copies import CopyRefused, refuse_unless_new

# Of libpq's parameters those that say which database, and how safely; Django has others for itself.
NAMED_BY = (
    "host",
    "port",
    "dbname",
    "user",
    "service",
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
)
LOCK_SECONDS = 10  # for what still uses the database; a site that runs must not be waited for


def write_copy(target: Path) -> int:
    """Write the database as it is now to the new file `target`; return its size in bytes."""
    refuse_unless_new(target)
    # Made before it is filled: nobody else may read it for a moment.
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    try:
        _run("pg_dump", "--format=custom", f"--file={target}", *_database())
        with target.open("rb") as copy:
            os.fsync(copy)
    except BaseException as error:
        target.unlink(missing_ok=True)  # half a copy looks like a whole one
        if isinstance(error, CopyRefused | OSError):
            raise CopyRefused(f"{target}: no copy was written: {error}") from error
        raise
    return target.stat().st_size


def check_copy(source: Path) -> int:
    """Return how many migrations the copy has; refuses a file that is no whole copy of a site.

    All of it is read: a file that ends too early still has its list of contents.
    """
    if not source.is_file():
        raise CopyRefused(f"{source}: no such file")
    try:
        _run("pg_restore", "--file=/dev/null", str(source))
        found = _run("pg_restore", "--data-only", "--table=django_migrations", "-f", "-", source)
    except CopyRefused as error:
        raise CopyRefused(f"{source}: not a copy of Ordinal's database ({error})") from error
    _, _, rows = found.partition("\nCOPY ")
    count = rows.partition("\n\\.")[0].count("\n")
    if not count:
        raise CopyRefused(f"{source}: not a copy of Ordinal's database (it has no migrations)")
    return count


def put_back(source: Path) -> Path:
    """Make the database equal to the copy; return the file with a copy of what was there before.

    One transaction takes away the schema with all that is in it and fills it anew, so that a
    restore that fails leaves the database as it was, and tables of a later version go as well. It
    is given a file: a pipe whose other end died would look like one that has ended, and be kept.
    """
    check_copy(source)
    kept = settings.VAR / f"before-restore-{timezone.now():%Y%m%dT%H%M%S%f}.dump"
    write_copy(kept)
    script = settings.VAR / f"{kept.stem}.sql"
    database = _database()
    connection.close()
    try:
        os.close(os.open(script, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        _run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(source))
        anew = "DROP SCHEMA public CASCADE; CREATE SCHEMA public;"
        wait = f"SET lock_timeout = '{LOCK_SECONDS}s';"
        orders = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"]
        _run("psql", *orders, f"--command={wait} {anew}", f"--file={script}", *database)
    finally:
        script.unlink(missing_ok=True)
    return kept


def _database() -> list[str]:
    """Return the argument that names this site's database, without its password."""
    given = connection.get_connection_params()
    named = {name: str(given[name]) for name in NAMED_BY if given.get(name) not in (None, "")}
    return [f"--dbname={make_conninfo(**named)}"]


def _run(program: str, *arguments: str | Path) -> str:
    """Run one of PostgreSQL's programs and return what it wrote; CopyRefused in its own words."""
    found = shutil.which(program)
    if found is None:
        raise CopyRefused(
            f"{program} is not installed: install PostgreSQL's client of the server's version, "
            "on Debian postgresql-client"
        )
    password = connection.settings_dict["PASSWORD"]
    environment = os.environ | ({"PGPASSWORD": password} if password else {})
    ended = subprocess.run(  # noqa: S603 -- one of three programs, by its whole path
        [found, *(str(one) for one in arguments)],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        said = ended.stderr.strip().splitlines() or [f"it ended with {ended.returncode}"]
        raise CopyRefused("; ".join(said[:2]))  # which begins with the program's name
    return ended.stdout
