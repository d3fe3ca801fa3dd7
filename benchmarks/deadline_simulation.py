"""How long submissions wait at a deadline, by the number of cores that grade: a simulation.

Usage: python benchmarks/burst.py --json BURST; python benchmarks/deadline_simulation.py BURST
       [--submissions 20000] [--minutes 30] [--endless 0.1] [--pack SECONDS]
       [--cores-per-host 2] [--width NUMBER] [--seed 1]
Submissions arrive at random times. A worker on each core takes the oldest; an endless loop is
stopped after 0.4 s and goes on in the slow lane, where it takes 2 s. `--width` is how many workers
of a host may run slow code at a time; without it there is a table for one, and one for all but one
of a host's workers. Slow code comes after quick code; if it has waited for 30 s, one worker of a
host takes it, for a quarter of its time. `--pack` is what drawing a case pack takes: a Submit that
counts in a class needs one that no other has used, and a core draws it before the run. The queue
and the database are taken to be no bottleneck.

How long a verdict takes comes from BURST: the shape from the times of single submissions, and the
mean from the rate at which two busy workers graded torch, which has all that they do besides. The
first line simulates the burst of that run as well, next to what was measured: it says how far the
simulation can be trusted.
"""

import argparse
import heapq
import json
import random
import sys
from bisect import bisect
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

# Of quizzes/exercises/queue/lanes.py, of exercises, and of models/submission.py there.
QUICK_SECONDS, SLOW_SHARE, SLOW_SECONDS, SLOW_WAITS = 0.4, 0.25, 2.0, 30.0
CORES = (2, 4, 8, 16)
BURST_WORKERS = 2
GRID = 100  # steps of a quantile function
Draw = Callable[[random.Random], float]


@dataclass
class Host:
    """Workers of one machine, one on each core."""

    workers: int
    width: int  # workers that may run slow code at a time
    free: int = field(init=False)
    slow: int = 0  # that run now
    no_slow_before: float = 0.0

    def __post_init__(self) -> None:
        self.free = self.workers


@dataclass
class Waits:
    """Seconds from arrival to verdict, and core-seconds that all runs took."""

    honest: list[float] = field(default_factory=list)
    endless: list[float] = field(default_factory=list)
    busy: float = 0.0


def simulate(
    arrivals: Sequence[tuple[float, float]],
    *,
    hosts: int = 1,
    workers: int = 1,
    width: int = 1,
    pack: float = 0.0,
) -> Waits:
    """Return the waits of submissions, each a time and the seconds of its run, `inf` if endless.

    Times ascend. All hosts take from the same two lines, the oldest first. `pack`: seconds of a
    core before each first run.
    """
    machines = [Host(workers, width) for _ in range(hosts)]
    quick: deque[tuple[float, float]] = deque()
    slow: deque[float] = deque()
    events: list[tuple[float, int, Host, bool, float, bool]] = []
    waits, order, coming, now = Waits(), 0, 0, 0.0

    def begin(host: Host, *, is_slow: bool) -> None:
        nonlocal order
        if is_slow:
            arrived, seconds, is_last = slow.popleft(), SLOW_SECONDS, True
        else:
            arrived, run = quick.popleft()
            seconds, is_last = pack + min(run, QUICK_SECONDS), run <= QUICK_SECONDS
        host.free -= 1
        host.slow += is_slow
        waits.busy += seconds
        order += 1
        heapq.heappush(events, (now + seconds, order, host, is_slow, arrived, is_last))

    def may_take_slow(host: Host) -> bool:
        if not slow or host.slow >= host.width:
            return False
        is_patient = now - slow[0] > SLOW_WAITS
        return not quick or (is_patient and host.slow == 0 and now >= host.no_slow_before)

    def fill() -> None:
        for host in machines:
            while host.free and (quick or may_take_slow(host)):
                begin(host, is_slow=may_take_slow(host))

    while coming < len(arrivals) or events:
        if not events or (coming < len(arrivals) and arrivals[coming][0] <= events[0][0]):
            now = arrivals[coming][0]
            quick.append(arrivals[coming])
            coming += 1
        else:
            now, _, host, is_slow, arrived, is_last = heapq.heappop(events)
            host.free += 1
            if is_slow:
                host.slow -= 1
                host.no_slow_before = now + SLOW_SECONDS * (1 / SLOW_SHARE - 1)
                waits.endless.append(now - arrived)
            elif is_last:
                waits.honest.append(now - arrived)
            else:
                slow.append(arrived)
        fill()
    return waits


