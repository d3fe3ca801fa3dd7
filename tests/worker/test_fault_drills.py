"""Faults of a real web server and a real worker: right words, nothing lost, well again by itself.

Each drill hands code in before the fault and under it, reads what the page, /healthz and
`manage.py doctor` say, ends the fault, and waits until all that was stored is graded. It prints a
line for the table of docs/scaling.md. Nothing is started again when a fault ends, but for the
workers that are given too little.
"""

import errno
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from quizzes.operations.machine import DISK_FULL
from tests.databases import ask_rows, name_of_database
from tests.exercises.queue.queue_processes import Queue
from tests.exercises.test_web_kills import Student
from tests.whole_site import ROOT, descendants_of, free_port
from tools.with_postgres import as_ordinary_user, postgres

pytestmark = [pytest.mark.sandbox, pytest.mark.races, pytest.mark.soak]

PATIENCE_SECONDS = 240  # of a machine that has other things to do
HOUR = 3600
DISK_MB = 320  # the site calls a disk full that has less than 200 MB
REFUSED = "The site cannot read or save anything right now"
NO_WORKER = "No worker is running"
NO_WRITES = "or the database cannot be written"


class Visitor(Student):
    """Hands in once; `refused` is what the page said when it did not take the code."""

    page = "/c/course/exercises/patient/"
    refused = ""

    def hand_in(self) -> None:
        try:
            self.send()
        except urllib.error.HTTPError as error:
            words = re.sub(r"<[^>]+>", " ", error.read().decode())
            self.refused = f"{error.code} {' '.join(words.split())}"


class Drill:
    """The site, who handed code in, and what was said."""

    def __init__(
        self, queue: Queue, name: str, *, before: Sequence[str] = (), **environment: str
    ) -> None:
        """`before`: what runs every command of the site."""
        self.queue, self.name, self.environment = queue, name, environment
        self.visitors: list[Visitor] = []
        self.before, self.port = before, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.web = self.start_web()
        self.worker = self.start_worker()
        self.wait(self.is_well, "the site did not start")
        self.hand_in(2)
        self.wait(self.all_graded, "nothing is graded before the drill")

    def start_web(self, *before: str) -> "subprocess.Popen[bytes]":
        server = ("-m", "gunicorn", "-c", "quizzes/config/gunicorn.py")
        here = {"HOST": "127.0.0.1", "PORT": str(self.port)} | self.environment
        return self.queue.start_worker(*server, before=before or self.before, **here)

    def stop_web(self) -> None:
        self.web.terminate()
        self.web.wait(timeout=PATIENCE_SECONDS)

    def start_worker(self, *before: str) -> "subprocess.Popen[bytes]":
        return self.queue.start_worker(before=before or self.before, **self.environment)

    def stop_worker(self) -> None:
        self.worker.terminate()
        self.worker.wait(timeout=PATIENCE_SECONDS)

    def health(self) -> dict[str, Any]:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=30) as answer:
                return dict(json.load(answer))
        except urllib.error.HTTPError as error:
            return dict(json.load(error))

    def is_well(self) -> bool:
        try:
            return bool(self.health()["status"] == "ok")
        except OSError:
            return False

    def answers(self) -> bool:
        try:
            return bool(self.health())
        except OSError:
            return False

    def doctor(self) -> str:
        command = [*self.before, sys.executable, "manage.py", "doctor"]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=self.queue.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode, "doctor finds nothing wrong"
        return done.stdout + done.stderr

    def come(self, count: int) -> list[Visitor]:
        """Have visitors open the page and fill it in."""
        found = []
        for _ in range(count):
            visitor = Visitor(self, len(self.visitors) + len(found))  # type: ignore[arg-type]
            visitor.fill_in()
            found.append(visitor)
        return found

    def hand_in(self, count: int) -> None:
        for visitor in self.come(count):
            self.send(visitor)
            assert not visitor.refused, visitor.refused

    def send(self, visitor: Visitor) -> None:
        visitor.hand_in()
        if not visitor.refused:
            self.visitors.append(visitor)

    def all_graded(self) -> bool:
        try:
            return not any(row["verdict"] == "" for row in self.queue.rows())
        except Exception:  # the database is away
            return False

    def wait(self, holds: Callable[[], bool], words: str) -> float:
        began = time.monotonic()
        while not holds():
            assert time.monotonic() - began < PATIENCE_SECONDS, f"{words}\n{self.logs()}"
            time.sleep(0.2)
        return time.monotonic() - began

    def wait_for_words(self, part: str, words: str) -> str:
        """Wait until a part of /healthz says so; return all that it says."""
        self.wait(lambda: words in self._why(part), f"/healthz does not say {words!r} of {part}")
        return self._why(part)

    def _why(self, part: str) -> str:
        said = self.health()[part]
        return str(said["database"] if part == "site" else said["why"])

    def logs(self) -> str:
        return "\n".join(self.queue.log(n)[-3000:] for n, _ in enumerate(self.queue.workers))

    def end(self, *said: str) -> None:
        """The fault is over: wait until the site is well and what it stored is graded."""
        seconds = self.wait(lambda: self.is_well() and self.all_graded(), "it does not recover")
        self.hand_in(2)
        self.wait(self.all_graded, "nothing is graded after the drill")
        rows = self.queue.rows()
        print(
            f"DRILL | {self.name} | {' / '.join(said)} | {len(self.visitors)} stored,"
            f" {len(self.visitors) - len(rows)} lost | {seconds:.0f}"
            f" | load {os.getloadavg()[0]:.0f}"
        )
        for visitor in self.visitors:
            assert visitor.verdict() == visitor.expected
        # What was refused may yet have been stored, when the connection broke after its commit.
        assert len(rows) >= len(self.visitors), "lost"
        graded = self.queue.gradings()
        assert sorted(graded) == sorted(row["pk"] for row in rows), "lost or graded twice"


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[Queue]:
    made = _queue(tmp_path)
    yield made
    made.stop()


