"""First visits over a slow line: first paint, when a page is ready, what moves meanwhile.

Usage: python benchmarks/slow_line.py [--quick | --smoke] [--json FILE]
Starts a site of its own on loopback with the files as production serves them: named by content and
compressed. Each page is opened with an empty cache over slow 3G (300 ms of delay, 50 kB/s) and over
a line that is far away (200 ms, 1.5 MB/s). A page is ready when its first figure is drawn in the
page, or its editor is there; 0 where it has neither in sight. Medians of the visits. Goals over
slow 3G: the start page is painted within 2 s, and no page has a layout shift above 0.01. Exit code
1 when a full run misses a goal. --smoke visits one page once.
"""

import os
import statistics
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import HOME, NO_SERVER, OwnSite  # noqa: E402
from tools.find_chromium import find_chromium  # noqa: E402

PAGES = {
    "/": "start page",
    f"{HOME}/learn/sinusoidal-values/seeing-it/": "a step with two figures",
    f"{HOME}/exercises/sinusoidal-table/": "an exercise, with the editor",
}
LINES = {"slow 3G": (300, 50_000), "far away": (200, 1_500_000)}  # ms, bytes a second
LATEST_PAINT_MS, MOST_SHIFT = 2000, 0.01
PRODUCTION = {
    "ORDINAL_ENV": "production",
    "HTTPS": "0",
    "ALLOWED_HOSTS": "127.0.0.1",
    "EMAIL_URL": "consolemail://",
    "SECRET_KEY": "of a site that lives for a minute, and has nothing to hide",
}
WATCH = """
window.seen = { shift: 0, ready: 0 };
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) {
    if (!hadRecentInput) seen.shift += value;
  }
}).observe({ type: "layout-shift", buffered: true });
new MutationObserver(() => {
  if (document.querySelector(".live--here, .cm-editor")) seen.ready ||= performance.now();
}).observe(document, { subtree: true, childList: true, attributeFilter: ["class"] });
"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
SETTLED_MS = 500  # after the last answer: what it changes is painted


@dataclass(frozen=True)
class Visit:
    """What one visit saw: milliseconds, the sum of the shifts, requests, bytes on the wire."""

    paint_ms: float
    ready_ms: float
    shift: float
    requests: float
    kilobytes: float


def visit(browser: Browser, url: str, line: str) -> Visit:
    """Open a page with an empty cache over a line."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(WATCH)
    latency, rate = LINES[line]
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    speeds = {"latency": latency, "downloadThroughput": rate, "uploadThroughput": rate}
    network.send("Network.emulateNetworkConditions", {"offline": False, **speeds})
    sizes: list[float] = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(url, wait_until="networkidle", timeout=120_000)
    page.wait_for_timeout(SETTLED_MS)
    seen = page.evaluate("seen")
    paint = float(page.evaluate(PAINT))
    context.close()
    return Visit(paint, seen["ready"], seen["shift"], len(sizes), sum(sizes) / 1000)


def measure(site: OwnSite, pages: dict[str, str], visits: int) -> dict[str, dict[str, Visit]]:
    """Return the medians of each page over each line."""
    medians: dict[str, dict[str, Visit]] = {line: {} for line in LINES}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        for path in pages:
            visit(browser, site.url + path, "far away")  # the server draws its first figures
            for line in LINES:
                seen = [asdict(visit(browser, site.url + path, line)) for _ in range(visits)]
                names = seen[0].keys()
                medians[line][path] = Visit(
                    **{name: statistics.median(each[name] for each in seen) for name in names}
                )
        browser.close()
    return medians


def table(medians: dict[str, dict[str, Visit]]) -> str:
    """Return the numbers as a Markdown table."""
    lines = [
        "| page, line | first paint, ms | ready, ms | layout shift | requests | kB |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    lines += [
        f"| {PAGES[path]}, {line} | {seen.paint_ms:.0f} | {seen.ready_ms:.0f} | {seen.shift:.3f}"
        f" | {seen.requests:.0f} | {seen.kilobytes:.0f} |"
        for line, pages in medians.items()
        for path, seen in pages.items()
    ]
    return "\n".join(lines)


def missed(slow: dict[str, Visit]) -> list[str]:
    """Return the goals that pages over slow 3G miss."""
    late = [path for path, seen in slow.items() if path == "/" and seen.paint_ms > LATEST_PAINT_MS]
    moved = [path for path, seen in slow.items() if seen.shift > MOST_SHIFT]
    return [*(f"{path} is late" for path in late), *(f"{path} moves" for path in moved)]


def gather_files(site: OwnSite) -> None:
    """Name and compress the files of a site as production does."""
    folders = {"ORDINAL_VAR": site.folder.name, "DATABASE_URL": site.database}
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(
        command, cwd=ROOT, env=os.environ | folders, check=True, stderr=subprocess.DEVNULL
    )


def main() -> int:
    """Measure, print, and return 1 when a full run misses a goal."""
    options = parser_of(__doc__).parse_args()
    visits = sizes_of(options, full=5, quick=2, smoke=1)
    pages = {"/": PAGES["/"]} if options.run == "smoke" else PAGES
    with OwnSite(server=NO_SERVER) as prepared:
        os.environ |= PRODUCTION
        gather_files(prepared)
        with OwnSite(beside=prepared) as site:
            medians = measure(site, pages, visits)
    not_met = missed(medians["slow 3G"])
    print(table(medians))
    print("goals MISSED: " + ", ".join(not_met) if not_met else "goals met")
    numbers = {
        line: {path: asdict(seen) for path, seen in medians[line].items()} for line in medians
    }
    return end(options, {"command": sys.argv, "lines": numbers}, not_met)


if __name__ == "__main__":
    sys.exit(main())
