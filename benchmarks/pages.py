"""First visits to pages: bytes, first paint, queries; and what a page costs the server.

Usage: python benchmarks/pages.py [--quick | --smoke] [--only-load] [--page TEXT] [--json FILE]
Starts a site of its own on loopback, as `make run` does: pages and figures are compressed, scripts,
styles and fonts are not, which production does too. Every page is opened with an empty cache; paint
is the median of the visits. Queries are counted in a process of its own on the same database, for
a visitor who has read a step. Goals: 300 KB without the editor, first paint within a second.

Then 16 connections ask for each page, as a visitor who is new and as a learner with work, in turns
of half a second with /accessibility/, a page that needs no data. Goals: a page of a visitor takes
the web processes at most 2.5 times the processor time of that one, of a learner 5 times, and has at
most 100 KB of HTML. Exit code 1 when a full run misses a goal. --smoke visits one page.
"""

import os
import statistics
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from uuid import uuid4

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import COURSE, HOME, OwnSite  # noqa: E402
from benchmarks.page_load import Load, load  # noqa: E402
from tools.find_chromium import find_chromium  # noqa: E402

PAGES = {
    "/": "start page",
    f"{HOME}/learn/": "lessons",
    f"{HOME}/learn/why-order/equivariance/": "a step with formulas",
    f"{HOME}/learn/sinusoidal-values/seeing-it/": "a step with two figures",
    f"{HOME}/deep-dive/4/": "a card",
    f"{HOME}/map/": "concept map",
    f"{HOME}/map/outline/": "outline",
    "/explore/": "explorer",
    f"{HOME}/quiz/test-your-understanding/": "a quiz",
    f"{HOME}/exercises/": "exercises",
    f"{HOME}/exercises/sinusoidal-table/": "an exercise, with the editor",
    f"{HOME}/progress/": "progress",
    "/review/": "review",
}
WITH_EDITOR = {f"{HOME}/exercises/sinusoidal-table/"}
MOST_KILOBYTES, LATEST_PAINT_MS = 300, 1000
PLAIN = "/accessibility/"
MOST_TIMES = {"visitor": 2.5, "learner": 5.0}
MOST_HTML = 100_000  # bytes
TURN_SECONDS = 0.5
LOADED = {path: name for path, name in PAGES.items() if path != "/explore/"} | {
    "/explore/?enc=sinusoidal/heatmap&a.d_model=50": "explorer",
    f"{HOME}/quiz/": "quizzes",
}
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
SMALLEST = "/review/"
Loads = dict[str, dict[str, tuple[Load, float]]]
READ = f"{HOME}/learn/sinusoidal-values/order-blindness/"


@dataclass(frozen=True)
class Weight:
    """One page: bytes on the wire in all and by kind, requests, first paint, queries."""

    kilobytes: float
    fonts: float
    scripts: float
    requests: int
    paint_ms: float
    queries: int


def visit(browser: Browser, url: str) -> tuple[dict[str, float], int, float]:
    """Open a page with an empty cache; return bytes by kind, requests and first paint in ms."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    sizes = _sizes(page)
    page.goto(url, wait_until="networkidle")
    paint = float(page.evaluate(PAINT))
    by_kind: dict[str, float] = {}
    for kind, size in sizes.values():
        by_kind[kind] = by_kind.get(kind, 0) + size
    requests = len(sizes)
    context.close()
    return by_kind, requests, paint


def _sizes(page: Page) -> dict[str, tuple[str, float]]:
    """Return a dictionary that fills as requests end: kinds, and bytes on the wire."""
    kinds: dict[str, str] = {}
    sizes: dict[str, tuple[str, float]] = {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.responseReceived", lambda on: kinds.update({on["requestId"]: on["type"]}))
    session.on(
        "Network.loadingFinished",
        lambda on: sizes.update(
            {on["requestId"]: (kinds.get(on["requestId"], "Other"), on["encodedDataLength"])}
        ),
    )
    return sizes


def queries(database: Path, paths: Iterable[str] = PAGES) -> dict[str, int]:
    """Count the queries of each page in this process."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's loop runs in this thread
    os.environ["DJANGO_SETTINGS_MODULE"] = "quizzes.config.settings"
    os.environ["DATABASE_URL"] = f"sqlite:///{database}"
    import django

    django.setup()
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(headers={"host": "127.0.0.1"})
    client.post(READ)
    found = {}
    for path in paths:
        client.get(path)  # files that are cached for good are not counted
        with CaptureQueriesContext(connection) as captured:
            assert client.get(path, follow=True).status_code == 200, path
        found[path] = len(captured)
    return found


def measure(site: OwnSite, paths: Iterable[str] = PAGES, *, visits: int) -> dict[str, Weight]:
    """Measure these pages."""
    counted: dict[str, int] = {}
    weights = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        visit(browser, f"{site.url}/")  # the server draws its first figures
        counted = queries(Path(site.folder.name) / "site.sqlite3", paths)
        for path in paths:
            seen = [visit(browser, f"{site.url}{path}") for _ in range(visits)]
            by_kind, requests, _ = seen[-1]
            weights[path] = Weight(
                kilobytes=sum(by_kind.values()) / 1000,
                fonts=by_kind.get("Font", 0) / 1000,
                scripts=by_kind.get("Script", 0) / 1000,
                requests=requests,
                paint_ms=statistics.median(paint for *_, paint in seen),
                queries=counted[path],
            )
        browser.close()
    return weights


