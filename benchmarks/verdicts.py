"""How long a learner waits: from the click on Submit to the verdict on the screen.

Usage: python benchmarks/verdicts.py [--quick | --smoke] [--json FILE]
Starts a site of its own (web server, worker, database, port) and stops it again. Prints a table
for people; --json writes the same numbers for programs; --quick is for about a minute, --smoke
clicks once. Exit code 1 when a full run misses the goal.

In Chromium: the click on Submit, until the frame that shows the verdict is painted.
Submissions to `sinusoidal-table`: the reference and three known mistakes in turn. The browser, the
web server, the worker and the sandbox share the machine's cores.
"""

import os
import platform
import statistics
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

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
from tests.browser import CHROMIUM_FLAGS  # noqa: E402
from tools.find_chromium import find_chromium  # noqa: E402

SLUG = "sinusoidal-table"
FOLDER = ROOT / "quizzes/content/positional-encodings/exercises/sinusoidal-table"
FILES = ("reference.py", "wrong/swap.py", "wrong/exp_double.py", "wrong/transposed.py")
GOAL_VISIBLE_P50_MS = 250.0
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
    """Measure, print, and return 1 when a full run misses the goal."""
    options = parser_of(__doc__).parse_args()
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
    met = measured.visible_p50_ms <= GOAL_VISIBLE_P50_MS
    _print_table(measured, met=met)
    machine = {"cores": os.cpu_count(), "system": platform.platform()}
    gates = {"visible_p50_ms": {"limit": GOAL_VISIBLE_P50_MS, "met": met}}
    numbers = {"machine": machine, "verdicts": asdict(measured), "gates": gates}
    return end(options, numbers, [] if met else ["visible_p50_ms"])


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


def _print_table(measured: Measured, *, met: bool) -> None:
    print(f"Verdicts, {os.cpu_count()} cores, {platform.platform()}\n")
    print(f"{'click to visible verdict':28}{measured.clicks:6} clicks")
    for name in ("p50", "p95", "max"):
        print(f"  {name:26}{getattr(measured, f'visible_{name}_ms'):9.0f} ms")
    print(f"\nGoal: visible p50 <= {GOAL_VISIBLE_P50_MS:g} ms: {'met' if met else 'MISSED'}")


if __name__ == "__main__":
    sys.exit(main())
