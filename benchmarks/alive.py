"""How long a hand waits for its own numbers on a figure, and what that costs those who are graded.

Usage: python benchmarks/alive.py [--quick | --smoke] [--json FILE]
Starts a site of its own (web server, one worker, database) and stops it again. Prints a table for
people; --json writes the same numbers for programs; --quick is for about a minute, --smoke draws
and checks once. Exit code 1 when a full run misses a goal.

What is measured, from the POST of a learner's code to the answer with numbers, as the page asks
  first picture   the first answer that has numbers of every place
  whole slider    the last answer: with the reference and the difference, all places of `d_model`
  still picture   one SVG of such a batch, as a page without a script shows it
  a Check         the same code: from its POST to the verdict in the answer
  idle            one at a time; full load: next to Submits that always wait for the only worker
  first time      the author's sandbox, which calls the reference, is started for this batch
  grading         a Check's p50 while hands drag, one batch a second each, divided by its p50
                  without, in turns

Members of a class send right code: `sinusoidal-table` (NumPy) and `sinusoidal-module` (torch).
"""

import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any
from uuid import uuid4

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import HOME, OwnSite, own_site  # noqa: E402
from benchmarks.own_workers import (  # noqa: E402
    environment_of,
    keep_exercises,
    run_script,
    wait_until_prepared,
    workers,
)
from benchmarks.queue_scripts import KEEP_WAITING  # noqa: E402
from benchmarks.verdict_phases import AWAITED, Member, at_share, members_of  # noqa: E402

EXERCISES = ROOT / "quizzes/content/positional-encodings/exercises"
TABLE, MODULE = "sinusoidal-table", "sinusoidal-module"
KINDS = {TABLE: "NumPy", MODULE: "torch"}
MEMBERS = 24
EVERY_SECONDS = 1.1  # of one learner: one Check, Run or batch a second
LOAD = 20  # Submits that wait at once, and are filled up
HANDS = 2  # that drag while others are graded
GOALS = {
    "first picture, NumPy": 300.0,
    "first picture, torch": 300.0,
    "whole slider, NumPy": 1500.0,
    "whole slider, torch": 1500.0,
}
MOST_OF_GRADING = 1.1
WAITING = """
import django; django.setup()
from quizzes.exercises.models import Submission
print(Submission.objects.filter(graded_at=None).count())
"""
Times = dict[str, list[float]]


@dataclass(frozen=True)
class Sizes:
    """How many figures of each kind and Checks are timed; blocks of Checks in turns."""

    each: int
    blocks: int
    block: int
    kinds: tuple[str, ...] = (TABLE, MODULE)
    is_loaded: bool = True


FULL = Sizes(each=40, blocks=8, block=20)
QUICK = Sizes(each=10, blocks=4, block=8)
SMOKE = Sizes(each=1, blocks=2, block=1, kinds=(TABLE,), is_loaded=False)


class Learner:
    """A member of the class at two exercises, who may send something once a second."""

    def __init__(self, member: Member) -> None:
        self.member = member
        self.next = 0.0

    def wait(self) -> None:
        """Return when the limits allow to send again, on a connection that is open."""
        self.member.reconnect()
        time.sleep(max(0.0, self.next - time.monotonic()))

    def draw(self, slug: str, code: str, base: float) -> tuple[float, float]:
        """Return the seconds until the first and until the last numbers of a slider.

        `base`: where another slider stands, so that no two batches are the same.
        """
        form = _form(code, base)
        self.wait()
        began = time.monotonic()
        answer, first = self._ask(_address(slug), form), 0.0
        while "ask" in answer:
            if "places" in answer and not first:
                first = time.monotonic() - began
            time.sleep(answer["ask_after_ms"] / 1000)
            answer = self._ask(answer["ask"])
        last = time.monotonic() - began
        self.next = time.monotonic() + EVERY_SECONDS
        is_whole = "difference" in answer.get("layers", ())
        if not is_whole or any(place["is_problem"] for place in answer["places"]):
            raise RuntimeError(f"right code was not drawn: {str(answer)[:300]}")
        return first or last, last

    def draw_still(self, slug: str, code: str, base: float) -> float:
        """Return the seconds until a page without a script has the first of its pictures."""
        self.wait()
        began = time.monotonic()
        page = self.member.ask(_address(slug), _form(code, base), accept="text/html")
        while waits := AWAITED.search(page):
            time.sleep(int(waits[2]) / 1000)
            page = self.member.ask(waits[1], accept="text/html")
        picture = re.search(r'src="([^"]+/yours-\d+\.svg)', page)
        if picture is None:
            raise RuntimeError(f"no picture of right code: {page[:300]}")
        self.member.ask(picture[1], accept="image/svg+xml")
        self.next = time.monotonic() + EVERY_SECONDS
        return time.monotonic() - began

    def _ask(self, address: str, form: dict[str, str] | None = None) -> Any:
        return json.loads(self.member.ask(address, form, accept="application/json"))

    def check(self, code: str) -> float:
        """Return the seconds until the verdict on a Check of the first exercise."""
        self.wait()
        times = self.member.submit(code, kind="check")
        self.next = time.monotonic() + EVERY_SECONDS
        return float(times["verdict"] - times["sent"])


