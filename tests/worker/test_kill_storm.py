"""Kills at random moments while twenty submissions are in flight: nothing lost, doubled or wrong.

A seed says what is killed, and when; KILL_SEED=number repeats a storm, and KILLS=number makes one
of 1 000 as long as the time allows. A kill counts when it met a process or a connection,
and the log has a line for each, with the rows that were in work. Visitors hand in by the page of a
real web server, each once, and send the same form again when no answer comes. "Stored" is what a
page has answered to.
"""

import contextlib
import itertools
import json
import os
import random
import re
import signal
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from tests.databases import ask_number, ask_rows, cut_a_connection, on_postgresql
from tests.exercises import making
from tests.exercises.queue.queue_processes import UNGRADED, Queue
from tests.exercises.test_web_kills import Student
from tests.whole_site import children_of, descendants_of, free_port

pytestmark = [pytest.mark.both_databases, pytest.mark.sandbox, pytest.mark.soak, pytest.mark.races]

IN_FLIGHT = 20  # stored and not graded, at each kill
AHEAD = 60  # more, for the seconds in which a killed process starts again
PATIENCE_SECONDS = 180  # of a machine that has other things to do
BETWEEN_SECONDS = 3.0  # at least: what a start took is not caught up
AFTERWARDS_SECONDS = 60
READY = "passed its self-test"
IN_WORK = (
    "SELECT id, leased_by FROM exercises_submission"
    " WHERE graded_at IS NULL AND leased_until IS NOT NULL ORDER BY id"
)
# Each learner hands in once, so each has one mark where a Submit was graded, and none elsewhere.
MARKS = "SELECT learner_id FROM learners_progress WHERE kind = 'exercise' ORDER BY learner_id"
MARKED = (
    "SELECT learner_id FROM exercises_submission"
    " WHERE kind = 'submit' AND verdict <> 'not_graded' ORDER BY learner_id"
)
VICTIMS = {"worker": 40, "fork server": 20, "bwrap": 20, "web": 10, "connection": 10}
VISITORS = 6  # at a time
# Two workers must not grade faster than two web processes store.
UNHURRIED = "import time\ntime.sleep(0.2)\n"
CODES = {UNHURRIED + making.REFERENCE: "correct", UNHURRIED + making.SWAPPED: "known_mistake"}
WEB = ("-m", "gunicorn", "-c", "quizzes/config/gunicorn.py")


class Visitor(Student):
    """Hands in once; sends the form again too when the connection to the database was cut."""

    page = "/c/course/exercises/patient/"

    def __init__(self, storm: "Storm", number: int) -> None:
        super().__init__(storm, number)  # type: ignore[arg-type]
        self.waiting = storm.waiting
        self.code = [*CODES][number % len(CODES)]
        self.kind = ("submit", "check")[number % 3 == 2]

    def submission(self) -> int:
        """Hand in; return the number of the row that the page answers with."""
        self.submit()
        found = re.search(r"/submissions/(\d+)/", self.address)
        assert found, self.address
        return int(found.group(1))

    def _read(self, address: str, data: bytes | None = None) -> tuple[str, str]:
        self.waiting.add(self)
        try:
            return super()._read(address, data)
        except urllib.error.HTTPError as error:
            if error.code != HTTPStatus.SERVICE_UNAVAILABLE:
                raise
            raise ConnectionError("no database for this request") from error
        finally:
            self.waiting.discard(self)


@dataclass(frozen=True)
class Kill:
    """What was killed: `process` is its number, `rows` those that were in work a moment before."""

    at: float
    victim: str
    process: int
    rows: list[tuple[int, str]]

    @property
    def may_cost_a_try(self) -> bool:
        """Of a worker, of what it started, or of a connection, which may be a worker's."""
        return self.victim not in {"web", "web at work"}


