"""Every benchmark that `make bench` runs still measures: a number comes out, whatever its size.

Each is run as a user would run it. Their sites begin as copies of the one that other tests share.
"""

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.child_environment import ENDS_WITH_US, child_environment
from tests.databases import ROOT
from tests.settled_site import settled_site

# Where the number is in what --json writes.
NUMBERS = {
    "alive": ("idle", "first picture, NumPy", "p50"),
    "burst": ("queue", "one_at_a_time_ms", "numpy verdict", "p50"),
    "course_reading": (0, "least"),
    "deadline": ("sqlite", "times", "quiz page", "p95"),
    "engine": ("times", 0, "ms"),
    "figures": ("sliders", "Ordinal", "step_p50_ms"),
    "flood": (0, "requests_a_minute"),
    "grading": ("grading", "numpy", "verdict", "p50"),
    "idle_worker": ("shares", "after work", "both"),
    "pages": ("pages", "/review/", "kilobytes"),
    "scale": (0, "rows_a_second"),
    "slow_clients": ("rounds", "ours", 0, "pages_a_second"),
    "slow_line": ("lines", "slow 3G", "/", "paint_ms"),
    "soak": (0, "worker_mb"),
    "step_preview": (0, "ms"),
    "teaching": ("marks",),
    "verdict_pairs": (0, "ratio"),
    "xray": (0, "times"),
    "verdicts": ("verdicts", "visible_p50_ms"),
}
# By day a site with a browser and a measurement in one process; what the others share with them is
# the arguments and the site, and a benchmark that is broken fails the next night.
BY_DAY = ("pages", "teaching")
AT_NIGHT = tuple(name for name in NUMBERS if name not in BY_DAY)
MARKS = {name: [pytest.mark.soak] for name in AT_NIGHT}
for name in ("figures", "pages", "slow_line", "verdicts"):
    MARKS.setdefault(name, []).append(pytest.mark.browser)
MARKS["engine"].append(pytest.mark.torch)
SECONDS = 300  # of a machine with a load of 20


@pytest.mark.slow
@pytest.mark.races
@pytest.mark.sandbox
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=MARKS.get(name, ())) for name in NUMBERS]
)
def test_benchmark_measures_a_number(name: str, shared_folder: Path, tmp_path: Path) -> None:
    settled_site(shared_folder)
    number = run_benchmark(name, tmp_path, ORDINAL_READY=str(shared_folder))
    for part in NUMBERS[name]:
        number = number[part]
    assert math.isfinite(number), number
    assert number > 0


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.races
@pytest.mark.sandbox
def test_deadline_keeps_every_answer_on_postgresql(tmp_path: Path) -> None:
    """On SQLite the smoke run by day compares what is stored with what was sent."""
    numbers = run_benchmark("deadline", tmp_path, "--engine", "postgresql")["postgresql"]
    assert numbers["answers_equal"] == numbers["answers_expected"] == 24
    assert numbers["faults"] == {}


def run_benchmark(name: str, folder: Path, *words: str, **environment: str) -> Any:
    """Run a benchmark with --smoke and return the numbers that it writes."""
    written = folder / "numbers.json"
    run = subprocess.run(
        [
            *(*ENDS_WITH_US, sys.executable, f"benchmarks/{name}.py"),
            *("--smoke", "--json", str(written), *words),
        ],
        cwd=ROOT,
        env=child_environment() | environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return json.loads(written.read_text())


def test_make_bench_runs_these_programs() -> None:
    """It asks for the same words, so what it runs takes --smoke and is tried above."""
    words = "parser_of(__doc__)"
    assert f"grep -l '{words}' benchmarks/*.py" in (ROOT / "Makefile").read_text()
    programs = (ROOT / "benchmarks").glob("*.py")
    assert {path.stem for path in programs if words in path.read_text()} == set(NUMBERS)
    first_table = (ROOT / "docs/benchmarks.md").read_text().split("| command |")[1]
    assert set(re.findall(r"benchmarks/(\w+)\.py(?: COMMIT)?` \|", first_table)) == set(NUMBERS)
