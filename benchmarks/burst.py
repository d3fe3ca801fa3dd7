"""The queue under a whole class: idle workers' answers, a burst with endless loops, memory.

Usage: python benchmarks/burst.py [--quick | --smoke] [--json FILE]
Starts a site of its own (database, workers) and stops it again. Prints a table for people; --json
writes the same numbers for programs; --quick is for about a minute, --smoke for one verdict. Exit
code 1 when a full run misses a goal; the goals are those of a quiet machine with two cores.

What is measured
  pick-up   a row stored until a worker has leased it, one at a time, on an idle worker
  verdict   leased until recorded: cases, judge and database, on an idle worker
  ready     a worker started until its sandbox has passed its self-test; and a sandbox for
            submissions opened until torch has answered in it
  burst     submissions of as many learners stored at once, every tenth an endless loop: how long
            the honest submissions wait for their verdicts with two workers that have been up for a
            while, and submissions a second
  spread    400 submissions in 90 s, one in nine an endless loop: how long the honest ones wait,
            with the one worker of `make run` and with two
  learner   how long a learner with an account waits for the verdict on right code that is slow,
            while endless loops of forty fresh visitors wait, with two workers
  torch     submissions a second of the same workers, all of them right and written with torch, once
            the burst's loops are through and exhausted packs and fork servers due for renewal
            are replaced
  memory    PSS of each worker with its fork servers, right after the burst
"""

import json
import os
import platform
import statistics
import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.graded_submissions import TORCH_CODE  # noqa: E402
from benchmarks.loops import (  # noqa: E402
    ENDLESS,
    VISITORS,
    Spread,
    measure_learner,
    measure_spread,
)
from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import NO_SERVER, OwnSite  # noqa: E402
from benchmarks.own_workers import (  # noqa: E402
    keep_exercises,
    run_script,
    wait_until_prepared,
    workers,
)
from benchmarks.queue_scripts import FILL, ONE_BY_ONE, TORCH_READY, WAITED  # noqa: E402

EXERCISES = ROOT / "quizzes/content/positional-encodings/exercises"
TABLE, MODULE = "sinusoidal-table", "sinusoidal-module"
KINDS = ("numpy", "torch", "module")
TORCH_START_SECONDS = 10  # of both workers at once, on two cores, with room to spare
AT_LEAST = "torch_submissions_a_second"  # all other goals are at most
GOALS = {
    "pick_up_p95_ms": 20.0,
    "numpy_verdict_p50_ms": 8.0,
    "torch_verdict_p50_ms": 15.0,
    "module_verdict_p50_ms": 25.0,
    "ready_seconds": 6.0,
    "torch_ready_seconds": 6.0,
    AT_LEAST: 80.0,
    "burst_honest_p95_seconds": 20.0,
    "spread_honest_p95_seconds": 2.0,
    "learner_among_loops_seconds": 20.0,
    "worker_pss_mb": 900.0,
}


@dataclass(frozen=True)
class Waits:
    """Milliseconds."""

    p50: float
    p95: float
    p99: float


@dataclass(frozen=True)
class Burst:
    """`honest_*`: seconds from storing to the verdict. `per_second`: of the honest ones.

    `slowed`: honest submissions that did not end within the quick lane's time, on a busy machine.
    """

    submissions: int
    loops: int
    slowed: int
    honest_p50: float
    honest_p95: float
    honest_max: float
    per_second: float


