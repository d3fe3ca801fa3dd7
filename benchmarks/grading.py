"""How fast code is graded: from the code to the verdict, in process, on the real sandbox.

Usage: python benchmarks/grading.py [--quick] [--json FILE]
Prints a table for people; --json writes the same numbers for programs; --quick ends within 45
seconds. Exit code 1 when the gate is missed.

What is measured
  result     job sent until its result is complete
  verdict    `judge` called until it returns the report: the result, and the comparison
  fresh      the same verdict, with a fresh interpreter in bubblewrap for each submission
  busy       submissions a second through `judge`, with one and with two worker processes

Submissions to `sinusoidal-table`, ten cases each. NumPy: the reference, two known mistakes and a
crash in turn; PyTorch: a correct one. Latencies are taken one at a time with a pause between, as a
student meets them; `busy` leaves no pause. The queue and the database are not in it.
"""

import argparse
import json
import os
import platform
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.fresh_interpreter import FreshInterpreter  # noqa: E402
from benchmarks.graded_submissions import (  # noqa: E402
    TORCH_CODE,
    WARM_UP,
    Latency,
    Submission,
    measure,
    measure_busy,
    read_submissions,
)
from quizzes.grader.distributions import is_installed  # noqa: E402
from quizzes.grader.profiles import PROFILES  # noqa: E402
from quizzes.grader.report import Verdict  # noqa: E402
from quizzes.grader.sandbox import open_sandbox  # noqa: E402

GATE_NUMPY_VERDICT_P50_MS = 15.0
PAUSE_SECONDS = 0.01
TORCH = Submission(TORCH_CODE, Verdict.CORRECT)


@dataclass(frozen=True)
class Sizes:
    """How many submissions of each kind, and how long the busy measurement lasts."""

    numpy: int
    torch: int
    fresh_numpy: int
    fresh_torch: int
    busy_seconds: float


QUICK = Sizes(numpy=200, torch=50, fresh_numpy=9, fresh_torch=2, busy_seconds=1.5)
FULL = Sizes(numpy=2000, torch=600, fresh_numpy=40, fresh_torch=10, busy_seconds=15)


@dataclass(frozen=True)
class Measured:
    """One library. `times_faster` is the fresh verdict's median over the verdict's."""

    result: Latency
    verdict: Latency
    fresh: Latency
    times_faster: float
    busy_1_worker_per_second: float
    busy_2_workers_per_second: float


def main() -> int:
    """Measures, prints, and says whether the gate is met."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer submissions, within 45 s")
    parser.add_argument("--json", metavar="FILE", help="write the numbers there")
    options = parser.parse_args()
    sizes = QUICK if options.quick else FULL
    measured = {"numpy": _measure("numpy", sizes.numpy, sizes.fresh_numpy, sizes)}
    if is_installed("torch"):
        measured["torch"] = _measure("torch", sizes.torch, sizes.fresh_torch, sizes)
    met = measured["numpy"].verdict.p50 <= GATE_NUMPY_VERDICT_P50_MS
    _print_table(measured)
    print(f"\nGate: NumPy verdict p50 <= {GATE_NUMPY_VERDICT_P50_MS:g} ms: {_word(met)}")
    if options.json:
        machine = {"cores": os.cpu_count(), "system": platform.platform()}
        numbers = {name: asdict(values) for name, values in measured.items()}
        gates = {"numpy_verdict_p50_ms": {"limit": GATE_NUMPY_VERDICT_P50_MS, "met": met}}
        text = json.dumps({"machine": machine, "grading": numbers, "gates": gates}, indent=2)
        Path(options.json).write_text(text + "\n", encoding="utf-8")
    return 0 if met else 1


def _measure(name: str, count: int, fresh_count: int, sizes: Sizes) -> Measured:
    pack, submissions = read_submissions()
    only = TORCH if name == "torch" else None
    submissions = [only] if only else submissions
    with open_sandbox(name) as sandbox:
        measure(pack, submissions, sandbox, WARM_UP, PAUSE_SECONDS)
        result, verdict = measure(pack, submissions, sandbox, count, PAUSE_SECONDS)
    fresh_sandbox = FreshInterpreter(PROFILES[name])
    measure(pack, submissions, fresh_sandbox, 1, 0)
    _, fresh = measure(pack, submissions, fresh_sandbox, fresh_count, 0)
    return Measured(
        result=result,
        verdict=verdict,
        fresh=fresh,
        times_faster=fresh.p50 / verdict.p50,
        busy_1_worker_per_second=measure_busy(name, 1, sizes.busy_seconds, only),
        busy_2_workers_per_second=measure_busy(name, 2, sizes.busy_seconds, only),
    )


def _print_table(measured: dict[str, Measured]) -> None:
    print(f"Grading, in process, milliseconds ({os.cpu_count()} cores, {platform.platform()})\n")
    print(f"{'':24}{'count':>8}{'p50':>9}{'p95':>9}{'max':>9}")
    for name, values in measured.items():
        rows = {"result": values.result, "verdict": values.verdict, "fresh": values.fresh}
        for what, row in rows.items():
            numbers = f"{row.count:8}{row.p50:9.1f}{row.p95:9.1f}{row.max:9.1f}"
            print(f"{name + ' ' + what:24}{numbers}")
        print(f"{name + ' against fresh':24}{values.times_faster:17.0f} times faster")
    print(f"\n{'submissions a second':24}{'1 worker':>17}{'2 workers':>18}")
    for name, values in measured.items():
        one, two = values.busy_1_worker_per_second, values.busy_2_workers_per_second
        print(f"{name:24}{one:17.0f}{two:18.0f}")


def _word(met: bool) -> str:
    return "met" if met else "MISSED"


if __name__ == "__main__":
    sys.exit(main())
