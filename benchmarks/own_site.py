"""A site of its own for a measurement: a new database, a free port, stopped at the end.

To load and verify the shipped courses takes a minute of the processor. Where ORDINAL_READY names a
folder with `settled` (a site that ran) and `migrated` (a database without rows), as the tests make
them (tests/settled_site.py), a site or database on SQLite begins as a copy. That is for --smoke: a
measurement begins with a site of its own.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import NoReturn

import psycopg

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from tests.databases import copy_database, new_database, on_postgresql  # noqa: E402

COURSE = "positional-encodings"  # the one that is measured
HOME = f"/c/{COURSE}"  # what the addresses of its pages begin with
START_SECONDS = 60
STOP_SECONDS = 10


SERVER = (sys.executable, "-m", "gunicorn", "-c", "quizzes/config/gunicorn.py")
NO_SERVER: tuple[str, ...] = ()  # for what a database and workers do


def ready(kind: str) -> Path | None:
    """Return the folder of a "settled" site or "migrated" database to copy, None without one."""
    return Path(os.environ["ORDINAL_READY"]) / kind if "ORDINAL_READY" in os.environ else None


def database_in(folder: Path) -> str:
    """Return the DATABASE_URL of a new database, whose tables may be there already."""
    made = ready("migrated")
    return copy_database((made / "said").read_text(), folder) if made else new_database(folder)


class OwnSite:
    """The web server as `make run` starts it, without the worker. Use as a context manager.

    `server` is the command of another server, with `{port}` in place of its port, or NO_SERVER;
    `beside` a site whose database it shares, `database` the DATABASE_URL of an empty one; else it
    is a new file of SQLite's. `settled`: its exercises are verified and their packs drawn.
    """

    def __init__(
        self,
        *,
        server: tuple[str, ...] = SERVER,
        beside: "OwnSite | None" = None,
        database: str = "",
    ) -> None:
        self.server = server
        self.beside = beside
        self.folder = tempfile.TemporaryDirectory(prefix="ordinal-benchmark-")
        own = beside.database if beside else f"sqlite:///{self.folder.name}/site.sqlite3"
        self.database = database or own
        self.settled = not database and beside is None and ready("settled") is not None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self._is_started = False

    def __enter__(self) -> "OwnSite":
        folder = Path((self.beside or self).folder.name)
        environment = os.environ | {
            "DATABASE_URL": self.database,
            "ORDINAL_VAR": str(folder),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "LOG_LEVEL": "ERROR",
        }
        self.log = (Path(self.folder.name) / "log").open("wb")
        if self.beside is None:
            self._prepare(folder, environment)
        if not self.server:
            return self
        command = [part.replace("{port}", str(self.port)) for part in self.server]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=self.log, stderr=self.log
        )
        self._is_started = True
        self._wait()
        return self

    def _prepare(self, folder: Path, environment: dict[str, str]) -> None:
        """Make the database and load the courses. Raises RuntimeError with the end of the log."""
        settled = ready("settled") if self.settled else None
        if settled:
            shutil.copytree(settled / "var", folder, dirs_exist_ok=True)
            copy_database((settled / "said").read_text(), folder)
            return
        command = [sys.executable, "manage.py", "prepare_site"]
        run = subprocess.run(
            command, cwd=ROOT, env=environment, check=False, stdout=self.log, stderr=self.log
        )
        if run.returncode:
            self._fail(f"prepare_site ended with {run.returncode}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._is_started:
            self.process.terminate()
            try:
                self.process.wait(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
        self.folder.cleanup()

    def database_bytes(self) -> int:
        """Return the size of SQLite's file without its log, or what PostgreSQL says."""
        if self.database.startswith("sqlite"):
            return (Path(self.folder.name) / "site.sqlite3").stat().st_size
        with psycopg.connect(self.database) as session:
            found = session.execute("SELECT pg_database_size(current_database())").fetchone()
        return int(found[0]) if found else 0

    def log_bytes(self) -> int:
        """Return the size of SQLite's log; 0 with PostgreSQL, whose log is its server's."""
        log = Path(self.folder.name) / "site.sqlite3-wal"
        return log.stat().st_size if log.exists() else 0

    def processor_seconds(self) -> float:
        """Return the processor time that the web server and its processes have taken so far."""
        pids = [self.process.pid]
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        pids += map(int, children.read_text().split())
        ticks = 0
        for pid in pids:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])  # in user and in system mode
        return ticks / os.sysconf("SC_CLK_TCK")

    def _wait(self) -> None:
        """Wait until a page is served. Raises RuntimeError with the end of the log."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}{HOME}/learn/", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except urllib.error.HTTPError as error:
                self._fail(f"{HOME}/learn/ answered {error.code}")
            except OSError:
                time.sleep(0.1)
        self._fail("the site did not start")

    def _fail(self, reason: str) -> NoReturn:
        said = (Path(self.folder.name) / "log").read_text(errors="replace")[-2000:]
        self.__exit__(None, None, None)
        raise RuntimeError(f"{reason}; it said:\n{said}")


def own_site(folder: Path, *, server: tuple[str, ...] = SERVER) -> OwnSite:
    """Return a site on a new database of the kind that DATABASE_URL names; SQLite's by itself."""
    return OwnSite(server=server, database=new_database(folder) if on_postgresql() else "")
