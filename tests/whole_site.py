"""The whole site as `make run` starts it, on a database and a port of its own."""

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.child_environment import ENDS_WITH_US, child_environment
from tests.databases import copy_database, new_database

ROOT = Path(__file__).resolve().parents[1]
# Reads programs, a line of JSON each, and answers with a line of what each printed or raised.
SHELL = """
import contextlib, io, json, os, signal, sys, traceback
import django
django.setup()
from django.db import connections
given = dict(os.environ)
def give_up(*_):
    raise TimeoutError("the program took too long")
signal.signal(signal.SIGALRM, give_up)
for line in sys.stdin:
    printed, failed = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(printed):
            signal.alarm(int(sys.argv[1]))
            exec(json.loads(line), {})
    except BaseException:
        failed = traceback.format_exc()
    signal.alarm(0)
    connections.close_all()
    os.environ.clear()
    os.environ.update(given)
    print(json.dumps([printed.getvalue(), failed]), flush=True)
"""
START_SECONDS = 240
COMMAND_SECONDS = 600  # of a machine with a load of 20, for the longest: a copy of the database
MOMENT_SECONDS = 10


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Site:
    """Web server and worker, started by tools/serve.py. `stop` proves that nothing is left.

    With `like`, the folder of a site or of a database, it begins with a copy of what is stored. The
    copy of a site that ran is not prepared again, unless `prepared` is false.
    """

    folder: Path
    extra: dict[str, str] = field(default_factory=dict)
    like: Path | None = None
    prepared: bool = True
    _shell: subprocess.Popen[str] | None = None

    def __post_init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.command = [sys.executable, "tools/serve.py"]
        if self.like is None:
            database = new_database(self.folder)
        else:
            database = copy_database((self.like / "said").read_text(), self.folder)
            if (self.like / "var").exists():
                if self.prepared:
                    self.command.append("--prepared")
                shutil.copytree(self.like / "var", self.folder / "var")
        self.environment = child_environment() | {
            "DATABASE_URL": database,
            "ORDINAL_VAR": str(self.folder / "var"),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            **self.extra,
        }

    def start(self, *, graded: bool = True) -> None:
        """Start and wait until pages are served and, if `graded`, code is graded."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*ENDS_WITH_US, *self.command],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._is_well(graded=graded):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise AssertionError(f"the site did not start:\n{self.log()}")
            time.sleep(0.1)

    def _is_well(self, *, graded: bool) -> bool:
        try:
            report = self.health()
        except OSError:
            return False
        return bool(report["grading"]["ok"] if graded else report["site"]["ok"])

    def health(self) -> dict[str, Any]:
        """Return what /healthz says; raises OSError while it does not answer 200."""
        with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
            return dict(json.load(answer))

    def manage(
        self, *arguments: str, check: bool = True, seconds: int = COMMAND_SECONDS
    ) -> subprocess.CompletedProcess[str]:
        """Run a management command on the site's database."""
        try:
            return subprocess.run(
                [sys.executable, "manage.py", *arguments],
                cwd=ROOT,
                env=self.environment,
                capture_output=True,
                text=True,
                check=check,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired as error:
            said = [(one or b"").decode(errors="replace") for one in (error.stdout, error.stderr)]
            raise AssertionError(f"{error}\n{''.join(said)}") from None

    def run(self, program: str) -> str:
        """Run Python on the site's database, and return what it prints.

        In a process that is kept: starting one takes more than a second of the processor.
        """
        if self._shell is None:
            settings = {"DJANGO_SETTINGS_MODULE": "quizzes.config.settings"}
            self._shell = subprocess.Popen(
                [*ENDS_WITH_US, sys.executable, "-c", SHELL, str(COMMAND_SECONDS)],
                cwd=ROOT,
                env=settings | self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        self._shell.stdin.write(json.dumps(program) + "\n")
        self._shell.stdin.flush()
        # The shell gives up first, and says where; this is for a wait that no signal ends.
        if not select.select([self._shell.stdout], [], [], COMMAND_SECONDS + MOMENT_SECONDS)[0]:
            self._shell.kill()
            self._shell.wait()
            self._shell = None
            raise AssertionError(f"the program took too long:\n{program}")
        printed, failed = json.loads(self._shell.stdout.readline())
        assert not failed, f"{program}\n{printed}\n{failed}"
        return str(printed)

    def login(self, role: str) -> tuple[str, str]:
        """Return the user name and password of the demo `learner` or `instructor`."""
        passwords = json.loads((self.folder / "var" / "demo-logins.json").read_text())
        return role, str(passwords[role])

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def pids(self, part: str) -> list[int]:
        """Return the processes directly below the supervisor whose command names `part`."""
        return [child for child in children_of(self.process.pid) if part in name_of(child)]

    def worker_pid(self) -> int:
        return self.pids("manage.py worker")[0]

    def stop(self) -> None:
        """Stop as Ctrl-C does, and fail if a process of the site is left."""
        if self._shell is not None:
            self._shell.communicate()
            self._shell = None
        family = descendants_of(self.process.pid)
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise AssertionError(f"the site did not stop:\n{self.log()}") from None
        left = [pid for pid in family if is_running(pid)]
        named = [f"{pid} {name_of(pid)}" for pid in left]
        assert not named, f"processes left behind: {named}\n{self.log()}"


def children_of(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(child) for child in text.split()]


def descendants_of(pid: int) -> list[int]:
    found = children_of(pid)
    return found + [deeper for child in found for deeper in descendants_of(child)]


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return "(gone since)"


def is_running(pid: int) -> bool:
    """Say whether `pid` lives after a moment for the kernel to end it; a zombie does not."""
    for _ in range(MOMENT_SECONDS * 10):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state == "Z":
            return False
        time.sleep(0.1)
    return True
