"""How fast code is graded: from the code to the verdict, in process, on the real sandbox.

Usage: python benchmarks/grading.py [--quick | --smoke] [--json FILE]
Prints a table for people; --json writes the same numbers for programs; --quick ends within a
minute. Exit code 1 when a full run misses a goal; the goals are those of a quiet machine with two
cores.

What is measured
  result     job sent until its result is complete
  verdict    `grade_code` called until it returns the report: the result, and the comparison
  busy       submissions a second through `grade_code`, with one and with two worker processes

Submissions to `sinusoidal-table`. NumPy: the reference, two known mistakes and a crash in turn;
PyTorch: a correct submission. Module: the reference of `sinusoidal-module`, with gradients.
Latencies are taken one at a time with a pause between, as a student meets them; `busy` leaves no
pause. The queue and the database are in burst.py.
"""

import os
import platform
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.graded_submissions import (  # noqa: E402
    PROFILE,
    WARM_UP,
    Latency,
    measure,
    measure_busy,
    read_submissions,
)
from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from quizzes.grader.sandbox.factory import open_sandbox  # noqa: E402
from quizzes.grader.sandbox.host_files import is_installed  # noqa: E402

PAUSE_SECONDS = 0.1  # an idle worker: its next child had time to warm up
# Each number, its limit, and whether the limit is a least or a most.
GOALS = (
    ("numpy", "verdict p50, ms", 8.0, "at most"),
    ("torch", "verdict p50, ms", 15.0, "at most"),
    ("module", "verdict p50, ms", 25.0, "at most"),
    ("torch", "a second with 2 workers", 80.0, "at least"),
)


@dataclass(frozen=True)
class Sizes:
    """How many submissions of each kind, and how long the busy measurement lasts, if at all."""

    count: int
    busy_seconds: float
    kinds: tuple[str, ...] = ("numpy", "torch", "module")


SMOKE = Sizes(count=4, busy_seconds=0, kinds=("numpy",))
QUICK = Sizes(count=40, busy_seconds=1.0)
FULL = Sizes(count=600, busy_seconds=15)


@dataclass(frozen=True)
class Measured:
    """The times of one kind."""

    result: Latency
    verdict: Latency
    busy_1_worker_per_second: float
    busy_2_workers_per_second: float


def main() -> int:
    """Measure, print, and return 1 when a full run misses a goal."""
    options = parser_of(__doc__).parse_args()
    sizes = sizes_of(options, full=FULL, quick=QUICK, smoke=SMOKE)
    kinds = sizes.kinds if is_installed("torch") else ("numpy",)
    measured = {kind: _measure(kind, sizes) for kind in kinds}
    _print_table(measured)
    gates = [_gate(measured[kind], kind, *rest) for kind, *rest in GOALS if kind in measured]
    machine = {"cores": os.cpu_count(), "system": platform.platform()}
    numbers = {name: asdict(values) for name, values in measured.items()}
    missed = [gate["what"] for gate in gates if not gate["met"]]
    return end(options, {"machine": machine, "grading": numbers, "gates": gates}, missed)


def _measure(kind: str, sizes: Sizes) -> Measured:
    pack, submissions = read_submissions(kind)
    with open_sandbox(PROFILE[kind]) as sandbox:
        measure(pack, submissions, sandbox, min(WARM_UP, sizes.count), PAUSE_SECONDS)
        result, verdict = measure(pack, submissions, sandbox, sizes.count, PAUSE_SECONDS)

    def busy(workers: int) -> float:
        seconds = sizes.busy_seconds
        return measure_busy(PROFILE[kind], workers, seconds, pack, submissions) if seconds else 0.0

    return Measured(
        result=result,
        verdict=verdict,
        busy_1_worker_per_second=busy(1),
        busy_2_workers_per_second=busy(2),
    )


def _gate(values: Measured, kind: str, what: str, limit: float, sense: str) -> dict[str, Any]:
    measured = {
        "verdict p50, ms": values.verdict.p50,
        "a second with 2 workers": values.busy_2_workers_per_second,
    }[what]
    met = measured <= limit if sense == "at most" else measured >= limit
    word = "met" if met else "MISSED"
    print(f"Goal: {kind}, {what}: {sense} {limit:g}: {word} ({measured:.1f})")
    return {"kind": kind, "what": what, "limit": limit, "measured": measured, "met": met}


def _print_table(measured: dict[str, Measured]) -> None:
    print(f"Grading, in process, milliseconds ({os.cpu_count()} cores, {platform.platform()})\n")
    print(f"{'':24}{'count':>8}{'p50':>9}{'p95':>9}{'p99':>9}{'max':>9}")
    for name, values in measured.items():
        for what, row in (("result", values.result), ("verdict", values.verdict)):
            times = "".join(f"{ms:9.1f}" for ms in (row.p50, row.p95, row.p99, row.max))
            print(f"{name + ' ' + what:24}{row.count:8}{times}")
    busy = {name: values for name, values in measured.items() if values.busy_1_worker_per_second}
    if busy:
        print(f"\n{'submissions a second':24}{'1 worker':>17}{'2 workers':>18}")
    for name, values in busy.items():
        one, two = values.busy_1_worker_per_second, values.busy_2_workers_per_second
        print(f"{name:24}{one:17.0f}{two:18.0f}")
    print()


if __name__ == "__main__":
    sys.exit(main())
