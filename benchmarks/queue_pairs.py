"""Pick-up and verdict through the queue on both databases, and beside a commit, in turns.

Usage: python benchmarks/queue_pairs.py [COMMIT] [--rounds 6] [--quick] [--json FILE]
Makes a site on SQLite and one on PostgreSQL, and with COMMIT the one of that commit on a PostgreSQL
of its own, each with two workers; all stay up until the end. The reference of one exercise is
handed in, one at a time, in blocks of thirty: a round is a block of each site, and each begins in
turn, so that what the machine does meanwhile meets all of them. COMMIT runs with the packages that
are installed here. --quick takes two rounds of five. Exit code 1 when a full run misses the goal:
the median verdict on PostgreSQL at most 1.10 times that of COMMIT, or without it of SQLite, as the
median of the rounds.

  pick-up   stored until a worker has leased it, ms
  verdict   stored until graded, ms
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.verdict_pairs import checkout_of  # noqa: E402
from tools.with_postgres import postgres  # noqa: E402

WORKERS = 2
ROUNDS, BLOCK = 6, 30
QUICK_ROUNDS, QUICK_BLOCK = 2, 5
WARM_UP = 5
MOST_TIMES = 1.10
START_SECONDS = 300
SQLITE, POSTGRESQL = "SQLite", "PostgreSQL"

START = "import django; django.setup()\n"
PREPARE = """
from django.conf import settings
from django.core.management import call_command
from quizzes.courses.models import Course
from quizzes.exercises import publishing
from quizzes.exercises.models import Exercise
from quizzes.grader.definitions import read_definition, read_folder
call_command("migrate", verbosity=0)
files = read_folder(settings.COURSE / "exercises" / "sinusoidal-table")
exercise = Exercise.objects.create(course=Course.objects.create(slug="pairs"), slug="pairs")
definition = read_definition("pairs", files)
publishing.add_version(exercise=exercise, definition=definition, files=files)
"""
ASK = """
import json, sys, time
from django.conf import settings
from django.db import connection
from quizzes.exercises.case_pack_pool import version_with_low_pool
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import submit_code
from quizzes.learners.models import Learner
LOOK_SECONDS = 0.0003  # reading without a pause, or with the ORM, takes one of two cores
deadline = time.monotonic() + float(sys.argv[1])
while not Exercise.objects.filter(current__verification="ok").exists() or version_with_low_pool():
    assert time.monotonic() < deadline, "not verified"
    time.sleep(0.5)
exercise = Exercise.objects.select_related("current").get()
code = (settings.COURSE / "exercises/sinusoidal-table/reference.py").read_text()
look = connection.connection.execute
mark = "?" if connection.vendor == "sqlite" else "%s"
STATE = f"SELECT leased_until, graded_at, verdict FROM exercises_submission WHERE id = {mark}"

def hand_in():
    learner = Learner.objects.create()
    time.sleep(0.05)
    row = submit_code(exercise=exercise, learner=learner, kind="submit", code=code)
    stored, leased = time.perf_counter(), None
    while True:
        until, graded, verdict = look(STATE, [row.pk]).fetchone()
        now = time.perf_counter()
        if leased is None and (until or graded):
            leased = now
        if graded:
            assert verdict == "correct", verdict
            return 1000 * (leased - stored), 1000 * (now - stored)
        time.sleep(LOOK_SECONDS)

print("ready", flush=True)
for count in sys.stdin:
    print(json.dumps([hand_in() for _ in range(int(count))]), flush=True)