def _queue(folder: Path) -> Queue:
    (folder / "shared").mkdir()
    made = Queue(folder, folder / "shared")
    made.count_gradings()
    return made


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Give a file system of its own that can be filled without harm."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "drill", str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"{' '.join(command)}: {done.stderr.strip()}: root alone may mount")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)


def fill(disk: Path) -> Path:
    """Write until nothing fits any more, and leave no page of it."""
    ballast = disk / "ballast"
    with ballast.open("ab", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
    return ballast


def send_until_refused(drill: Drill, visitors: Sequence[Visitor], disk: Path) -> None:
    """Hand in on a disk that is kept full; the first may fit into what the database had taken."""
    for visitor in visitors:
        drill.send(visitor)
        fill(disk)
        if visitor.refused:
            break
    assert visitors[-1] is not visitor, "all was taken"
    assert visitor.refused.startswith("503 "), visitor.refused
    assert REFUSED in visitor.refused


def test_a_disk_that_is_full(tmp_path: Path, queue: Queue) -> None:
    with small_disk(tmp_path / "disk") as disk:
        file = Path(name_of_database(queue.environment["DATABASE_URL"]))
        (disk / file.name).write_bytes(file.read_bytes())
        queue.environment["DATABASE_URL"] = f"sqlite:///{disk / file.name}"
        queue.environment["ORDINAL_VAR"] = str(disk / "var")
        drill = Drill(queue, "SQLite, disk full")
        try:
            waiting = drill.come(40)
            for visitor in waiting[:6]:
                drill.send(visitor)
            ballast = fill(disk)
            words = drill.wait_for_words("machine", "the disk is full")
            send_until_refused(drill, waiting[6:], disk)
            silent = drill.wait_for_words("grading", NO_WRITES)
            assert "disk" in drill.doctor()
            ballast.unlink()
            drill.end(words, silent.partition(": it")[0])
        finally:
            queue.stop()
            queue.workers.clear()


def test_a_disk_of_postgresql_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database's disk alone: that of the site has room."""
    with (
        tempfile.TemporaryDirectory(prefix="ordinal-", dir="/tmp") as name,  # short, for a socket
        small_disk(Path(name) / "disk") as disk,
    ):
        Path(name).chmod(0o755)
        with postgres(parent=str(disk)) as url:
            monkeypatch.setenv("DATABASE_URL", url)
            queue = _queue(tmp_path)
            try:
                drill = Drill(queue, "PostgreSQL, its disk full")
                waiting = drill.come(60)
                for visitor in waiting[:6]:
                    drill.send(visitor)
                ballast = fill(disk)
                send_until_refused(drill, waiting[6:], disk)
                assert "No space left on device" in drill.logs()
                report = drill.health()
                assert report["status"] == "degraded"
                assert report["machine"]["why"] == DISK_FULL
                ballast.unlink()
                drill.end("503; the log: No space left on device; /healthz: the disk is full")
            finally:
                queue.stop()


def test_workers_that_are_given_too_little(queue: Queue) -> None:
    drill = Drill(queue, "worker of 100 descriptors")
    for name, limit, words in (
        ("worker of 100 descriptors", "--nofile=100", "is limited to 100"),
        ("worker of 700 MB of addresses", "--as=734003200", "is limited to 700 MB"),
    ):
        drill.name = name
        drill.stop_worker()
        drill.worker = drill.start_worker("prlimit", limit, "--")
        drill.hand_in(2)
        said = drill.wait_for_words("grading", words)
        assert words in queue.log(len(queue.workers) - 1)
        assert not drill.all_graded(), "this was enough for it"
        drill.stop_worker()
        drill.worker = drill.start_worker()
        drill.end(said)


def processor_seconds(pid: int) -> float:
    """Return what a process and all below it have used so far."""
    ticks = 0
    for one in (pid, *descendants_of(pid)):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def test_a_web_server_of_few_descriptors_beside_silent_clients(queue: Queue) -> None:
    drill = Drill(queue, "web server of 120 descriptors, 300 clients that say nothing")
    drill.stop_web()
    drill.web = drill.start_web("prlimit", "--nofile=120", "--")
    drill.wait(drill.is_well, "the web server does not start")
    with ExitStack() as silent:
        for _ in range(300):
            silent.enter_context(socket.create_connection(("127.0.0.1", drill.port), timeout=60))
        drill.hand_in(6)
        drill.wait(drill.is_well, "it is not well beside silent clients")
        used = processor_seconds(drill.web.pid)
        time.sleep(3)
        assert processor_seconds(drill.web.pid) - used < 1, "it is busy with those it cannot take"
    (said,) = set(re.findall("A web process may open 120 files: [^.]+", drill.logs()))
    drill.end(said)


class WallClock:
    """A clock that can be put back, of the programs that are started with its environment."""

    def __init__(self, folder: Path) -> None:
        if (compiler := shutil.which("cc")) is None:
            pytest.skip("no C compiler: cc makes the clock that can be put back")
        self._file, library = folder / "clock", folder / "wall_clock.so"
        source = Path(__file__).with_name("wall_clock.c")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
        self._file.write_bytes(struct.pack("=q", 0))
        self.environment = {"LD_PRELOAD": str(library), "WALL_CLOCK_FILE": str(self._file)}

    def put_back_an_hour(self) -> None:
        with self._file.open("r+b") as file:
            file.write(struct.pack("=q", -HOUR))


@pytest.fixture
def wall_clock() -> Iterator[WallClock]:
    with tempfile.TemporaryDirectory(prefix="ordinal-", dir="/tmp") as name:
        Path(name).chmod(0o755)  # for PostgreSQL, which runs as nobody
        yield WallClock(Path(name))


def put_back_and_kill(drill: Drill, clock: WallClock) -> None:
    """Put the clock back, and kill the worker while what it wrote lies an hour ahead."""
    drill.hand_in(6)
    done = last_done(drill.queue)
    clock.put_back_an_hour()
    drill.worker.kill()
    drill.worker.wait()
    drill.worker = drill.start_worker()
    drill.hand_in(6)
    drill.wait(lambda: last_done(drill.queue) < done, "periodic tasks wait for the wrong clock")
    drill.end("nothing: code is graded, tasks are run")


def last_done(queue: Queue) -> str:
    """Return when the task of the shortest period that both databases have was last done."""
    done = "SELECT done_at FROM exercises_periodictask WHERE name LIKE 'hand in attempts%'"
    (found,) = ask_rows(queue.environment["DATABASE_URL"], done)
    assert found[0], "it was never done"
    return str(found[0])


def test_a_clock_that_is_put_back_an_hour(queue: Queue, wall_clock: WallClock) -> None:
    drill = Drill(queue, "SQLite, clock back an hour, worker killed", **wall_clock.environment)
    put_back_and_kill(drill, wall_clock)
    handed_in = "SELECT strftime('%s', submitted_at) FROM exercises_submission"
    rows = ask_rows(queue.environment["DATABASE_URL"], handed_in)
    times = [int(seconds) for (seconds,) in rows]
    assert max(times) - min(times) > HOUR // 2, "the clock was not put back"


@pytest.mark.parametrize("whose", ["the database's", "every"])
def test_a_clock_of_postgresql_that_is_put_back_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wall_clock: WallClock, whose: str
) -> None:
    hosts = wall_clock.environment if whose == "every" else {}
    with ExitStack() as served:
        with monkeypatch.context() as preloaded:
            for name, value in wall_clock.environment.items():
                preloaded.setenv(name, value)
            url = served.enter_context(postgres())
        monkeypatch.setenv("DATABASE_URL", url)
        queue = _queue(tmp_path)
        try:
            drill = Drill(queue, f"PostgreSQL, {whose} clock back an hour, worker killed", **hosts)
            put_back_and_kill(drill, wall_clock)
            ((its_time,),) = ask_rows(url, "SELECT extract(epoch FROM clock_timestamp())")
            assert time.time() - float(its_time) > HOUR // 2, "the clock was not put back"
        finally:
            queue.stop()


