"""Copies of a PostgreSQL database, by pg_dump and pg_restore: all of the site's schema, or nothing.

These programs connect as Django does; the password goes by the environment, since everybody on a
machine reads the arguments of a program. They must be of the server's version: pg_restore writes
settings that an older server does not know, so that a copy by a newer client, which no program
refuses to make, could not be put back on the day that it is needed.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

from quizzes.operations.copy_file import CopyError, new_copy

SCHEMA = "public"  # where the site's tables are, and the queue's
LOCK_SECONDS = 10  # for what came to use the database after nobody did
OTHERS = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
EXTENSIONS = "SELECT extname FROM pg_extension WHERE extnamespace = %s::regnamespace"


def write_copy(target: Path) -> int:
    """Write the database as it is now to the new file `target`; return its size in bytes."""
    with new_copy(target):
        _run("pg_dump", "--format=custom", f"--schema={SCHEMA}", f"--file={target}", *_database())
    return target.stat().st_size


def check_copy(source: Path) -> int:
    """Return how many migrations the copy has; refuses a file that is no whole copy of a site.

    All of it is read: a file that ends too early still has its list of contents.
    """
    if not source.is_file():
        raise CopyError(f"{source}: no such file")
    try:
        _run("pg_restore", "--file=/dev/null", str(source))
        table = ["--data-only", "--table=django_migrations", "--file=-"]
        found = _run("pg_restore", *table, str(source))
    except CopyError as error:
        raise CopyError(f"{source}: not a copy of Ordinal's database ({error})") from error
    _, _, rows = found.partition("\nCOPY ")
    count = rows.partition("\n\\.")[0].count("\n")
    if not count:
        raise CopyError(f"{source}: not a copy of Ordinal's database (it has no migrations)")
    return count


def put_back(source: Path) -> Path:
    """Make the database equal to the copy; return the file with a copy of what was there before.

    One transaction takes away the schema with all that is in it and fills it again, so that a
    restore that fails leaves the database as it was, and tables of a later version go as well.
    """
    check_copy(source)
    _refuse_while_used()
    kept = settings.VAR / f"before-restore-{timezone.now():%Y%m%dT%H%M%S%f}.copy"
    write_copy(kept)
    try:
        _replace(source)
    except CopyError:
        kept.unlink()  # nothing was replaced
        raise
    return kept


def _refuse_while_used() -> None:
    """Raise CopyError while somebody else is connected, or where more than the site would go."""
    with connection.cursor() as cursor:
        cursor.execute(OTHERS)
        (others,) = cursor.fetchone()
        cursor.execute(EXTENSIONS, [SCHEMA])
        extensions = [name for (name,) in cursor.fetchall()]
    if others:
        raise CopyError(f"the database has {others} other connections: stop the site first")
    if extensions:
        raise CopyError(
            f"{', '.join(extensions)}: an extension in the schema {SCHEMA}, which a restore "
            "replaces; give it a schema of its own (ALTER EXTENSION ... SET SCHEMA ...) first"
        )


def _replace(source: Path) -> None:
    """Fill the schema from a copy, in one transaction.

    psql is given a file: a pipe whose other end died would look like one that has ended, and what
    had come through would be kept. The file has no name, so that none stays if we are killed.
    """
    emptied = (
        f"SET client_min_messages = warning; SET lock_timeout = '{LOCK_SECONDS}s';"
        f" DROP SCHEMA {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA};"
        f" GRANT USAGE ON SCHEMA {SCHEMA} TO PUBLIC"
    )
    once = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"]
    with tempfile.TemporaryFile(dir=settings.VAR) as script:
        what = ["--no-owner", "--no-privileges", f"--schema={SCHEMA}"]  # without the schema itself
        _run("pg_restore", *what, "--file=-", str(source), out=script)
        script.seek(0)
        _run("psql", *once, f"--command={emptied}", "--file=-", *_database(), stdin=script)
    connection.close()  # what it knows of the tables is of before


def _database() -> list[str]:
    """Return the arguments that name this site's database, with all but its passwords."""
    known = {one.keyword.decode() for one in Conninfo.get_defaults() if one.dispchar != b"*"}
    given = connection.get_connection_params().items()
    named = {name: str(value) for name, value in given if name in known and value is not None}
    return ["--no-password", f"--dbname={make_conninfo(**named)}"]


def _run(
    program: str, *arguments: str, stdin: IO[bytes] | None = None, out: IO[bytes] | None = None
) -> str:
    """Run one of PostgreSQL's programs and return what it wrote; CopyError in its own words."""
    password = connection.settings_dict["PASSWORD"]
    ended = subprocess.run(  # noqa: S603 -- one of three programs, by its whole path
        [_program(program), *arguments],
        env=os.environ | ({"PGPASSWORD": password} if password else {}),
        stdin=stdin or subprocess.DEVNULL,
        stdout=out or subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=False,
    )
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip()
        # Notices may come first, and a note of where psql was.
        wrong = re.search(r"(?:ERROR|FATAL|error):.*", said, re.DOTALL)
        words = " ".join((wrong.group() if wrong else said).split()[:60])
        raise CopyError(f"{program}: {words or f'it ended with {ended.returncode}'}")
    return (ended.stdout or b"").decode()


def _program(name: str) -> str:
    """Return the path of one of PostgreSQL's programs; refuses one of another version."""
    found, server = shutil.which(name), _server_version()
    cure = f"install PostgreSQL's client {server}, on Debian postgresql-client-{server}"
    if found is None:
        raise CopyError(f"{name} is not installed: {cure}")
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    version = re.search(r"\d+", said.stdout)
    if version is None or int(version.group()) != server:
        what = said.stdout.strip() or said.stderr.strip()
        raise CopyError(f"{found} is {what!r}, and the server is version {server}: {cure}")
    return found


def _server_version() -> int:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version_num")
            return int(cursor.fetchone()[0]) // 10000
    except DatabaseError as error:
        words = " ".join(str(error).split())
        raise CopyError(f"the database does not answer: {words}") from error
