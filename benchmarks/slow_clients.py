"""Web servers beside slow clients: the site's own server and the alternatives to it.

Usage: python benchmarks/slow_clients.py [--quick | --smoke] [--json FILE]
Starts one site (database, static files) on loopback and, over it, each server with two processes of
four threads: the site's own and the one that it had before (gunicorn's threads, one for a
connection while it talks). --smoke: the site's own, beside two slow clients of each kind.
They take turns, round by round, so that a busy minute of the machine hits all. The middle of
the rounds is printed; of answers to /healthz, all rounds are counted and the slowest is printed.

What is measured
  at rest   memory of all processes of a server after a few pages: RSS added up, and PSS
  quiet     lesson pages a second and p95 with four clients, /healthz a second with two
  beside    /healthz, one after another, and lesson pages' p95 with two clients, beside slow ones:
            idle, half-sent headers, bodies that never end
  waits     the same beside slow bodies while four learners submit code again and again and no
            worker grades it, so that each submission waits 0.3 s for its verdict where it may
A request that takes two seconds has failed, and counts as two seconds.
"""

import os
import re
import statistics
import sys
import threading
import time
import urllib.parse
import urllib.request
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPException
from http.cookiejar import CookieJar
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import HOME, SERVER, OwnSite  # noqa: E402
from benchmarks.slow_connections import SlowConnections  # noqa: E402

PAGES = (
    f"{HOME}/learn/why-order/equivariance/",
    f"{HOME}/learn/sinusoidal-values/seeing-it/",
    f"{HOME}/learn/sinusoidal-values/order-blindness/",
    f"{HOME}/deep-dive/4/",
)
EXERCISE = f"{HOME}/exercises/sinusoidal-table/"
PATIENCE_SECONDS = 2.0
SETTLE_SECONDS = 1.0
OURS, BEFORE = "ours", "gthread, before"
GOAL_SECONDS = 1.0


@dataclass(frozen=True)
class Load:
    """How long pages are read each time, how often /healthz is asked, beside whom."""

    seconds: float
    asked: int
    kinds: tuple[tuple[str, ...], ...]
    most_clients: int = 1000


TOGETHER = ("idle", "header", "body")
FULL = Load(3.0, 8, (("idle",), ("header",), ("body",), TOGETHER))
QUICK = Load(1.0, 2, (TOGETHER,))
SMOKE = Load(0.2, 1, (TOGETHER,), most_clients=2)


@dataclass(frozen=True)
class Figures:
    """What one round found about one server; seconds, megabytes, requests a second."""

    rss: float
    pss: float
    pages_a_second: float
    pages_p95: float
    health_a_second: float
    beside: dict[str, tuple[int, float, float]]  # /healthz answered, the slowest, pages' p95


def main() -> int:
    """Measure, print, and return 1 when the site's own server misses its goal in a full run."""
    parser = parser_of(__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=200, help="slow clients of each kind")
    options = parser.parse_args()
    rounds = sizes_of(options, full=options.rounds, quick=1, smoke=1)
    load = sizes_of(options, full=FULL, quick=QUICK, smoke=SMOKE)
    found: dict[str, list[Figures]] = {}
    with servers(_others(options)) as sites:
        for number in range(rounds):
            for name, site in sites.items():
                print(f"round {number + 1} of {rounds}: {name}", file=sys.stderr)
                figures = measure(site, load, count=min(options.count, load.most_clients))
                found.setdefault(name, []).append(figures)
    asked = rounds * load.asked
    print(table(found, asked))
    rounds_of = {name: [asdict(one) for one in all_] for name, all_ in found.items()}
    numbers = {"command": sys.argv, "rounds": rounds_of}
    return end(options, numbers, missed(found[OURS], asked))


def _others(options: Namespace) -> dict[str, tuple[str, ...]]:
    """Return the commands of the other servers."""
    if options.run == "smoke":
        return {}
    return {BEFORE: (*SERVER, "--worker-class", "gthread")}


@contextmanager
def servers(commands: dict[str, tuple[str, ...]]) -> Iterator[dict[str, OwnSite]]:
    """Start every server over one database; idle ones cost memory and nothing else."""
    with ExitStack() as stack:
        own = stack.enter_context(OwnSite())
        others = {
            name: stack.enter_context(OwnSite(server=command, beside=own))
            for name, command in commands.items()
        }
        yield {OURS: own, **others}


def measure(site: OwnSite, load: Load, *, count: int) -> Figures:
    """Measure one server once."""
    seconds = load.seconds
    read(site, PAGES, clients=4, seconds=0.5)  # figures are drawn, connections to the database made
    time.sleep(0.5)
    rss, pss = memory_of(site.process.pid)
    pages = read(site, PAGES, clients=4, seconds=seconds)
    health = read(site, ("/healthz",), clients=2, seconds=seconds / 2)
    beside = {}
    for names in load.kinds:
        with SlowConnections(site.port, *names, count=count):
            beside[" + ".join(names)] = beside_them(site, load)
    with SlowConnections(site.port, "body", count=count), submitters(site, 4):
        beside["body, and waits for verdicts"] = beside_them(site, load)
    return Figures(
        rss=rss,
        pss=pss,
        pages_a_second=len(pages) / seconds,
        pages_p95=p95(pages),
        health_a_second=len(health) / (seconds / 2),
        beside=beside,
    )


