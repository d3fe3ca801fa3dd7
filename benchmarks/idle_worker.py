"""What a worker with nothing to do takes of a core, for as long as it runs.

Usage: python benchmarks/idle_worker.py [--quick | --smoke] [--json FILE]
Starts a site of its own and a worker as `make run` starts it, and stops both again; on SQLite, and
under `tools/with_postgres.py` on PostgreSQL. Exit code 1 when a full run misses the goal.

What is measured
  first start   processor time of the worker and of all processes below it, five minutes (--quick:
                half a minute) after all exercises of a new site were verified and all pools full
  after work    the same, as long after a few submissions were graded
  database      processor time of PostgreSQL's processes for the worker's connections, which is
                part of the worker's on SQLite; the goal is one for both together
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import COURSE, NO_SERVER, OwnSite, own_site  # noqa: E402
from benchmarks.own_workers import run_script, workers  # noqa: E402
from benchmarks.queue_scripts import FILL, WAITED  # noqa: E402
from tests.databases import ask_rows, on_postgresql  # noqa: E402
from tests.settled_site import WAIT  # noqa: E402

GOAL_PERCENT = 0.5
TABLE = "sinusoidal-table"
REFERENCE = ROOT / f"quizzes/content/{COURSE}/exercises/{TABLE}/reference.py"
SUBMISSIONS = 8
BACKENDS = (
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
    " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
)
SETTLED = f"import django; django.setup()\n{WAIT}"


@dataclass(frozen=True)
class Share:
    """Percent of a core."""

    worker: float
    database: float

    @property
    def both(self) -> float:
        """Of the worker, and of the database for it."""
        return self.worker + self.database


def main() -> int:
    """Measure, print, and return 1 when a full run misses the goal."""
    options = parser_of(__doc__).parse_args()
    rest, seconds = sizes_of(options, full=(300, 120), quick=(30, 60), smoke=(0, 5))
    os.environ["CASE_PACKS"] = "16"  # as a site has by itself: workers ask of all of them
    with (
        tempfile.TemporaryDirectory() as folder,
        own_site(Path(folder), server=NO_SERVER) as site,
        workers(site, 1) as (worker,),
    ):
        run_script(site, SETTLED)
        time.sleep(rest)
        shares = {"first start": measure_share(site, worker.pid, seconds)}
        _grade_some(site)
        run_script(site, SETTLED)
        time.sleep(rest)
        shares["after work"] = measure_share(site, worker.pid, seconds)
    engine = "PostgreSQL" if on_postgresql() else "SQLite"
    print(f"An idle worker on {engine}, percent of a core, {seconds} s each")
    print(f"{'':14}{'worker':>9}{'database':>10}{'both':>9}")
    for name, share in shares.items():
        print(f"{name:14}{share.worker:9.2f}{share.database:10.2f}{share.both:9.2f}")
    missed = [name for name, share in shares.items() if share.both > GOAL_PERCENT]
    said = f"MISSED ({', '.join(missed)})" if missed else "met"
    print(f"Goal: at most {GOAL_PERCENT} % of a core: {said}")
    numbers = {name: asdict(share) | {"both": share.both} for name, share in shares.items()}
    return end(options, {"goal_percent": GOAL_PERCENT, "shares": numbers}, missed)


def measure_share(site: OwnSite, pid: int, seconds: float) -> Share:
    """Return what a worker and its database take of a core in so many seconds."""
    backends = [pid for (pid,) in ask_rows(site.database, BACKENDS)] if on_postgresql() else []
    spent, before = [0.0, 0.0], (_spent(_tree(pid)), _spent(backends))
    began = time.monotonic()
    while (took := time.monotonic() - began) < seconds:
        time.sleep(1)
        now = _spent(_tree(pid)), _spent(backends)
        for index, (old, new) in enumerate(zip(before, now, strict=True)):
            spent[index] += sum(value - old.get(key, 0.0) for key, value in new.items())
        before = now
    return Share(*(100 * value / took for value in spent))


def _grade_some(site: OwnSite) -> None:
    codes = json.dumps([REFERENCE.read_text()] * SUBMISSIONS)
    last = run_script(site, FILL, TABLE, stdin=codes).strip()
    run_script(site, WAITED, last)


def _tree(pid: int) -> Iterator[int]:
    """Yield a process and all below it."""
    yield pid
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in (thread / "children").read_text().split():
                yield from _tree(int(child))


def _spent(pids: Iterable[int]) -> dict[int, float]:
    """Return the processor seconds of each thread of these processes."""
    spent = {}
    for pid in pids:
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            for thread in Path(f"/proc/{pid}/task").iterdir():
                nanoseconds, *_ = (thread / "schedstat").read_text().split()
                spent[int(thread.name)] = int(nanoseconds) / 1e9
    return spent


if __name__ == "__main__":
    sys.exit(main())