"""


@dataclass(frozen=True)
class Block:
    """Milliseconds of the submissions of one block, in the order in which they came."""

    site: str
    pick_up: list[float]
    verdict: list[float]


class Site:
    """A database with workers, and a process that hands in when it is asked. Not a web server."""

    def __init__(self, name: str, checkout: Path, url: str, folder: Path) -> None:
        self.name, self.checkout = name, checkout
        folder.mkdir()
        self.environment = os.environ | {
            "DATABASE_URL": url,
            "ORDINAL_VAR": str(folder),
            "ORDINAL_ENV": "development",
            "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
            "LOG_LEVEL": "ERROR",
            "CASE_PACKS": "6",  # filled in seconds
        }
        self.log = folder / "log"

    @contextmanager
    def open(self) -> Iterator["Site"]:
        """Start the workers; the exercise is verified and has its packs inside the block."""
        prepared = self._start("-c", START + PREPARE)
        if prepared.wait() != 0:
            raise SystemExit(f"{self.name}: no database; see above")
        with self.log.open("wb") as log:
            workers = [self._start("manage.py", "worker", stderr=log) for _ in range(WORKERS)]
        asking = self._start("-c", START + ASK, str(START_SECONDS))
        try:
            self._in, self._out = asking.stdin, asking.stdout
            if self._hear() != "ready":
                raise SystemExit(f"{self.name} cannot be measured: see above, and\n{self._said()}")
            self.block(WARM_UP)
            yield self
        finally:
            for process in (asking, *workers):
                process.terminate()
            for process in (asking, *workers):
                process.communicate(timeout=20)

    def block(self, count: int) -> Block:
        """Hand in so many, one after the other, and return their times."""
        self._in.write(f"{count}\n")
        self._in.flush()
        said = self._hear()
        if not said:
            raise SystemExit(f"{self.name} stopped: see above, and\n{self._said()}")
        pick_up, verdict = zip(*json.loads(said), strict=True)
        return Block(self.name, list(pick_up), list(verdict))

    def _hear(self) -> str:
        return str(self._out.readline()).strip()

    def _said(self) -> str:
        return self.log.read_text(errors="replace")[-2000:]

    def _start(self, *command: str, stderr: Any = None) -> Any:
        return subprocess.Popen(
            [sys.executable, *command],
            cwd=self.checkout,
            env=self.environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )


def measure(sites: Sequence[Site], rounds: int, count: int) -> list[list[Block]]:
    """Return the blocks of each round, those of a round in the order of `sites`."""
    found = []
    for number in range(rounds):
        first = number % len(sites)
        blocks = {site.name: site.block(count) for site in (*sites[first:], *sites[:first])}
        found.append([blocks[site.name] for site in sites])
    return found


def ratios(rounds: Sequence[Sequence[Block]], place: int, other: int) -> list[float]:
    """Return the median verdict of one site over that of another, for each round."""
    return [
        statistics.median(blocks[place].verdict) / statistics.median(blocks[other].verdict)
        for blocks in rounds
    ]


def _line(rounds: Sequence[Sequence[Block]], place: int) -> str:
    blocks = [round_[place] for round_ in rounds]
    cells = []
    for times in ([one.pick_up for one in blocks], [one.verdict for one in blocks]):
        every = sorted(value for block in times for value in block)
        cells.append(f"{statistics.median(every):.1f} / {every[int(0.95 * len(every))]:.1f}")
    return f"| {blocks[0].site} | {cells[0]} | {cells[1]} |"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("commit", nargs="?")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error(f"--rounds {options.rounds}: expected 1 or more")
    shape = (QUICK_ROUNDS, QUICK_BLOCK) if options.quick else (options.rounds, BLOCK)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ordinal-pairs-")))
        named = [(SQLITE, ROOT, f"sqlite:///{folder / 'site.sqlite3'}")]
        named.append((POSTGRESQL, ROOT, stack.enter_context(postgres())))
        if options.commit:
            name = f"{options.commit} on {POSTGRESQL}"
            other = stack.enter_context(checkout_of(options.commit))
            named.append((name, other, stack.enter_context(postgres())))
        sites = [
            stack.enter_context(Site(name, checkout, url, folder / str(number)).open())
            for number, (name, checkout, url) in enumerate(named)
        ]
        time.sleep(1)  # workers have nothing to do but wait
        load = os.getloadavg()[0]
        rounds = measure(sites, *shape)
    print(f"load before: {load:.1f}; {shape[0]} rounds of {shape[1]}")
    print("| site | pick-up p50 / p95, ms | verdict p50 / p95, ms |\n|---|--:|--:|")
    for place in range(len(sites)):
        print(_line(rounds, place))
    here, beside = [name for name, *_ in named].index(POSTGRESQL), 2 if options.commit else 0
    found = ratios(rounds, here, beside)
    median = statistics.median(found)
    print(f"verdict of {POSTGRESQL} over that of {named[beside][0]}: {median:.2f}; of each round:")
    print(", ".join(f"{one:.2f}" for one in found))
    if options.json:
        written = [[asdict(block) for block in blocks] for blocks in rounds]
        options.json.write_text(json.dumps(written, indent=1) + "\n")
    if median > MOST_TIMES:
        print(f"missed: at most {MOST_TIMES:.2f}")
    return 1 if median > MOST_TIMES and not options.quick else 0


if __name__ == "__main__":
    sys.exit(main())
