"""Twenty thousand submissions through one site: does anything grow that should be level?

Usage: python benchmarks/soak.py [--quick | --smoke] [--count NUMBER] [--json FILE]
Starts a site of its own (the web server, two workers) and stops it again. Its database is a new
file of SQLite's, or where DATABASE_URL names a PostgreSQL server (tools/with_postgres.py) a new
database there. Submissions are
stored 500 at a time, each of a new learner: right, a known mistake, a crash, torch, and one in 250
an endless loop. Whenever 500 are graded, pages are read and a line is printed. Exit code 1 when a
verdict is wrong or a run of at least 4 000 misses a goal. --quick submits 1 000,
--smoke three to one worker.

  memory     proportional set size (PSS) of the workers, and of the web server, with all processes
             below them, MB
  files      open descriptors of the same processes
  processes  of the workers
  database   bytes of it for each submission since the line before; the log of SQLite's file, MB
  left       files under the site's folder beside the database and logs, and what came into /tmp
             since the beginning and is named "ordinal-..." or "bwrap...": other sites that run on
             this machine count too
Goals, the last quarter of the lines against the second, by medians: memory at most 1.10 times, no
more descriptors and processes than 4 above, the log below 64 MB, bytes a submission 1.10 times.
"""

import json
import os
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.graded_submissions import CRASH, TORCH_CODE  # noqa: E402
from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import HOME, OwnSite, own_site  # noqa: E402
from benchmarks.own_workers import (  # noqa: E402
    keep_exercises,
    run_script,
    wait_until_prepared,
    workers,
)
from benchmarks.queue_scripts import FILL  # noqa: E402

TABLE = "sinusoidal-table"
FOLDER = ROOT / "quizzes/content/positional-encodings/exercises" / TABLE
BLOCK, COUNT, QUICK, FEWEST = 500, 20_000, 1_000, 4_000
SMOKE = 3  # right, a known mistake, a crash: without torch, which takes seconds to start
ENDLESS = "while True:\n    pass\n"
PAGES = (f"{HOME}/learn/", f"{HOME}/exercises/{TABLE}/", f"{HOME}/learn/rope/turn-instead-of-add/")
MOST_TIMES, MOST_MORE, MOST_LOG_MB = 1.10, 4, 64.0
# Waits in one process for a block, so that looking does not cost a core.
GRADED = """
import django; django.setup()
import json, sys, time
from django.db import connection
from django.db.models import Count
from quizzes.exercises.models import Submission
block = Submission.objects.filter(pk__gt=int(sys.argv[1]))
while block.filter(graded_at=None).exists():
    time.sleep(1.0)
print(json.dumps(list(block.values_list("code", "verdict").annotate(n=Count("pk")))))
"""


@dataclass(frozen=True)
class Line:
    """What one look saw."""

    graded: int
    seconds: float
    worker_mb: float
    worker_files: int
    processes: int
    web_mb: float
    web_files: int
    bytes_each: float
    log_mb: float
    left: int
    load: float


def family(pid: int) -> Iterator[int]:
    """Give a process and all below it."""
    yield pid
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from family(int(child))


def memory_mb(pids: Sequence[int]) -> float:
    total = 0
    for pid in pids:
        with suppress(OSError):
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
    return total / 1024


def open_files(pids: Sequence[int]) -> int:
    total = 0
    for pid in pids:
        with suppress(OSError):
            total += len(os.listdir(f"/proc/{pid}/fd"))
    return total


def codes(count: int) -> tuple[list[str], dict[str, str]]:
    """Return the code of a block, and the verdict that each must get."""
    right = (FOLDER / "reference.py").read_text()
    wrong = next(iter(sorted((FOLDER / "wrong").glob("*.py")))).read_text()
    cycle = [right, wrong, CRASH, TORCH_CODE]
    expected = {
        right: "correct",
        TORCH_CODE: "correct",
        CRASH: "could_not_run",
        ENDLESS: "limit_reached",
    }
    made = [ENDLESS if n % 250 == 249 else cycle[n % 4] for n in range(count)]
    return made, expected