def learner_cookie() -> str:
    """Return the cookie of a learner who has read 30 steps, begun a quiz and sent code."""
    from django.test import Client

    from quizzes.lessons.models import Step

    client = Client(headers={"host": "127.0.0.1"})
    steps = Step.objects.select_related("lesson__course").filter(lesson__course__slug=COURSE)
    for step in steps.order_by("lesson__number", "number")[:30]:
        assert client.post(step.get_absolute_url()).status_code == 302, step
    assert client.post(f"{HOME}/quiz/test-your-understanding/").status_code == 302
    code = {"code": "def sinusoidal_table(n, d, base=10000.0):\n    return None\n"}
    sent = client.post(
        f"{HOME}/exercises/sinusoidal-table/", code | {"key": str(uuid4()), "kind": "submit"}
    )
    assert sent.status_code in {200, 302}, sent.status_code
    return "; ".join(f"{one.key}={one.value}" for one in client.cookies.values())


def measure_load(
    site: OwnSite, *, turns: int, only: str = ""
) -> tuple[dict[str, dict[str, tuple[Load, float]]], float]:
    """Return each page under load with how many times the plain page's processor time it takes.

    Second, the milliseconds of processor time that the plain page takes itself.

    Processor time of the web processes, since other work on the machine takes as much from the rate
    as it likes. The plain page and each page take turns of half a second; medians of the turns.
    """
    cookies = {"visitor": "", "learner": learner_cookie()}
    found: dict[str, dict[str, tuple[Load, float]]] = {who: {} for who in cookies}
    plain_seconds: list[float] = []

    def timed(path: str, cookie: str) -> tuple[Load, float]:
        before = site.processor_seconds()
        page = load(site.port, path, cookie=cookie, seconds=TURN_SECONDS)
        return page, (site.processor_seconds() - before) / page.answers

    for path in (path for path in LOADED if only in path):
        for who, cookie in cookies.items():
            load(site.port, path, cookie=cookie, seconds=0.3)  # both processes have met it
            pairs = [(*timed(PLAIN, ""), *timed(path, cookie)) for _ in range(turns)]
            first = replace(
                pairs[0][2], rate=statistics.median(page.rate for _, _, page, _ in pairs)
            )
            times = statistics.median(own / plain for _, plain, _, own in pairs)
            found[who][path] = (first, times)
            plain_seconds += (plain for _, plain, _, _ in pairs)
    return found, 1000 * statistics.median(plain_seconds)


def missed_load(found: dict[str, dict[str, tuple[Load, float]]]) -> list[str]:
    """Return the pages that take too long or have too much HTML."""
    return [
        f"{path} ({who})"
        for who, pages in found.items()
        for path, (page, times) in pages.items()
        if times > MOST_TIMES[who] or page.html > MOST_HTML
    ]


def load_table(found: dict[str, dict[str, tuple[Load, float]]]) -> str:
    """Return the numbers as a Markdown table."""
    lines = [
        f"| page | HTML, kB | visitor: pages a second | times {PLAIN} (goal 2.5)"
        " | learner: pages a second | times (goal 5) |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for path, name in ((path, name) for path, name in LOADED.items() if path in found["visitor"]):
        cells = [f"{page.rate:.0f} | {times:.1f}" for page, times in _both(found, path)]
        html = max(page.html for page, _ in _both(found, path)) / 1000
        lines.append(f"| `{path}` {name} | {html:.0f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _both(
    found: dict[str, dict[str, tuple[Load, float]]], path: str
) -> tuple[tuple[Load, float], tuple[Load, float]]:
    return found["visitor"][path], found["learner"][path]


def missed(weights: dict[str, Weight]) -> list[str]:
    """Return the pages that are too heavy or too late."""
    return [
        path
        for path, weight in weights.items()
        if (weight.kilobytes > MOST_KILOBYTES and path not in WITH_EDITOR)
        or weight.paint_ms > LATEST_PAINT_MS
    ]


def table(weights: dict[str, Weight]) -> str:
    """Return the numbers as a Markdown table."""
    lines = [
        "| page | kB in all | fonts | scripts | requests | first paint, ms | queries |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for path, one in weights.items():
        lines.append(
            f"| `{path}` {PAGES[path]} | {one.kilobytes:.0f} | {one.fonts:.0f} | {one.scripts:.0f}"
            f" | {one.requests} | {one.paint_ms:.0f} | {one.queries} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Measure, print, and return 1 when a full run misses a goal."""
    parser = parser_of(__doc__)
    parser.add_argument("--only-load", action="store_true", help="no first visits")
    parser.add_argument("--page", default="", help="load the pages with this in their address")
    options = parser.parse_args()
    weights: dict[str, Weight] = {}
    visits, turns = sizes_of(options, full=(5, 11), quick=(1, 3), smoke=(1, 0))
    loads: Loads = {"visitor": {}, "learner": {}}
    plain_ms = 0.0
    with OwnSite() as site:
        if options.only_load:
            queries(Path(site.folder.name) / "site.sqlite3")
        else:
            paths = [SMALLEST] if options.run == "smoke" else PAGES
            weights = measure(site, paths, visits=visits)
        if turns:
            loads, plain_ms = measure_load(site, turns=turns, only=options.page)
    not_met = [*missed(weights), *missed_load(loads)]
    if weights:
        print(table(weights), end="\n\n")
    if turns:
        print(load_table(loads))
        print(f"{PLAIN} itself: {plain_ms:.2f} ms of processor time")
    print("goals MISSED: " + ", ".join(not_met) if not_met else "goals met")
    numbers = {
        "command": sys.argv,
        "plain_ms": plain_ms,
        "pages": {path: asdict(one) for path, one in weights.items()},
        "load": {
            who: {path: [page.rate, page.html, times] for path, (page, times) in pages.items()}
            for who, pages in loads.items()
        },
    }
    return end(options, numbers, not_met)


if __name__ == "__main__":
    sys.exit(main())