def main() -> int:
    """Measure, print, and return 1 when a full run misses a goal."""
    options = parser_of(__doc__).parse_args()
    if options.run == "smoke":
        return _smoke(options)
    singles, burst, spread = sizes_of(
        options, full=(300, 500, (400, 90)), quick=(20, 60, (100, 22.5)), smoke=(0, 0, (0, 0))
    )
    with OwnSite(server=NO_SERVER) as site:
        keep_exercises(site, TABLE, MODULE)
        started = time.monotonic()
        with workers(site, 1):
            ready = time.monotonic() - started
            wait_until_prepared(site, TABLE, MODULE)
            singly = _measure_singly(site, singles)
            alone = _measure_spread(site, spread, 1)
        with workers(site, 2) as running:
            _let_torch_start(site)
            crowd = _measure_burst(site, burst)
            memory = [_pss_mb(worker.pid) for worker in running]
            run_script(site, WAITED, "0")  # for everything, the slow lane too
            together = _measure_spread(site, spread, 2)
            reference = (EXERCISES / TABLE / "reference.py").read_text()
            learner = measure_learner(site, TABLE, reference, "late")
            run_script(site, WAITED, "0")
            wait_until_prepared(site, TABLE, MODULE)
            _let_torch_start(site)
            torch_rate = _measure_torch(site, burst)
        readiness = {"ready_seconds": ready, "torch_ready_seconds": _measure_torch_start(site)}
    others = {**readiness, AT_LEAST: torch_rate, "learner_among_loops_seconds": learner}
    numbers, missed = _tell(singly, others, crowd, (alone, together), memory)
    return end(options, numbers, missed)


def _smoke(options: Namespace) -> int:
    """Wait for a single verdict."""
    with OwnSite(server=NO_SERVER) as site:
        keep_exercises(site, TABLE)
        with workers(site, 1):
            wait_until_prepared(site, TABLE)
            singly = _measure_singly(site, 1, ("numpy",), warm_up=0)
    waits = {name: asdict(value) for name, value in singly.items()}
    print("; ".join(f"{name} {value['p50']:.1f} ms" for name, value in waits.items()))
    return end(options, {"queue": {"one_at_a_time_ms": waits}}, [])


def _measure_singly(
    site: OwnSite, count: int, kinds: Sequence[str] = KINDS, warm_up: int = 3
) -> dict[str, Waits]:
    """Return pick-up times and, for each kind of submission, times from lease to record."""
    work = {
        "numpy": (TABLE, (EXERCISES / TABLE / "reference.py").read_text()),
        "torch": (TABLE, TORCH_CODE),
        "module": (MODULE, (EXERCISES / MODULE / "reference.py").read_text()),
    }
    found, picked = {}, []
    for kind in kinds:
        slug, code = work[kind]
        answer = run_script(site, ONE_BY_ONE, slug, str(count), str(warm_up), stdin=code)
        times = json.loads(answer)
        picked += [pick_up for pick_up, _ in times]
        found[f"{kind} verdict"] = _waits([verdict for _, verdict in times])
    return {"pick-up": _waits(picked), **found}


def _measure_burst(site: OwnSite, count: int) -> Burst:
    """Return the waits of a burst: every tenth submission is an endless loop."""
    honest = [(EXERCISES / TABLE / "reference.py").read_text(), TORCH_CODE]
    codes = [ENDLESS if number % 10 == 9 else honest[number % 2] for number in range(count)]
    last = run_script(site, FILL, TABLE, stdin=json.dumps(codes)).strip()
    rows = json.loads(run_script(site, WAITED, last, stdin=ENDLESS))
    of_honest = [row for row, code in zip(rows, codes, strict=True) if code != ENDLESS]
    wrong = {verdict for _, verdict, _ in of_honest} - {"correct"}
    if wrong:
        raise RuntimeError(f"honest submissions came out {wrong}: nothing was measured")
    waits = sorted(wait for _, _, wait in of_honest)
    return Burst(
        submissions=count,
        loops=count // 10,
        slowed=sum(slow for slow, _, _ in of_honest),
        honest_p50=statistics.median(waits),
        honest_p95=_at(waits, 0.95),
        honest_max=waits[-1],
        per_second=len(waits) / waits[-1],
    )


def _measure_spread(site: OwnSite, size: tuple[int, float], count: int) -> Spread:
    honest = [(EXERCISES / TABLE / "reference.py").read_text(), TORCH_CODE]
    submissions, seconds = size
    return measure_spread(site, TABLE, honest, count=submissions, seconds=seconds, workers=count)


def _measure_torch(site: OwnSite, count: int) -> float:
    """Return how many submissions are graded a second."""
    last = run_script(site, FILL, TABLE, stdin=json.dumps([TORCH_CODE] * count)).strip()
    rows = json.loads(run_script(site, WAITED, last, stdin=ENDLESS))
    return float(count / max(wait for _, _, wait in rows))