def in_tmp() -> set[Path]:
    """Return what is named as this site's programs and its sandbox name theirs."""
    folder = Path(tempfile.gettempdir())
    return {path for name in ("ordinal-*", "bwrap*") for path in folder.glob(name)}


def left_files(site: OwnSite, before: set[Path]) -> int:
    """Count what a run may have left lying about; `before` was in /tmp when it began."""
    folder = Path(site.folder.name)
    ours = ("site.sqlite3", "log", "worker-log")
    own = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(ours)]
    return len(own) + len(in_tmp() - before - {folder})


def soak(count: int, running: int, reads: int) -> Iterator[Line]:
    """Grade with so many workers, read the pages so often, and give a line for each block."""
    with tempfile.TemporaryDirectory() as folder, own_site(Path(folder)) as site:
        keep_exercises(site, TABLE)
        with workers(site, running) as at_work:
            wait_until_prepared(site, TABLE)
            there = in_tmp()
            began, size = time.monotonic(), site.database_bytes()
            for done in range(0, count, BLOCK):
                some, expected = codes(min(BLOCK, count - done))
                last = run_script(site, FILL, TABLE, stdin=json.dumps(some)).strip()
                for code, verdict, number in json.loads(run_script(site, GRADED, last)):
                    if verdict != expected.get(code, "known_mistake"):
                        raise SystemExit(f"{number} came out {verdict}:\n{code}")
                for path in PAGES * reads:
                    with urllib.request.urlopen(site.url + path, timeout=60) as answer:
                        answer.read()
                of_workers = [pid for one in at_work for pid in family(one.pid)]
                of_web = list(family(site.process.pid))
                now = site.database_bytes()
                yield Line(
                    graded=done + len(some),
                    seconds=time.monotonic() - began,
                    worker_mb=memory_mb(of_workers),
                    worker_files=open_files(of_workers),
                    processes=len(of_workers),
                    web_mb=memory_mb(of_web),
                    web_files=open_files(of_web),
                    bytes_each=(now - size) / len(some),
                    log_mb=site.log_bytes() / 1e6,
                    left=left_files(site, there),
                    load=os.getloadavg()[0],
                )
                size = now


def missed(lines: Sequence[Line]) -> list[str]:
    """Return a sentence for each thing that grew."""
    quarter = len(lines) // 4
    before, after = lines[quarter : 2 * quarter], lines[-quarter:]

    def medians(name: str) -> tuple[float, float]:
        first, second = ([getattr(line, name) for line in part] for part in (before, after))
        return statistics.median(first), statistics.median(second)

    found = []
    for name in ("worker_mb", "web_mb", "bytes_each"):
        first, second = medians(name)
        if second > MOST_TIMES * first:
            found.append(f"{name} grew from {first:.0f} to {second:.0f}")
    for name in ("worker_files", "web_files", "processes", "left"):
        first, second = medians(name)
        if second > first + MOST_MORE:
            found.append(f"{name} grew from {first:.0f} to {second:.0f}")
    log = max(line.log_mb for line in lines)
    return found + ([f"the log grew to {log:.0f} MB"] if log > MOST_LOG_MB else [])


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help=f"submissions; {COUNT}")
    options = parser.parse_args()
    count = sizes_of(options, full=options.count, quick=QUICK, smoke=SMOKE)
    if count < 1:
        parser.error(f"--count {count}: expected 1 or more")
    names = ("graded", "s", "workers MB", "files", "processes", "web MB", "files")
    print("".join(f"{name:>11}" for name in (*names, "bytes each", "log MB", "left", "load")))
    lines = []
    running, reads = sizes_of(options, full=(2, 10), quick=(2, 10), smoke=(1, 1))
    for line in soak(count, running, reads):
        lines.append(line)
        values = asdict(line).values()
        print(
            "".join(
                f"{value:>11.1f}" if isinstance(value, float) else f"{value:>11}"
                for value in values
            ),
            flush=True,
        )
    lacks = missed(lines) if count >= FEWEST else []
    for words in lacks:
        print(f"missed: {words}")
    return end(options, [asdict(line) for line in lines], lacks)


if __name__ == "__main__":
    sys.exit(main())