class Storm:
    """Workers, a web server, visitors, and the hand that kills."""

    def __init__(self, queue: Queue, seed: int) -> None:
        self.queue, self.chance = queue, random.Random(seed)
        self.stored: set[int] = set()
        self.kills: list[Kill] = []
        self.over = threading.Event()
        self.workers = [queue.start_worker() for _ in range(2)]
        self.numbers = [0, 1]  # of their logs
        for number in self.numbers:
            queue.wait_for_log(number, READY)
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.web = queue.start_worker(*WEB, HOST="127.0.0.1", PORT=str(port))
        self.counted = itertools.count()
        self.waiting: set[Visitor] = set()  # for an answer
        self.sent_again = 0
        self.visitors = [
            threading.Thread(target=self._hand_in, daemon=True) for _ in range(VISITORS)
        ]
        self._wait_for_the_web_server()
        for visitor in self.visitors:
            visitor.start()

    def _wait_for_the_web_server(self) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/healthz", timeout=30).close()
            except OSError:
                assert time.monotonic() < deadline, "the web server does not start"
                time.sleep(0.1)
            else:
                return

    def in_flight(self) -> int:
        return ask_number(self.queue.environment["DATABASE_URL"], UNGRADED)

    def _hand_in(self) -> None:
        """Keep more than enough in flight."""
        while not self.over.is_set():
            if self.in_flight() > IN_FLIGHT + AHEAD:
                time.sleep(0.2)
            else:
                visitor = Visitor(self, next(self.counted))
                self.stored.add(visitor.submission())
                self.sent_again += visitor.sent_again

    def strike(self) -> None:
        """Kill one thing, and wait until there is one to kill."""
        while not self._strike():
            time.sleep(0.1)
        print(f"kill {len(self.kills)}: {json.dumps(asdict(self.kills[-1]))}", flush=True)

    def _strike(self) -> bool:
        """Return whether there was anything to be met."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.in_flight() < IN_FLIGHT or not self._someone_grades():
            self._assert_that_visitors_come()
            assert time.monotonic() < deadline, "graded faster than stored, or no worker starts"
            time.sleep(0.02)
        (victim,) = self.chance.choices(list(VICTIMS), list(VICTIMS.values()))
        url = self.queue.environment["DATABASE_URL"]
        if victim == "connection" and not on_postgresql():
            victim = "web at work"
        rows: list[Any] = ask_rows(url, IN_WORK)
        if victim in {"web", "web at work"}:
            process = self._strike_at_the_web_server(at_work=victim != "web")
        elif victim == "connection":
            process = -1 if cut_a_connection(url, self.chance.randrange(100)) else 0
        else:
            process = self._strike_at_a_worker(victim)
        if process:
            self.kills.append(Kill(round(time.monotonic(), 2), victim, process, rows))
        return bool(process)

    def _strike_at_the_web_server(self, *, at_work: bool) -> int:
        """Kill one of its processes, if `at_work` while a visitor waits for an answer."""
        while at_work and not self.waiting:
            self._assert_that_visitors_come()
            time.sleep(0.01)
        there = children_of(self.web.pid)
        process = self.chance.choice(there) if there else 0
        return process if process and _kill(process) else 0

    def _strike_at_a_worker(self, victim: str) -> int:
        """Return the number of the process that was killed, 0 for none."""
        place = self.chance.randrange(2)
        worker = self.workers[place]
        pids = [worker.pid] if victim == "worker" else _of_kind(worker.pid, victim)
        process = self.chance.choice(pids) if pids else 0
        met = bool(process) and _kill(process)
        if victim == "worker":
            worker.wait()
            self.workers[place] = self.queue.start_worker()
            self.numbers[place] = len(self.queue.workers) - 1
        return process if met else 0

    def _someone_grades(self) -> bool:
        """Say whether a worker has started: on a slow machine all kills would meet their starts."""
        return any(READY in self.queue.log(number) for number in self.numbers)

    def _assert_that_visitors_come(self) -> None:
        assert all(visitor.is_alive() for visitor in self.visitors), "a visitor failed"

    def end(self) -> None:
        """Let every visitor get an answer to what was sent, however long that takes."""
        self.over.set()
        for visitor in self.visitors:
            visitor.join(timeout=2 * PATIENCE_SECONDS)


def _kill(process: int) -> bool:
    """Return whether there was such a process, and not only its number."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        os.kill(process, signal.SIGKILL)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


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


def test_storm_of_kills_loses_and_doubles_nothing(queue: Queue) -> None:
    kills = int(os.environ.get("KILLS", "1000"))
    seed = int(os.environ.get("KILL_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
    print(f"KILL_SEED={seed}")
    storm, began = Storm(queue, seed), time.monotonic()
    try:
        for _ in range(kills):
            storm.strike()
            time.sleep(BETWEEN_SECONDS + storm.chance.uniform(0, 0.05))
    finally:
        storm.end()
    assert not any(visitor.is_alive() for visitor in storm.visitors), "one waits for an answer"
    rows = queue.wait_until_graded(AFTERWARDS_SECONDS)
    met = Counter(kill.victim for kill in storm.kills)
    print(f"{kills} kills {dict(met)} in {time.monotonic() - began:.0f} s, {len(rows)} rows")
    print(f"requests that got no answer and were sent again: {storm.sent_again}")
    by_pk = {row["pk"]: row for row in rows}
    assert storm.stored <= by_pk.keys(), "lost"
    assert storm.stored == by_pk.keys(), "stored twice: a form was sent again"
    closed = [row for row in rows if row["verdict"] == "not_graded"]
    for row in rows:
        assert row in closed or row["verdict"] == CODES[row["code"]], row
    assert {row["tries_used"] for row in closed} <= {3}, closed
    costly = [kill for kill in storm.kills if kill.may_cost_a_try]
    assert len(costly) >= 3 * len(closed), "tries ended that no kill ended"
    for row in closed:  # by the log: a row is taken between the look and the kill now and then
        by = [kill.victim for kill in costly if row["pk"] in dict(kill.rows)]
        print(f"submission {row['pk']} was closed; kills that met it in work: {by}")
        assert len(by) >= 2, f"{row['pk']} was closed without kills"
    assert len(closed) <= max(1, len(rows) // 100), closed
    assert queue.gradings() == sorted(by_pk), "doubled"
    url = queue.environment["DATABASE_URL"]
    assert ask_rows(url, MARKS) == ask_rows(url, MARKED), "marks"