def beside_them(site: OwnSite, load: Load) -> tuple[int, float, float]:
    """Return how many /healthz were answered, the slowest, and pages' p95."""
    time.sleep(SETTLE_SECONDS)  # until the slow clients are connected
    asked = [ask(site.port, "/healthz") for _ in range(load.asked)]
    pages = read(site, PAGES, clients=2, seconds=load.seconds)
    return sum(one < PATIENCE_SECONDS for one in asked), max(asked), p95(pages)


def read(site: OwnSite, paths: tuple[str, ...], *, clients: int, seconds: float) -> list[float]:
    """Have clients ask for `paths` in turn for a while; return how long each answer took."""
    took: list[float] = []
    deadline = time.monotonic() + seconds

    def client(number: int) -> None:
        while time.monotonic() < deadline:
            took.append(ask(site.port, paths[number % len(paths)]))
            number += 1

    together([lambda number=number: client(number) for number in range(clients)])
    return took


def ask(port: int, path: str) -> float:
    """Return the seconds until the whole answer is there; PATIENCE_SECONDS when it is not."""
    began = time.monotonic()
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        answer.read()
    except (OSError, HTTPException):
        return PATIENCE_SECONDS
    finally:
        connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}")
    return min(time.monotonic() - began, PATIENCE_SECONDS)


@contextmanager
def submitters(site: OwnSite, count: int) -> Iterator[None]:
    """Have learners submit code, each as a new visitor, until the end."""
    stopped = threading.Event()

    def learner() -> None:
        while not stopped.wait(0.1):
            try:
                submit(site)
            except (OSError, HTTPException):
                continue  # a server that is stopped by slow clients takes no code either

    threads = [threading.Thread(target=learner) for _ in range(count)]
    for thread in threads:
        thread.start()
    yield
    stopped.set()
    for thread in threads:
        thread.join()


def submit(site: OwnSite) -> None:
    cookies = urllib.request.HTTPCookieProcessor(CookieJar())
    opener = urllib.request.build_opener(cookies)
    with opener.open(f"{site.url}{EXERCISE}", timeout=PATIENCE_SECONDS) as answer:
        page = answer.read().decode()
    fields = dict(re.findall(r'name="(csrfmiddlewaretoken|key)"[^>]*value="([^"]+)"', page))
    form = urllib.parse.urlencode({**fields, "code": "x = 1", "kind": "submit"}).encode()
    headers = {"HX-Request": "true"}
    request = urllib.request.Request(f"{site.url}{EXERCISE}", form, headers)
    with opener.open(request, timeout=PATIENCE_SECONDS) as answer:
        answer.read()


def together(actions: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=action) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def memory_of(pid: int) -> tuple[float, float]:
    """Return RSS and PSS of a process and all below it, in megabytes."""
    text = "".join(Path(f"/proc/{one}/smaps_rollup").read_text() for one in family_of(pid))
    sizes = {
        name: sum(int(size) for size in re.findall(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE))
        for name in ("Rss", "Pss")
    }
    return sizes["Rss"] / 1000, sizes["Pss"] / 1000


def family_of(pid: int) -> list[int]:
    below = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for file in below for child in file.read_text().split()]
    return [pid, *(deeper for child in children for deeper in family_of(child))]


def p95(took: list[float]) -> float:
    return sorted(took)[int(0.95 * (len(took) - 1))]


def missed(rounds: list[Figures], asked: int) -> list[str]:
    """Return beside whom /healthz or the pages' p95 took a second or more."""
    return [
        kind
        for kind in rounds[0].beside
        for answered, slowest, p95_ in [_beside(rounds, kind)]
        if answered < asked or max(slowest, p95_) >= GOAL_SECONDS
    ]


def _beside(rounds: list[Figures], kind: str) -> tuple[int, float, float]:
    answered, slowest, p95s = zip(*(one.beside[kind] for one in rounds), strict=True)
    return sum(answered), max(slowest), statistics.median(p95s)


def table(found: dict[str, list[Figures]], asked: int) -> str:
    """Return the numbers as a Markdown table, a column a server."""
    rows = {
        "at rest, RSS (PSS), MB": [
            f"{middle(one, 'rss'):.0f} ({middle(one, 'pss'):.0f})" for one in found.values()
        ],
        "lesson pages a second (p95, ms), 4 clients": [
            f"{middle(one, 'pages_a_second'):.1f} ({1000 * middle(one, 'pages_p95'):.0f})"
            for one in found.values()
        ],
        "`/healthz` a second, 2 clients": [
            f"{middle(one, 'health_a_second'):.0f}" for one in found.values()
        ],
    }
    for kind in next(iter(found.values()))[0].beside:
        rows[f"beside {kind}"] = [
            f"{answered} of {asked}, {1000 * slowest:.0f}; {1000 * p95_:.0f}"
            for answered, slowest, p95_ in (_beside(one, kind) for one in found.values())
        ]
    lines = [
        f"| | {' | '.join(found)} |",
        f"|---|{'--:|' * len(found)}",
        *(f"| {name} | {' | '.join(cells)} |" for name, cells in rows.items()),
        "",
        "beside: /healthz answered, the slowest in ms; p95 of lesson pages in ms",
    ]
    return "\n".join(lines)


def middle(rounds: list[Figures], name: str) -> float:
    return statistics.median(float(getattr(one, name)) for one in rounds)


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
