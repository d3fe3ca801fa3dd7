"""Taking rows from the queue with 1, 4 and 16 workers, on both engines, without grading them.

Usage: python benchmarks/scale.py [--quick | --smoke] [--engine NAME] [--rounds NUMBER]
       [--rows NUMBER] [--json FILE]
Makes databases of its own (SQLite in a new folder; PostgreSQL if its programs are installed) and
deletes them. Each worker leases a row, records "not graded" and takes the next until none is left.
Prints a table for people, each line with the load of the machine; --json writes the same for
programs; --quick takes fewer rows, --smoke those of one worker on SQLite. Exit code 1 when a full
run misses a goal: on PostgreSQL four workers take at least 0.8 times the rows a second of one,
sixteen 0.8 times those of four. --rounds measures 1, 4 and 16 workers in turns, since other work
comes and goes; medians count.

Sixteen processes may take less than four because they stand in each other's way in the queue, or
because a machine with few cores does less when it changes between many. To tell the two apart,
the same workers run on the same PostgreSQL server with a database for each ("apart"): no row, job
or lock is shared. Where that costs speed too, the goal is 0.8 times what is left of it.

  rows/s   from the moment at which all workers may begin until the last row is recorded; apart,
           until the first of them has none left, since then the others have the cores to themselves
  empty    how often a worker came away with nothing while rows waited
  asleep   seconds that all workers together then slept
  ms/row   milliseconds of the processor that the workers, not PostgreSQL, needed for a row
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import database_in  # noqa: E402
from tools.with_postgres import postgres, programs  # noqa: E402

WORKERS = (1, 4, 16)
ROWS, QUICK_ROWS, SMOKE_ROWS = 400, 80, 16
WARM_UP = 25  # rows that a worker takes before; so many of sixteen may wait at once
APART = "postgresql, apart"
AT_LEAST = 0.8  # of the rows a second with fewer workers
DEADLINE_SECONDS = 300

START = "import django; django.setup()\n"
PREPARE = """
from django.conf import settings
from django.core.management import call_command
from quizzes.content_files.files import DiskFiles
from quizzes.courses.models import Course
from quizzes.exercises import case_pack_pool, publishing
from quizzes.exercises.models import Exercise
from quizzes.grader.definitions import read_definition, read_folder
call_command("migrate", verbosity=0)
files = read_folder(DiskFiles(settings.COURSE / "exercises" / "sinusoidal-table"))
exercise = Exercise.objects.create(course=Course.objects.create(slug="scale"), slug="scale")
definition = read_definition("scale", files)
version = publishing.add_version(exercise=exercise, definition=definition, files=files)
version = publishing.lease_unverified()
publishing.accept(version=version, seed=1, data=b"", outline={"shown": [], "hidden": 1})
for seed in range(2, 17):
    case_pack_pool.add_pack(version=version, seed=seed, data=b"")
"""
FILL = """
import sys, uuid
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import submit_code
from quizzes.learners.models import Learner, User
exercise = Exercise.objects.select_related("current").get()
for number in range(int(sys.argv[1])):
    user = User.objects.create(username=uuid.uuid4().hex)  # of all visitors 600 may wait at once
    learner = Learner.objects.create(user=user)
    submit_code(exercise=exercise, learner=learner, kind="submit", code="x = 1")
"""
TAKE = """
import json, sys, time
from quizzes.exercises.models import Submission
from quizzes.exercises.queue import leases
from quizzes.exercises.queue.notify import Listener
from quizzes.grader.api import Verdict
from quizzes.grader.judge import Report
name, warm_up, listener = sys.argv[1], int(sys.argv[2]), Listener()

def take():
    lease = leases.lease_next(worker=name)
    if lease is not None:
        assert leases.record(lease=lease, report=Report(Verdict.NOT_GRADED))
    return lease is not None

for _ in range(warm_up):  # its own part of the rows that are stored to begin with
    while not take():
        time.sleep(0.05)
print("ready", flush=True)
sys.stdin.readline()
recorded, empty, asleep, used = [], 0, 0.0, time.process_time()
while True:
    if take():
        recorded.append(time.monotonic())
        continue
    if not Submission.objects.ungraded().exists():
        break
    empty, began = empty + 1, time.monotonic()
    listener.wait(1.0, until=lambda: False)
    asleep += time.monotonic() - began
