"""How long people wait for verdicts while others submit endless loops; burst.py prints it."""

import json
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.own_site import OwnSite  # noqa: E402
from benchmarks.own_workers import run_script  # noqa: E402
from benchmarks.queue_scripts import SPREAD, WAITED  # noqa: E402

ENDLESS = "while True:\n    pass\n"
ONE_IN = 9  # 11 %
VISITORS = 40
PATIENT_SECONDS = 0.6  # of right code, as tests/strangers has: more than the quick lane's time


@dataclass(frozen=True)
class Spread:
    """Honest submissions among endless ones, over some time. Seconds.

    `slowed`: honest ones that needed the slow lane, on a busy machine. `loops_max`: the longest
    wait for the verdict on an endless loop.
    """

    workers: int
    submissions: int
    seconds: float
    loops: int
    slowed: int
    honest_p50: float
    honest_p95: float
    honest_max: float
    loops_max: float


def measure_spread(
    site: OwnSite, slug: str, honest: Sequence[str], *, count: int, seconds: float, workers: int
) -> Spread:
    """Return the waits of `count` submissions, one in nine an endless loop, over `seconds`."""
    codes = [
        ENDLESS if number % ONE_IN == ONE_IN // 2 else honest[number % len(honest)]
        for number in range(count)
    ]
    rows_to_send = [(seconds * number / count, "", code) for number, code in enumerate(codes)]
    last = run_script(site, SPREAD, slug, stdin=json.dumps(rows_to_send)).strip()
    rows = json.loads(run_script(site, WAITED, last))  # of all
    named = list(zip(rows, codes, strict=True))
    waits = sorted(wait for (_, _, wait), code in named if code != ENDLESS)
    wrong = {verdict for (_, verdict, _), code in named if code != ENDLESS} - {"correct"}
    if wrong:
        raise RuntimeError(f"honest submissions came out {wrong}: nothing was measured")
    return Spread(
        workers=workers,
        submissions=count,
        seconds=seconds,
        loops=codes.count(ENDLESS),
        slowed=sum(slow for (slow, _, _), code in named if code != ENDLESS),
        honest_p50=statistics.median(waits),
        honest_p95=waits[int(0.95 * len(waits))],
        honest_max=waits[-1],
        loops_max=max(wait for (_, _, wait), code in named if code == ENDLESS),
    )


def measure_learner(site: OwnSite, slug: str, reference: str, name: str) -> float:
    """Return the seconds that a learner with an account waits, for right code that is slow.

    Forty fresh visitors have just submitted an endless loop each.
    """
    patient = f"import time\ntime.sleep({PATIENT_SECONDS})\n{reference}"
    rows = [(0.0, "", ENDLESS)] * VISITORS + [(1.0, name, patient)]
    last = run_script(site, SPREAD, slug, stdin=json.dumps(rows)).strip()
    *_, (slow, verdict, wait) = json.loads(run_script(site, WAITED, last, stdin=ENDLESS))
    if (slow, verdict) != (True, "correct"):
        raise RuntimeError(f"the learner's code came out {verdict}: nothing was measured")
    return float(wait)
