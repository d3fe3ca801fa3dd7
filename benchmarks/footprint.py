"""What a site takes when little happens: memory, idle processor time, bytes a submission.

Usage: python benchmarks/footprint.py [--quick] [--count NUMBER] [--engine ENGINE] [--json FILE]
For SQLite, then for PostgreSQL (a server of its own), it starts a site: the web server with its two
processes, and one worker. Submissions of as many learners are stored at once and graded, as in
benchmarks/soak.py: right, a known mistake, a crash, torch, one in 250 an endless loop. Pages are
read. Then it waits a minute in which nothing comes. --quick takes 40 submissions and ten seconds,
and counts them as a part of a minute.

  memory       proportional set size (PSS) of the worker with its fork servers, of the web server
               with its processes, of PostgreSQL's server with its sessions; MB, after the grading
  idle         seconds of processor a minute of the same, while nothing waits
  a submission bytes of the tables of submissions, pictures, earlier verdicts and jobs, with their
               indexes, for each that was graded: as the files lie, and after a VACUUM (FULL) of
               these tables. No case packs and no learners
There is no goal but 900 MB for a worker, as in benchmarks/burst.py. Processor time and bytes hold
on a busy machine; where other programs share pages with these, PSS is less than on a machine alone.
"""

import argparse
import json
import os
import sys
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.own_site import OwnSite  # noqa: E402
from benchmarks.own_workers import (  # noqa: E402
    keep_exercises,
    run_script,
    wait_until_prepared,
    workers,
)
from benchmarks.queue_scripts import FILL, LAST  # noqa: E402
from benchmarks.soak import GRADED, PAGES, TABLE, codes, family, memory_mb  # noqa: E402
from benchmarks.table_bytes import bytes_of  # noqa: E402
from tools.with_postgres import postgres  # noqa: E402

COUNT, QUICK = 500, 40
IDLE_SECONDS, QUICK_SECONDS = 60, 10
REST_SECONDS = 15  # after the last verdict: fork servers are renewed in quiet moments
MOST_WORKER_MB = 900.0
ENGINES = SQLITE, POSTGRESQL = "sqlite", "postgresql"
# Rows that are stored past the services have no job on PostgreSQL.
PUT = FILL + "from quizzes.exercises.queue.engine import engine\nengine().put_missing()\n"
TABLES = ("exercises_submission", "exercises_casepicture", "exercises_earlierverdict")
JOBS = ("procrastinate_jobs", "procrastinate_events")  # of PostgreSQL's queue


@dataclass(frozen=True)
class Footprint:
    """What one site took."""

    database: str
    submissions: int
    worker_mb: float
    web_mb: float
    server_mb: float
    worker_idle: float
    web_idle: float
    server_idle: float
    bytes_each: float
    bytes_vacuumed: float
    load: float


def processor_seconds(pids: Iterable[int]) -> float:
    """Return the processor time of processes so far, with that of children that have ended."""
    ticks = 0
    for pid in pids:
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def servers() -> Iterator[int]:
    """Give the processes of PostgreSQL that this one started."""
    for pid in family(os.getpid()):
        with suppress(OSError):
            if Path(f"/proc/{pid}/comm").read_text().startswith("postgres"):
                yield pid


def measure(url: str, count: int, seconds: int) -> Footprint:
    """Start a site on an empty database, have it grade, and look at it while it rests."""
    tables = TABLES + JOBS if url else TABLES
    with OwnSite(database=url) as site:
        keep_exercises(site, TABLE)
        with workers(site, 1) as (worker,):
            wait_until_prepared(site, TABLE)
            before = bytes_of(site.database, tables)
            some, expected = codes(count)
            last = run_script(site, LAST).strip()
            run_script(site, PUT, TABLE, given=json.dumps(some))
            for code, verdict, number in json.loads(run_script(site, GRADED, last)):
                if verdict != expected.get(code, "known_mistake"):
                    raise SystemExit(f"{number} came out {verdict}:\n{code}")
            for path in PAGES * 20:
                with urllib.request.urlopen(site.url + path, timeout=60) as answer:
                    answer.read()
            grown = bytes_of(site.database, tables) - before
            wait_until_prepared(site, TABLE)
            time.sleep(min(REST_SECONDS, seconds))
            of_worker, of_web = list(family(worker.pid)), list(family(site.process.pid))
            parts = (of_worker, of_web, list(servers()))
            memory = [memory_mb(part) for part in parts]
            load, began = os.getloadavg()[0], [processor_seconds(part) for part in parts]
            time.sleep(seconds)
            idle = [
                (processor_seconds(part) - start) * 60 / seconds
                for part, start in zip(parts, began, strict=True)
            ]
        vacuumed = bytes_of(site.database, tables, vacuum=True) - before
    kind = urlsplit(url).scheme or SQLITE
    return Footprint(kind, count, *memory, *idle, grown / count, vacuumed / count, load)


def main() -> int:
    """Measure both, print, and return 1 where a worker takes more than its goal."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} submissions")
    parser.add_argument("--count", type=int, default=COUNT, help=f"submissions; {COUNT}")
    parser.add_argument("--engine", choices=ENGINES, help="one of the two alone")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    count = QUICK if asked.quick else asked.count
    if count < 1:
        parser.error(f"--count {count}: expected 1 or more")
    seconds = QUICK_SECONDS if asked.quick else IDLE_SECONDS
    print(f"{'':12}{'memory, MB':>24}{'idle, s a minute':>24}{'bytes a submission':>20}")
    parts = f"{'worker':>8}{'web':>8}{'server':>8}"
    print(f"{'database':12}{parts}{parts}{'':>10}{'vacuumed':>10}{'load':>6}")
    found = []
    for kind in [asked.engine] if asked.engine else ENGINES:
        with ExitStack() as stack:
            try:
                url = stack.enter_context(postgres()) if kind == POSTGRESQL else ""
            except SystemExit as lacking:
                print(f"without PostgreSQL: {lacking}")
                continue
            one = measure(url, count, seconds)
        found.append(one)
        print(
            f"{one.database:12}{one.worker_mb:8.0f}{one.web_mb:8.0f}{one.server_mb:8.0f}"
            f"{one.worker_idle:8.2f}{one.web_idle:8.2f}{one.server_idle:8.2f}"
            f"{one.bytes_each:10.0f}{one.bytes_vacuumed:10.0f}{one.load:6.0f}",
            flush=True,
        )
    if asked.json:
        asked.json.write_text(json.dumps([asdict(one) for one in found], indent=1) + "\n")
    missed = [one for one in found if one.worker_mb > MOST_WORKER_MB]
    for one in missed:
        print(f"missed: a worker on {one.database} takes {one.worker_mb:.0f} MB")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