def service_of(burst: dict[str, object]) -> Draw:
    """Return a draw of the seconds that an honest submission takes, from burst.py's numbers."""
    gates, queue = burst["gates"], burst["queue"]
    rate = gates["torch_submissions_a_second"]["measured"]  # type: ignore[index]
    kinds = [queue["one_at_a_time_ms"][f"{kind} verdict"] for kind in ("numpy", "torch")]  # type: ignore[index]
    shapes = [_quantiles(kind["p50"], kind["p95"], kind["p99"]) for kind in kinds]
    scale = BURST_WORKERS / rate / mean(value for shape in shapes for value in shape)
    return lambda draw: scale * draw.choice(draw.choice(shapes))


def _quantiles(p50: float, p95: float, p99: float) -> list[float]:
    """Return milliseconds at equal steps of probability: p50 up to the half, then lines."""
    points = [(0.0, p50), (0.5, p50), (0.95, p95), (0.99, p99), (1.0, p99)]
    values = []
    for step in range(GRID):
        share = (step + 0.5) / GRID
        place = bisect(points, share, key=lambda point: point[0])
        (x0, y0), (x1, y1) = points[place - 1], points[place]
        values.append(y0 + (y1 - y0) * (share - x0) / (x1 - x0))
    return values


def arrivals_of(
    count: int, seconds: float, endless: float, service: Draw, draw: random.Random
) -> list[tuple[float, float]]:
    """Return submissions at random times within so many seconds, in order."""
    times = sorted(draw.uniform(0, seconds) for _ in range(count))
    return [(at, float("inf") if draw.random() < endless else service(draw)) for at in times]


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of all do not exceed; 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def _cells(values: Sequence[float]) -> str:
    return "".join(f"{percentile(values, share):9.1f}" for share in (0.5, 0.95, 1.0))


def _check(burst: dict[str, object], service: Draw, seed: int) -> None:
    """Print the burst of that run as simulated and as measured."""
    measured = burst["queue"]["burst"]  # type: ignore[index]
    draw = random.Random(seed)
    runs = [service(draw) for _ in range(measured["submissions"])]
    runs[9::10] = [float("inf")] * len(runs[9::10])
    waits = simulate([(0.0, run) for run in runs], workers=BURST_WORKERS)
    print(
        f"The burst of {measured['submissions']} of that run, honest, p50 and p95, s: simulated"
        f" {percentile(waits.honest, 0.5):.1f} and {percentile(waits.honest, 0.95):.1f},"
        f" measured {measured['honest_p50']:.1f} and {measured['honest_p95']:.1f}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("burst", type=Path, metavar="BURST", help="what burst.py --json wrote")
    parser.add_argument("--submissions", type=int, default=20_000)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--endless", type=float, default=0.1, help="share of endless loops")
    parser.add_argument("--pack", type=float, default=0.0, help="seconds of drawing a pack")
    parser.add_argument("--cores-per-host", type=int, default=2)
    parser.add_argument("--width", type=int, help="of the slow lane of a host")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    for name in ("submissions", "minutes", "cores_per_host", "width"):
        if (value := getattr(options, name)) is not None and value <= 0:
            parser.error(f"--{name.replace('_', '-')} {value}: expected more than 0")
    if options.pack < 0:
        parser.error(f"--pack {options.pack}: expected 0 or more")
    if not 0 <= options.endless <= 1:
        parser.error(f"--endless {options.endless}: expected 0 to 1")
    burst = json.loads(options.burst.read_text())
    if "gates" not in burst:
        parser.error(f"{options.burst}: expected the numbers of a full or quick run of burst.py")
    service = service_of(burst)
    _check(burst, service, options.seed)
    draw = random.Random(options.seed)
    seconds = 60 * options.minutes
    arrivals = arrivals_of(options.submissions, seconds, options.endless, service, draw)
    per_host = options.cores_per_host
    widths = [options.width] if options.width else sorted({1, max(1, per_host - 1)})
    heads = f"{'p95':>9}{'worst':>9}"
    print(f"\nseconds{'honest: p50':>20}{heads}{'endless: p50':>16}{heads}")
    for width in widths:
        for cores in CORES:
            if cores % per_host:
                continue
            waits = simulate(
                arrivals,
                hosts=cores // per_host,
                workers=per_host,
                width=width,
                pack=options.pack,
            )
            share = waits.busy / (cores * seconds)
            print(
                f"{cores:3} cores, width {width}{_cells(waits.honest)}"
                f"       {_cells(waits.endless)}  busy {100 * share:.0f} %"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