def _measure_torch_start(site: OwnSite) -> float:
    """Return the seconds until torch is ready, with no worker beside."""
    return float(run_script(site, TORCH_READY))


def _let_torch_start(site: OwnSite) -> None:
    """Return when two workers have had time and work to start or renew their servers for torch."""
    time.sleep(TORCH_START_SECONDS)
    last = run_script(site, FILL, TABLE, stdin=json.dumps([TORCH_CODE] * 8)).strip()
    run_script(site, WAITED, last, stdin=ENDLESS)


def _pss_mb(pid: int) -> float:
    """Return the proportional set size of a process and all below it, in MB."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    mine = next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return mine / 1024 + sum(_pss_mb(int(child)) for child in children)


def _waits(seconds: Sequence[float]) -> Waits:
    times = sorted(1000 * value for value in seconds)
    return Waits(statistics.median(times), _at(times, 0.95), _at(times, 0.99))


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _tell(
    singly: dict[str, Waits],
    others: dict[str, float],
    crowd: Burst,
    spreads: Sequence[Spread],
    memory: list[float],
) -> tuple[dict[str, Any], list[str]]:
    """Print a table and the goals; return the numbers for programs, and the goals missed."""
    measured = {
        **others,
        "pick_up_p95_ms": singly["pick-up"].p95,
        "numpy_verdict_p50_ms": singly["numpy verdict"].p50,
        "torch_verdict_p50_ms": singly["torch verdict"].p50,
        "module_verdict_p50_ms": singly["module verdict"].p50,
        "burst_honest_p95_seconds": crowd.honest_p95,
        "spread_honest_p95_seconds": spreads[-1].honest_p95,
        "worker_pss_mb": max(memory),
    }
    print(f"The queue, {os.cpu_count()} cores, {platform.platform()}\n")
    print(f"{'one at a time, ms':24}{'p50':>9}{'p95':>9}{'p99':>9}")
    for name, waits in singly.items():
        print(f"{name:24}{waits.p50:9.1f}{waits.p95:9.1f}{waits.p99:9.1f}")
    print(
        f"\nburst of {crowd.submissions}, {crowd.loops} of them endless:"
        f" honest p50 {crowd.honest_p50:.1f} s, p95 {crowd.honest_p95:.1f} s,"
        f" max {crowd.honest_max:.1f} s; {crowd.per_second:.1f} a second;"
        f" {crowd.slowed} honest ones went through the slow lane"
    )
    for spread in spreads:
        print(
            f"{spread.submissions} in {spread.seconds:g} s, {spread.loops} of them endless,"
            f" {spread.workers} worker(s): honest p50 {spread.honest_p50:.2f} s,"
            f" p95 {spread.honest_p95:.2f} s, max {spread.honest_max:.1f} s;"
            f" loops at most {spread.loops_max:.0f} s"
        )
    print(
        f"a learner's slow code among {VISITORS} endless ones of visitors:"
        f" {others['learner_among_loops_seconds']:.1f} s"
    )
    print(
        f"worker ready in {others['ready_seconds']:.1f} s, torch in"
        f" {others['torch_ready_seconds']:.1f} s; PSS"
        f" {', '.join(f'{one:.0f}' for one in memory)} MB;"
        f" {others[AT_LEAST]:.1f} with torch a second\n"
    )
    gates = {}
    for name, limit in GOALS.items():
        met = measured[name] >= limit if name == AT_LEAST else measured[name] <= limit
        gates[name] = {"limit": limit, "measured": measured[name], "met": met}
        sign = ">=" if name == AT_LEAST else "<="
        print(f"Goal: {name} {sign} {limit:g}: {'met' if met else 'MISSED'} ({measured[name]:.1f})")
    machine = {"cores": os.cpu_count(), "system": platform.platform()}
    waits = {name: asdict(value) for name, value in singly.items()}
    queue = {
        "one_at_a_time_ms": waits,
        "burst": asdict(crowd),
        "spreads": [asdict(spread) for spread in spreads],
        "pss_mb": memory,
    }
    missed = [name for name, gate in gates.items() if not gate["met"]]
    return {"machine": machine, "queue": queue, "gates": gates}, missed


if __name__ == "__main__":
    sys.exit(main())
