"""Kills at random moments while twenty submissions are in flight: nothing lost, doubled or wrong.

A seed says what is killed, and when; KILL_SEED=number repeats a storm. "Stored" is what the process
that stores submissions had printed before it was killed, as a page would have answered.
"""

import contextlib
import os
import random
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import ask_number, cut_a_connection, on_postgresql
from tests.exercises import making
from tests.exercises.queue.queue_processes import UNGRADED, Queue
from tests.whole_site import descendants_of

pytestmark = [pytest.mark.both_databases, pytest.mark.sandbox, pytest.mark.slow, pytest.mark.races]

IN_FLIGHT = 20  # stored and not graded, at each kill
AHEAD = 60  # more, for the seconds in which a killed process starts again
PATIENCE_SECONDS = 180  # of a machine that has other things to do
BETWEEN_SECONDS = 3.0
AFTERWARDS_SECONDS = 60
VICTIMS = {"worker": 40, "fork server": 20, "bwrap": 20, "web": 10, "connection": 10}
# Two workers must not grade faster than one process stores.
UNHURRIED = "import time\ntime.sleep(0.2)\n"
CODES = {UNHURRIED + making.REFERENCE: "correct", UNHURRIED + making.SWAPPED: "known_mistake"}
STORE = """
import sys
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import submit_code
from quizzes.learners.models import Learner
exercise = Exercise.objects.select_related("current").get()
codes = {codes!r}
print("ready", flush=True)
for number, _ in enumerate(sys.stdin):
    row = submit_code(
        exercise=exercise,
        learner=Learner.objects.create(),
        kind=("submit", "check")[number % 3 == 2],
        code=codes[number % len(codes)],
    )
    print(row.pk, flush=True)
"""


class Storm:
    """Workers, a process that stores submissions, and the hand that kills."""

    def __init__(self, queue: Queue, seed: int) -> None:
        self.queue, self.chance = queue, random.Random(seed)
        self.stored: set[int] = set()
        self.killed: Counter[str] = Counter()
        self.over = threading.Event()
        self.workers = [queue.start_worker() for _ in range(2)]
        for number in range(2):
            queue.wait_for_log(number, "passed its self-test")
        self.web = self._start_web()
        self.feeder = threading.Thread(target=self._feed)
        self.feeder.start()

    def _start_web(self) -> subprocess.Popen[str]:
        script = STORE.format(codes=list(CODES))
        return self.queue.start(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def in_flight(self) -> int:
        return ask_number(self.queue.environment["DATABASE_URL"], UNGRADED)

    def _feed(self) -> None:
        """Keep more than enough in flight; a killed process is replaced, as gunicorn does."""
        while not self.over.is_set():
            try:
                enough = self.in_flight() > IN_FLIGHT + AHEAD
            except Exception:  # its own connection may be the one that is cut
                continue
            if enough:
                time.sleep(0.05)
                continue
            web = self.web
            try:
                web.stdin.write("one more\n" * 10)
                web.stdin.flush()
                for _ in range(10):
                    self._hear(web)
            except (BrokenPipeError, EOFError):
                web.wait()
                self.web = self._start_web()

    def _hear(self, web: subprocess.Popen[str]) -> None:
        line = web.stdout.readline()
        if line == "ready\n":
            line = web.stdout.readline()
        if not line.endswith("\n"):
            raise EOFError
        self.stored.add(int(line))

    def strike(self) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.in_flight() < IN_FLIGHT:
            assert time.monotonic() < deadline, "submissions are graded faster than stored"
            time.sleep(0.02)
        (victim,) = self.chance.choices(list(VICTIMS), list(VICTIMS.values()))
        self.killed[victim] += 1
        if victim == "web" or (victim == "connection" and not on_postgresql()):
            self.web.kill()
        elif victim == "connection":
            cut_a_connection(self.queue.environment["DATABASE_URL"], self.chance.randrange(100))
        else:
            self._strike_at_a_worker(victim)

    def _strike_at_a_worker(self, victim: str) -> None:
        place = self.chance.randrange(2)
        worker = self.workers[place]
        pids = [worker.pid] if victim == "worker" else _of_kind(worker.pid, victim)
        if pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.chance.choice(pids), signal.SIGKILL)
        if victim == "worker":
            worker.wait()
            self.workers[place] = self.queue.start_worker()

    def end(self) -> None:
        self.over.set()
        self.feeder.join(timeout=60)
        self.web.kill()
        self.web.wait()


def _of_kind(worker: int, victim: str) -> list[int]:
    found = []
    for pid in sorted(descendants_of(worker)):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            name = Path(f"/proc/{pid}/comm").read_text().strip()
            if (name == "bwrap") == (victim == "bwrap") and name != "sh":
                found.append(pid)
    return found


@pytest.fixture
def queue(tmp_path: Path, shared_folder: Path) -> Iterator[Queue]:
    made = Queue(tmp_path, shared_folder)
    made.count_gradings()
    yield made
    made.stop()


@pytest.mark.parametrize("kills", [8, pytest.param(1000, marks=pytest.mark.soak)])
def test_nothing_is_lost_or_doubled_in_a_storm_of_kills(queue: Queue, kills: int) -> None:
    seed = int(os.environ.get("KILL_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
    print(f"KILL_SEED={seed}")
    storm, began = Storm(queue, seed), time.monotonic()
    try:
        for number in range(kills):
            storm.strike()
            left = began + (number + 1) * BETWEEN_SECONDS - time.monotonic()
            time.sleep(max(left, 0) + storm.chance.uniform(0, 0.05))
    finally:
        storm.end()
    rows = queue.wait_until_graded(AFTERWARDS_SECONDS)
    print(
        f"{kills} kills {dict(storm.killed)} in {time.monotonic() - began:.0f} s, {len(rows)} rows"
    )
    by_pk = {row["pk"]: row for row in rows}
    assert storm.stored <= by_pk.keys(), "lost"
    closed = [row for row in rows if row["verdict"] == "not_graded"]
    for row in rows:
        assert row in closed or row["verdict"] == CODES[row["code"]], row
    assert {row["tries_used"] for row in closed} <= {3}, closed
    assert len(closed) <= max(1, len(rows) // 100), closed
    assert queue.gradings() == sorted(by_pk), "doubled"