listener.close()
used = time.process_time() - used
print(json.dumps([empty, asleep, used, recorded]), flush=True)
"""


@dataclass(frozen=True)
class Measurement:
    """One line of the table."""

    engine: str
    workers: int
    rows: int
    rows_a_second: float
    empty: int
    asleep_seconds: float
    processor_ms: float
    load: float


def _environment(url: str, folder: Path) -> dict[str, str]:
    return os.environ | {
        "DATABASE_URL": url,
        "ORDINAL_VAR": str(folder / "var"),
        "ORDINAL_ENV": "development",
        "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
        "LOG_LEVEL": "ERROR",
    }


def _start(environment: dict[str, str], script: str, *words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", START + script, *words],
        cwd=ROOT,
        env=environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def _run(databases: Sequence[dict[str, str]], script: str, *words: str) -> None:
    started = [_start(one, script, *words) for one in databases]
    for process in started:
        process.communicate()
        if process.returncode != 0:
            raise SystemExit(f"a script ended with exit code {process.returncode}; see above")


def _databases(only: str | None, folder: Path, stack: ExitStack) -> dict[str, str]:
    """Return the DATABASE_URL of each engine that is installed, or of this one."""
    urls = {}
    if only != "postgresql":
        urls["sqlite"] = database_in(folder)
    if only != "sqlite":
        try:
            programs()
            urls["postgresql"] = stack.enter_context(postgres())
        except SystemExit as lacking:
            print(f"without PostgreSQL: {lacking}")
    return urls


def _databases_apart(url: str, folder: Path) -> list[dict[str, str]]:
    """Copy the database of `url`, which nobody uses now, once for each worker."""
    with psycopg.connect(_named(url, "template1"), autocommit=True) as session:
        for number in range(max(WORKERS)):
            session.execute(f"CREATE DATABASE apart_{number} TEMPLATE postgres")
    return [_environment(_named(url, f"apart_{n}"), folder) for n in range(max(WORKERS))]


def _named(url: str, database: str) -> str:
    return urlsplit(url)._replace(path=f"/{database}").geturl()


def measure(
    engine: str, databases: Sequence[dict[str, str]], workers: int, rows: int
) -> Measurement:
    """Start workers, each of which takes rows, store rows, let all begin at once, and count.

    `databases` are one for all workers, or one for each. What a worker does once, such as writing
    its statements and having the server prepare them, is not what they take in a second: of 400
    rows a worker of sixteen takes 25, one of four 100.
    """
    _run(databases, FILL, str(workers * WARM_UP // len(databases)))
    started = [
        _start(databases[number % len(databases)], TAKE, f"worker-{number}", str(WARM_UP))
        for number in range(workers)
    ]
    for worker in started:
        if _pipe(worker.stdout).readline() != "ready\n":
            raise SystemExit("a worker did not start; see above")
    _run(databases, FILL, str(rows // len(databases)))
    load, began = os.getloadavg()[0], time.monotonic()
    for worker in started:
        _pipe(worker.stdin).write("go\n")
        _pipe(worker.stdin).flush()
    said = [json.loads(_pipe(worker.stdout).readline()) for worker in started]
    for worker in started:
        worker.communicate(timeout=DEADLINE_SECONDS)
    *sums, recorded = zip(*said, strict=True)
    empty, asleep, used = (sum(column) for column in sums)
    moments = sorted(moment for of_one in recorded for moment in of_one)
    if len(moments) != rows:
        raise SystemExit(f"{len(moments)} of {rows} rows were recorded")
    end = moments[-1]  # a worker that sleeps as the last row ends is late
    if len(databases) > 1:
        end = min(of_one[-1] for of_one in recorded)
    a_second = bisect_right(moments, end) / (end - began)
    return Measurement(engine, workers, rows, a_second, empty, asleep, used / rows * 1000, load)


def _pipe(pipe: Any) -> Any:
    assert pipe is not None
    return pipe


def missed(found: Sequence[Measurement]) -> list[str]:
    """Return a sentence for each goal that PostgreSQL missed."""
    together, apart = (_medians(found, engine) for engine in ("postgresql", APART))
    said = []
    for few, many in pairwise(sorted(together)):
        left = min(1.0, apart[many] / apart[few])
        if together[many] < AT_LEAST * left * together[few]:
            said.append(
                f"{many} workers take {together[many]:.0f} rows/s, {few} take"
                f" {together[few]:.0f}; apart {apart[many]:.0f} and {apart[few]:.0f}"
            )
    return said


def _medians(found: Sequence[Measurement], engine: str) -> dict[int, float]:
    """Return rows a second by the number of workers."""
    rates: dict[int, list[float]] = {}
    for one in found:
        if one.engine == engine:
            rates.setdefault(one.workers, []).append(one.rows_a_second)
    return {workers: median(of_rounds) for workers, of_rounds in rates.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--engine", choices=["sqlite", "postgresql"], help="one of the two alone")
    parser.add_argument("--rounds", type=int, default=1, help="how often, in turns; 1")
    parser.add_argument("--rows", type=int, help=f"how many in all; {ROWS}, {QUICK_ROWS} if quick")
    options = parser.parse_args(arguments)
    for name in ("rounds", "rows"):
        number = getattr(options, name)
        if number is not None and number < 1:
            parser.error(f"--{name} {number}: expected 1 or more")
    if options.rows and options.rows % max(WORKERS):  # as many for each, apart
        parser.error(f"--rows {options.rows}: expected a multiple of {max(WORKERS)}")
    rows = options.rows or sizes_of(options, full=ROWS, quick=QUICK_ROWS, smoke=SMOKE_ROWS)
    numbers = sizes_of(options, full=WORKERS, quick=WORKERS, smoke=WORKERS[:1])
    only = options.engine or sizes_of(options, full=None, quick=None, smoke="sqlite")
    found: list[Measurement] = []
    heads = f"{'empty':>7}{'asleep s':>10}{'ms/row':>8}{'load':>7}"
    print(f"{'engine':18}{'workers':>8}{'rows/s':>8}{heads}")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ordinal-scale-")))
        urls = _databases(only, folder, stack)
        if only not in {None, *urls}:
            parser.error(f"--engine {only}: not installed here")
        for engine, url in urls.items():
            site = _environment(url, folder)
            _run([site], PREPARE)
            ways = {engine: [site]}
            if engine == "postgresql":
                ways[APART] = _databases_apart(url, folder)
            for workers in numbers * options.rounds:
                for way, databases in ways.items():
                    one = measure(way, databases[:workers], workers, rows)
                    found.append(one)
                    print(
                        f"{way:18}{workers:8}{one.rows_a_second:8.0f}{one.empty:7}"
                        f"{one.asleep_seconds:10.1f}{one.processor_ms:8.1f}{one.load:7.1f}",
                        flush=True,
                    )
    lacks = missed(found)
    for words in lacks:
        print(f"missed: {words}")
    return end(options, [asdict(one) for one in found], lacks)


if __name__ == "__main__":
    sys.exit(main())