def main() -> int:
    """Measure, print, and return 1 when a full run misses a goal."""
    options = parser_of(__doc__).parse_args()
    sizes = sizes_of(options, full=FULL, quick=QUICK, smoke=SMOKE)
    codes = {slug: (EXERCISES / slug / "reference.py").read_text() for slug in sizes.kinds}
    os.environ["PROXY_COUNT"] = "1"  # members have addresses of their own
    with tempfile.TemporaryDirectory() as name, own_site(Path(name)) as site:
        keep_exercises(site, *sizes.kinds)
        with workers(site, 1):
            wait_until_prepared(site, *sizes.kinds)
            learners = _learners(site, codes)
            numbers = _measure(site, learners, codes, sizes)
    return end(options, numbers, _tell(numbers))


def _learners(site: OwnSite, codes: dict[str, str]) -> list[Learner]:
    """Return members whose code was graded in each exercise, so that references are shown."""
    members = members_of(site, TABLE, MEMBERS)
    for member in members:
        member.reconnect()
        for slug, code in codes.items():
            member.submit(code, path=f"{HOME}/exercises/{slug}/")
    return [Learner(member) for member in members]


def _measure(
    site: OwnSite, learners: Sequence[Learner], codes: dict[str, str], sizes: Sizes
) -> dict[str, Any]:
    first_time = {slug: learners[-1].draw(slug, codes[slug], 2.0)[:2] for slug in sizes.kinds}
    idle = _times(learners, codes, sizes.each)
    apart, together = _grading(learners, codes[TABLE], sizes)
    loaded: Times = {}
    if sizes.is_loaded:
        with _full_load(site, codes[TABLE]):
            loaded = _times(learners, codes, sizes.each)
    return {
        "machine": {"cores": os.cpu_count(), "system": platform.platform()},
        "idle": _shares(idle),
        "full load": _shares(loaded),
        "first time": {
            KINDS[slug]: {"first picture": 1000 * first, "whole slider": 1000 * last}
            for slug, (first, last) in first_time.items()
        },
        "grading": {
            "alone p50": 1000 * apart,
            "hands p50": 1000 * together,
            "ratio": together / apart,
        },
    }


def _times(learners: Sequence[Learner], codes: dict[str, str], count: int) -> Times:
    """Return the seconds of each kind of picture and of a Check, by learners in turn."""
    turns = cycle(learners)
    times: Times = {}
    for number in range(count):
        base = 1.0 + number / 20
        for slug, code in codes.items():
            first, last = next(turns).draw(slug, code, base)
            times.setdefault(f"first picture, {KINDS[slug]}", []).append(first)
            times.setdefault(f"whole slider, {KINDS[slug]}", []).append(last)
        still = next(turns).draw_still(TABLE, codes[TABLE], base)
        times.setdefault("still picture, NumPy", []).append(still)
        times.setdefault("a Check, NumPy", []).append(next(turns).check(codes[TABLE]))
    return times


