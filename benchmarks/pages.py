"""First visits to pages: bytes, first paint, queries; and what a page costs the server.

Usage: python benchmarks/pages.py [--quick | --smoke] [--only-load | --only-people] [--page TEXT]
    [--json FILE]
Starts a site of its own on loopback, as `make run` does: pages and figures are compressed, scripts,
styles and fonts are not, which production does too. Every page is opened with an empty cache; paint
is the median of the visits. Queries are counted in a process of its own on the same database, for
a visitor who has read a step. Goals: 300 KB without the editor, first paint within a second.

Then every kind of page is asked for in a process of its own by a visitor, by an account with work,
and by a member of a class with the same work, in turns: queries, and milliseconds of the processor
with the database's. `--only-people` does this alone, on PostgreSQL where DATABASE_URL says so
(tools/with_postgres.py). Goal: a member's page that shows the frame alone takes at most six
queries, and six milliseconds more than a visitor's. To measure an earlier commit, copy this file
and tests/working_member.py there.

Then 16 connections ask for each page, as a visitor who is new and as that member, in turns of half
a second with /accessibility/, a page that needs no data. Goals: a page of a visitor takes
the web processes at most 2.5 times the processor time of that one, of a learner 5 times, and has at
most 100 KB of HTML. Exit code 1 when a full run misses a goal. --smoke visits one page.
"""

import argparse
import logging
import os
import statistics
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import COURSE, HOME, NO_SERVER, OwnSite  # noqa: E402
from benchmarks.page_load import Load, load  # noqa: E402
from benchmarks.processor_time import counted, seconds_of  # noqa: E402
from tests.databases import new_database, on_postgresql  # noqa: E402
from tools.find_chromium import find_chromium  # noqa: E402

if TYPE_CHECKING:
    from tests.working_member import Work

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
FRAME_ALONE = {"accessibility", "courses", "password reset", "no such page", "drawing explorer"}
MOST_QUERIES, MOST_MS_MORE = 6, {"sqlite": 6, "postgresql": 9}  # of a member, than a visitor
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
class Cost:
    """What a page costs: queries, and milliseconds of the processor."""

    queries: int
    ms: float


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


