"""What reading the files of a whole course costs, and how large a process of the site is.

Usage: python benchmarks/course_reading.py [--quick | --smoke] [--other TREE] [--json FILE]
Prints a table in Markdown. Each run is a new Python, which imports what a web process imports, and
then reads the home course with every check (`read_course_files`). --other names a second checkout
with its own .venv, such as that of the release before: its runs alternate with those of this one,
so that what else the machine does weighs on both.

Processor time is the least of the runs and their median; memory is the resident set after the
imports, before anything is read.
"""

import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402

RUN = """
import json, os, sys, time
sys.path[:0] = [sys.argv[1]]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")
from pathlib import Path
import django
django.setup()
from django.conf import settings
from django.urls import get_resolver
from django.core.wsgi import get_wsgi_application
get_wsgi_application()
get_resolver().url_patterns
from quizzes.authoring.course_files import read_course_files
from quizzes.content_files.files import DiskFiles
resident = next(
    int(line.split()[1]) / 1024
    for line in Path("/proc/self/status").read_text().splitlines()
    if line.startswith("VmRSS")
)
began = time.process_time()
files = read_course_files(DiskFiles(settings.COURSE))
seconds = time.process_time() - began
assert not files.problems, files.problems[:3]
print(json.dumps({"seconds": seconds, "megabytes": resident}))
"""


def main() -> int:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--other", type=Path, help="a second checkout, with its own .venv")
    chosen = parser.parse_args()
    trees = [ROOT, *([chosen.other.resolve()] if chosen.other else [])]
    runs: dict[Path, list[dict[str, float]]] = {tree: [] for tree in trees}
    for _ in range(sizes_of(chosen, full=7, quick=3, smoke=1)):
        for tree in trees:
            runs[tree].append(_run(tree))
    numbers = [_summary(tree, found) for tree, found in runs.items()]
    print("| tree | processor time, least | median | resident after imports, median |")
    print("|---|---|---|---|")
    for row in numbers:
        times = f"{row['least']:.2f} s | {row['median']:.2f} s"
        print(f"| {row['tree']} | {times} | {row['megabytes']:.1f} MB |")
    return end(chosen, numbers, [])


def _summary(tree: Path, runs: list[dict[str, float]]) -> dict[str, Any]:
    seconds = [run["seconds"] for run in runs]
    return {
        "tree": tree.name,
        "least": min(seconds),
        "median": statistics.median(seconds),
        "megabytes": statistics.median(run["megabytes"] for run in runs),
    }


def _run(tree: Path) -> dict[str, float]:
    python = tree / ".venv/bin/python"
    command = [str(python), "-c", RUN, str(tree)]
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, check=True, text=True)
    numbers: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return numbers


if __name__ == "__main__":
    sys.exit(main())