def _grading(learners: Sequence[Learner], code: str, sizes: Sizes) -> tuple[float, float]:
    """Return a Check's p50 without and while hands drag, in blocks that take turns."""
    hands, others = learners[:HANDS], cycle(learners[HANDS:])
    apart, together = list[float](), list[float]()
    for block in range(sizes.blocks):
        drags = block % 2 == 1
        over = threading.Event()
        dragging = [
            threading.Thread(target=_drag, args=(hand, code, over)) for hand in hands if drags
        ]
        for thread in dragging:
            thread.start()
        (together if drags else apart).extend(next(others).check(code) for _ in range(sizes.block))
        over.set()
        for thread in dragging:
            thread.join()
    return statistics.median(apart), statistics.median(together)


def _drag(hand: Learner, code: str, over: threading.Event) -> None:
    base = 1.0
    while not over.is_set():
        hand.draw(TABLE, code, base)
        base = base + 0.125 if base < 4 else 1.0


@contextmanager
def _full_load(site: OwnSite, code: str) -> Iterator[None]:
    """Keep Submits waiting for the worker until the block ends."""
    command = [sys.executable, "-c", KEEP_WAITING, TABLE, str(LOAD)]
    filling = subprocess.Popen(
        command, cwd=ROOT, env=environment_of(site), stdin=subprocess.PIPE, text=True
    )
    try:
        assert filling.stdin is not None
        filling.stdin.write(code)
        filling.stdin.close()
        while int(run_script(site, WAITING)) == 0:
            if filling.poll() is not None:
                raise RuntimeError("no Submits wait for the worker: nothing was measured")
        yield
    finally:
        filling.terminate()
        filling.wait()


def _address(slug: str) -> str:
    return f"{HOME}/exercises/{slug}/figure/"


def _form(code: str, base: float) -> dict[str, str]:
    own = {"code": code, "key": str(uuid4()), "slider": "d_model"}
    return own | {"figure.base.log10": f"{base:.4f}"}


def _shares(times: Times) -> dict[str, dict[str, float]]:
    return {
        name: {"p50": 1000 * at_share(seconds, 0.5), "p95": 1000 * at_share(seconds, 0.95)}
        for name, seconds in times.items()
    }


def _tell(numbers: dict[str, Any]) -> list[str]:
    """Print the tables and the goals; return the names of those missed."""
    idle, loaded, grading = numbers["idle"], numbers["full load"], numbers["grading"]
    check = idle["a Check, NumPy"]["p50"]
    print(f"Figures of one's own code, {os.cpu_count()} cores, {platform.platform()}\n")
    print(f"{'ms':24}{'idle':>18}{'of a':>9}{'full load':>18}")
    print(f"{'':24}{'p50':>9}{'p95':>9}{'Check':>9}{'p50':>9}{'p95':>9}")
    for name, times in idle.items():
        more = "".join(f"{loaded[name][share]:9.0f}" for share in ("p50", "p95") if loaded)
        ratio = times["p50"] / check
        print(f"{name:24}{times['p50']:9.0f}{times['p95']:9.0f}{ratio:9.1f}{more}")
    for kind, times in numbers["first time"].items():
        words = ", ".join(f"{name} {ms:.0f} ms" for name, ms in times.items())
        print(f"first time, {kind}: {words}")
    print(
        f"a Check next to {HANDS} hands that drag: p50 {grading['hands p50']:.1f} ms, without"
        f" {grading['alone p50']:.1f} ms: {grading['ratio']:.2f} times\n"
    )
    measured = {name: idle[name]["p50"] for name in GOALS if name in idle}
    limits = GOALS | {"a Check next to hands": MOST_OF_GRADING}
    measured["a Check next to hands"] = grading["ratio"]
    missed = [name for name, value in measured.items() if value > limits[name]]
    for name, value in measured.items():
        state = "MISSED" if name in missed else "met"
        print(f"Goal: {name} <= {limits[name]:g}: {state} ({value:.3g})")
    return missed


if __name__ == "__main__":
    sys.exit(main())