def set_up(site: OwnSite) -> None:
    """Let this process ask the database of a site, with its key."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's loop runs in this thread
    os.environ["DJANGO_SETTINGS_MODULE"] = "quizzes.config.settings"
    os.environ |= {"DATABASE_URL": site.database, "ORDINAL_VAR": site.folder.name}
    import django

    django.setup()
    logging.disable(logging.WARNING)  # of pages that are not found


def queries(paths: Iterable[str] = PAGES) -> dict[str, int]:
    """Count the queries of each page in this process."""
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
        set_up(site)
        counted = queries(paths)
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


def make_people() -> dict[str, "Work | None"]:
    """Return people with work in the course: a member of a class, and the same with due cards."""
    from quizzes.courses.models import Course
    from tests.working_member import (
        create_reader,
        create_working_member,
        let_cards_fall_due,
        verify_exercises,
    )

    verify_exercises()
    course = Course.objects.get(slug=COURSE)
    late = create_working_member("late", course)
    let_cards_fall_due(late.learner)
    return {
        "visitor": None,
        "account": create_reader("reader", course),
        "member": create_working_member("member", course),
        "due": late,
    }


def browser_of(work: "Work | None") -> Any:
    """Return a browser in which somebody is signed in."""
    from django.test import Client

    client = Client(headers={"host": "127.0.0.1"})
    if work is not None:
        client.force_login(work.user)
    return client


def measure_people(
    people: dict[str, "Work | None"], *, turns: int, only: str = ""
) -> dict[str, dict[str, Cost]]:
    """Return what each kind of page costs each of these people, by its name; in turns."""
    from tests.working_member import pages_of

    browsers = {who: browser_of(work) for who, work in people.items()}
    member = people["member"]
    assert member is not None
    costs: dict[str, dict[str, Cost]] = {}
    for name, address in pages_of(member).items():
        if only not in address:
            continue
        calls = {
            who: partial(browsers[who].get, path)
            for who, work in people.items()
            if (path := pages_of(work or member).get(name)) is not None
        }
        taken: dict[str, list[float]] = {who: [] for who in calls}
        counts = {}
        for who, call in calls.items():
            call()  # what is cached of the course
            with counted() as statements:
                call()
            counts[who] = len(statements)
        for _ in range(turns):
            for who, call in calls.items():
                taken[who].append(1000 * seconds_of(call, 3))
        costs[name] = {who: Cost(counts[who], min(taken[who])) for who in calls}
    return costs


def people_table(costs: dict[str, dict[str, Cost]]) -> str:
    """Return the numbers as a Markdown table."""
    columns = ("visitor", "account", "member", "due")
    words = "| visitor | account | member of a class | member, cards due |"
    lines = [f"| queries, ms of the processor {words}", "|---|--:|--:|--:|--:|"]
    for name, cost in costs.items():
        shown = {who: f"{one.queries}, {one.ms:.1f}" for who, one in cost.items()}
        cells = [shown.get(who, "") for who in columns]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def missed_people(costs: dict[str, dict[str, Cost]]) -> list[str]:
    """Return the pages with the frame alone that take a member too many queries or too long."""
    most = MOST_MS_MORE["postgresql" if on_postgresql() else "sqlite"]
    return [
        f"{name} ({who})"
        for name, cost in costs.items()
        for who in ("member", "due")
        if name in FRAME_ALONE
        and (cost[who].queries > MOST_QUERIES or cost[who].ms - cost["visitor"].ms > most)
    ]


def measure_load(
    site: OwnSite, learner: str, *, turns: int, only: str = ""
) -> tuple[dict[str, dict[str, tuple[Load, float]]], float]:
    """Return each page under load with how many times the plain page's processor time it takes.

    Second, the milliseconds of processor time that the plain page takes itself.

    Processor time of the web processes, since other work on the machine takes as much from the rate
    as it likes. The plain page and each page take turns of half a second; medians of the turns.
    """
    cookies = {"visitor": "", "learner": learner}
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
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--only-load", action="store_true", help="no first visits")
    only.add_argument("--only-people", action="store_true", help="queries and ms in this process")
    parser.add_argument("--page", default="", help="load the pages with this in their address")
    options = parser.parse_args()
    if options.only_people:
        return main_of_people(options)
    weights: dict[str, Weight] = {}
    visits, turns = sizes_of(options, full=(5, 11), quick=(1, 3), smoke=(1, 0))
    loads: Loads = {"visitor": {}, "learner": {}}
    costs: dict[str, dict[str, Cost]] = {}
    plain_ms = 0.0
    with OwnSite() as site:
        if options.only_load:
            set_up(site)
        else:
            paths = [SMALLEST] if options.run == "smoke" else PAGES
            weights = measure(site, paths, visits=visits)
        if turns:
            people = make_people()
            cookie = f"sessionid={browser_of(people['member']).cookies['sessionid'].value}"
            loads, plain_ms = measure_load(site, cookie, turns=turns, only=options.page)
            if not options.only_load:
                costs = measure_people(people, turns=turns, only=options.page)
    not_met = [*missed(weights), *missed_load(loads), *missed_people(costs)]
    if weights:
        print(table(weights), end="\n\n")
    if costs:
        print(people_table(costs), end="\n\n")
    if turns:
        print(load_table(loads))
        print(f"{PLAIN} itself: {plain_ms:.2f} ms of processor time")
    print("goals MISSED: " + ", ".join(not_met) if not_met else "goals met")
    numbers = {
        "command": sys.argv,
        "plain_ms": plain_ms,
        "pages": {path: asdict(one) for path, one in weights.items()},
        "people": in_json(costs),
        "load": {
            who: {path: [page.rate, page.html, times] for path, (page, times) in pages.items()}
            for who, pages in loads.items()
        },
    }
    return end(options, numbers, not_met)


def main_of_people(options: argparse.Namespace) -> int:
    """Measure each kind of page for each of the people, on the database of DATABASE_URL."""
    with tempfile.TemporaryDirectory() as folder:
        database = new_database(Path(folder)) if on_postgresql() else ""
        with OwnSite(server=NO_SERVER, database=database) as site:
            set_up(site)
            turns = sizes_of(options, full=7, quick=3, smoke=1)
            costs = measure_people(make_people(), turns=turns, only=options.page)
    not_met = missed_people(costs)
    print(people_table(costs))
    print("goals MISSED: " + ", ".join(not_met) if not_met else "goals met")
    return end(options, {"command": sys.argv, "people": in_json(costs)}, not_met)


def in_json(costs: dict[str, dict[str, Cost]]) -> dict[str, dict[str, dict[str, float]]]:
    """Return the numbers as JSON has them."""
    return {name: {who: asdict(one) for who, one in cost.items()} for name, cost in costs.items()}


if __name__ == "__main__":
    sys.exit(main())