# Without what root alone may do, which is to write what belongs to others.
AS_OTHERS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", "--")


@pytest.mark.parametrize(("narrowed", "mode"), [("file", 0o444), ("folder", 0o555)])
def test_an_sqlite_database_that_a_restore_left_to_somebody_else(
    tmp_path: Path, queue: Queue, narrowed: str, mode: int
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    file = Path(shutil.move(name_of_database(queue.environment["DATABASE_URL"]), folder))
    queue.environment["DATABASE_URL"] = f"sqlite:///{file}"
    before = () if os.geteuid() else AS_OTHERS
    drill = Drill(queue, f"SQLite, {narrowed} of mode {mode:o} after a restore", before=before)
    (visitor,) = drill.come(1)
    drill.hand_in(6)
    drill.stop_worker()
    drill.stop_web()
    target = file if narrowed == "file" else folder
    rights = target.stat().st_mode
    with closing(sqlite3.connect(file)) as restored:
        restored.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    target.chmod(mode)
    drill.web, drill.worker = drill.start_web(), drill.start_worker()
    try:
        drill.wait(drill.answers, "the web server does not start")
        drill.send(visitor)
        assert visitor.refused.startswith("503 "), visitor.refused
        assert REFUSED in visitor.refused
        health, doctor = drill.health(), drill.doctor()
        assert "it is read-only" in doctor, doctor
        if narrowed == "file":
            assert (health["status"], health["site"]["ok"]) == ("degraded", True)
            why = drill.wait_for_words("grading", NO_WORKER)
        else:
            assert health["status"] == "down"
            why = drill.wait_for_words("site", "it is read-only")
        number = len(queue.workers) - 1
        queue.wait_for_log(number, "No database can be used")
        print(queue.log(number), doctor)
        assert "Traceback" not in queue.log(number)
    finally:
        target.chmod(rights)
        for beside in file.parent.glob(f"{file.name}-???"):  # made with the rights of the file
            beside.chmod(file.stat().st_mode)
    drill.end(why, "no restart")


def test_postgresql_that_is_read_only_and_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres() as url:
        monkeypatch.setenv("DATABASE_URL", url)
        queue = _queue(tmp_path)
        server: subprocess.Popen[bytes] | None = None
        try:
            drill = Drill(queue, "PostgreSQL, read-only")
            _read_only(url, "on")
            (visitor,) = drill.come(1)
            drill.send(visitor)
            assert visitor.refused.startswith("503 "), visitor.refused
            assert REFUSED in visitor.refused
            silent = drill.wait_for_words("grading", NO_WRITES)
            assert "it cannot be written" in drill.doctor()
            _read_only(url, "off")
            drill.end(silent.partition(": it")[0], "database: it cannot be written (doctor)")

            drill.name = "PostgreSQL stopped for 20 s and started"
            (visitor,) = drill.come(1)
            drill.hand_in(6)
            data = Path(parse_qs(urlsplit(url).query)["host"][0])
            pid = int((data / "postmaster.pid").read_text().split()[0])
            command = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
            os.kill(pid, signal.SIGINT)
            stopped_at = time.monotonic()
            drill.wait(lambda: not (data / "postmaster.pid").exists(), "it does not stop")
            drill.send(visitor)
            assert visitor.refused.startswith("503 "), visitor.refused
            health = drill.health()
            assert health["status"] == "down"
            assert "database" in drill.doctor()
            time.sleep(max(0.0, stopped_at + 20 - time.monotonic()))
            with (tmp_path / "postgres.log").open("wb") as log:
                server = subprocess.Popen(
                    as_ordinary_user(command), cwd="/", stdout=log, stderr=log
                )
            drill.end(f"503, {health['site']['database']}")
        finally:
            queue.stop()
            if server is not None:
                server.send_signal(signal.SIGINT)
                server.wait(timeout=60)


def _read_only(url: str, how: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True, options="-c transaction_read_only=off") as there:
        there.execute(f"ALTER SYSTEM SET default_transaction_read_only = {how}")  # type: ignore[call-overload]
        there.execute("SELECT pg_reload_conf()")
