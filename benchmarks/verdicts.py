"""How long a learner waits: from the click on Submit to the verdict on the screen.

Usage: python benchmarks/verdicts.py [--quick | --smoke] [--only-posts] [--json FILE]
Starts a site of its own (web server, worker, database, port) and stops it again; its database is a
new file of SQLite's, or where DATABASE_URL names a PostgreSQL server (tools/with_postgres.py) a new
database there. Prints tables for people; --json writes the same numbers for programs; --quick is
for about a minute, --smoke clicks and posts once. Exit code 1 when a full run misses a goal.

In Chromium: the click on Submit, until the frame that shows the verdict is painted.
Submissions to `sinusoidal-table`: the reference and three known mistakes in turn. The browser, the
web server, the worker and the sandbox share the machine's cores.

Without a browser: POST to verdict by phase, of members of a class with four assignments, one at a
time and twenty at once, while somebody asks for a plain page. With --only-posts nothing else. To
measure a commit that does not have this program, copy `benchmarks/` there.
"""

import os
import platform
import statistics
import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import HOME, OwnSite  # noqa: E402
from benchmarks.own_workers import (  # noqa: E402
    keep_exercises,
    wait_until_prepared,
    workers,
)
from benchmarks.verdict_phases import measure_posts  # noqa: E402
from tests.browser import CHROMIUM_FLAGS  # noqa: E402
from tools.find_chromium import find_chromium  # noqa: E402

SLUG = "sinusoidal-table"
FOLDER = ROOT / "quizzes/content/positional-encodings/exercises/sinusoidal-table"
FILES = ("reference.py", "wrong/swap.py", "wrong/exp_double.py", "wrong/transposed.py")
GOAL_VISIBLE_P50_MS = 250.0
GOALS_OF_POSTS = {"post_p50_ms": 25.0, "post_p95_ms": 40.0}
A_LEARNER = 8  # submissions of one browser profile: an anonymous learner may send ten a minute

PRESS = """
() => new Promise((resolve) => {
  const area = document.querySelector("#verdict");
  area.replaceChildren();
  const started = performance.now();
  new MutationObserver((_, observer) => {
    if (!area.querySelector("[data-verdict]")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started), 0));
  }).observe(area, { childList: true, subtree: true });
  document.querySelector("button[value=submit]").click();
})
"""


@dataclass(frozen=True)
class Measured:
    """Milliseconds until a verdict is visible."""

    clicks: int
    visible_p50_ms: float
    visible_p95_ms: float
    visible_max_ms: float


def main() -> int:
    """Measure, print, and return 1 when a full run misses a goal."""
    parser = parser_of(__doc__)
    parser.add_argument("--only-posts", action="store_true", help="no browser")
    options = parser.parse_args()
    numbers: dict[str, Any] = {
        "machine": {"cores": os.cpu_count(), "system": platform.platform()},
        "gates": {},
    }
    print(f"Verdicts, {os.cpu_count()} cores, {platform.platform()}\n")
    if not options.only_posts:
        _measure_clicks(options, numbers)
    _measure_posts(options, numbers)
    print()
    for name, gate in numbers["gates"].items():
        state = "met" if gate["met"] else "MISSED"
        print(f"Goal: {name} <= {gate['limit']:g}: {state} ({gate['measured']:.1f})")
    missed = [name for name, gate in numbers["gates"].items() if not gate["met"]]
    return end(options, numbers, missed)


def _measure_clicks(options: Namespace, numbers: dict[str, Any]) -> None:
    clicks = sizes_of(options, full=160, quick=24, smoke=1)
    with OwnSite() as site:
        keep_exercises(site, SLUG)
        with workers(site, 1):
            wait_until_prepared(site, SLUG)
            times = sorted(_clicks(site.url, clicks))
    measured = Measured(
        clicks=len(times),
        visible_p50_ms=statistics.median(times),
        visible_p95_ms=times[int(0.95 * (len(times) - 1))],
        visible_max_ms=times[-1],
    )
    print(f"{'click to visible verdict':28}{measured.clicks:6} clicks")
    for name in ("p50", "p95", "max"):
        print(f"  {name:26}{getattr(measured, f'visible_{name}_ms'):9.0f} ms")
    numbers["verdicts"] = asdict(measured)
    limits = {"visible_p50_ms": GOAL_VISIBLE_P50_MS}
    numbers["gates"] |= _gates(limits, {"visible_p50_ms": measured.visible_p50_ms})


def _measure_posts(options: Namespace, numbers: dict[str, Any]) -> None:
    singly, rounds = sizes_of(options, full=(200, 10), quick=(40, 3), smoke=(1, 0))
    code = (FOLDER / FILES[0]).read_text()
    times = measure_posts(SLUG, code, singly=singly, rounds=rounds)
    print(f"\n{'ms':34}{'one at a time':>18}{'twenty at once':>18}")
    print(f"{'':34}{'p50':>9}{'p95':>9}{'p50':>9}{'p95':>9}")
    for alone, crowd in zip(times.singly, times.at_once, strict=True):
        print(f"{alone.words:34}{alone.p50:9.1f}{alone.p95:9.1f}{crowd.p50:9.1f}{crowd.p95:9.1f}")
    print(
        f"A POST: {times.queries} queries, {times.looks} of them while it waits; {times.web_ms:.1f}"
        f" ms of the web processes. Of {times.submissions} at once {times.polled} had to ask again;"
        f" a plain page meanwhile: p50 {times.page_p50:.0f}, p95 {times.page_p95:.0f} ms."
    )
    numbers["posts"] = asdict(times)
    whole = times.singly[-1]
    measured = {"post_p50_ms": whole.p50, "post_p95_ms": whole.p95}
    numbers["gates"] |= _gates(GOALS_OF_POSTS, measured)


def _gates(limits: dict[str, float], measured: dict[str, float]) -> dict[str, Any]:
    return {
        name: {"limit": limit, "measured": measured[name], "met": measured[name] <= limit}
        for name, limit in limits.items()
    }


def _clicks(url: str, count: int) -> Iterator[float]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(CHROMIUM_FLAGS)
        )
        codes = [(FOLDER / name).read_text() for name in FILES]
        for start in range(0, count, A_LEARNER):
            yield from _learner(browser, url, codes, min(A_LEARNER, count - start))
        browser.close()


def _learner(browser: Browser, url: str, codes: list[str], count: int) -> Iterator[float]:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{url}{HOME}/exercises/{SLUG}/")
    page.get_by_label("Plain text field").check()
    for number in range(count):
        page.locator("#id_code").fill(codes[number % len(codes)])
        page.wait_for_timeout(200)
        yield float(page.evaluate(PRESS))
    context.close()


if __name__ == "__main__":
    sys.exit(main())
