"""What the limits promise: a class behind one address, floods of posts and of dear figures.

Usage: python benchmarks/flood.py [--quick | --smoke] [--json FILE]
Starts a site of its own with one worker behind a proxy of its own making: each request names its
address in X-Forwarded-For, after a forged one. Its database is a new file of SQLite's, or where
DATABASE_URL names a PostgreSQL server (tools/with_postgres.py) a new database there. In turn:

  class    200 visitors at one address read, save a draft and check code; nobody is refused
  posts    10 000 anonymous drafts a minute, each of a new visitor, from 1 and from 20 addresses
  figures  100 requests a second for the file that costs most, from 1 and from 20 addresses

Meanwhile a learner who is signed in, at an address of the flood, reads lessons and checks code.
A minute each, 10 s with --quick, a moment with --smoke. Exit code 1 when a full run misses a goal:
the learner's pages p95 under 1 s, none of the learner's requests refused, each Check graded within
5 s, and the growth of the database within the bound of `ROWS`.
"""

import json
import os
import secrets
import statistics
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import HOME, OwnSite, own_site  # noqa: E402
from benchmarks.own_workers import (  # noqa: E402
    keep_exercises,
    run_script,
    wait_until_prepared,
    workers,
)

TABLE = "sinusoidal-table"
EXERCISE = f"{HOME}/exercises/{TABLE}/"
STEP = f"{HOME}/learn/rope/turn-instead-of-add/"
PAGES = (f"{HOME}/learn/", EXERCISE, STEP)
CODE = (ROOT / f"quizzes/content/positional-encodings/exercises/{TABLE}/reference.py").read_text()
FIGURE = "/figures/sinusoidal/full-period.json?d_model=1024&positions=45000&values=1&table=1"
CLASS, CONNECTIONS = 200, 20
POSTS_A_SECOND, FIGURES_A_SECOND = 10_000 / 60, 100
CHECK_EVERY_SECONDS = 6.0
LONG_DRAFT = "# " + "x" * 19_000 + "\n"
GOALS = {
    "page_p95_seconds": 1.0,
    "check_worst_seconds": 5.0,
    "learner_refused": 0,
    "grown_mb": 23.0,  # in a minute: the rows, a fifth more in pages, and 6 MB of SQLite's log
}
FORGET = "import django; django.setup()\nfrom django.apps import apps\n"
FORGET += "print(apps.get_model('learners', 'Budget').objects.all().delete()[0])"
PEOPLE = "import django; django.setup()\nfrom quizzes.learners.models import Learner\n"
PEOPLE += "print(Learner.objects.count())"


@dataclass
class Scene:
    """What a flood, or the class, and the learner next to it met."""

    name: str
    requests_a_minute: float = 0.0
    statuses: dict[str, int] = field(default_factory=dict)
    page_p95_seconds: float = 0.0
    page_worst_seconds: float = 0.0
    check_worst_seconds: float = 0.0
    learner_refused: int = 0
    new_learners: int = 0
    grown_mb: float = 0.0
    server_seconds: float = 0.0  # of the processor, for each second


class Browser:
    """A connection that keeps cookies and names its address, as a proxy does."""

    def __init__(self, port: int, address: str) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self.address = address
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str, str]:
        """Return status, body and where the answer leads; 599 where no answer came."""
        sender = f"10.9.8.{time.monotonic_ns() % 250}, {self.address}"
        headers = {"X-Forwarded-For": sender, "Host": "localhost", "Accept": "*/*"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        body = None
        if form is not None:
            body = urlencode(form | {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")})
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            self.connection.request("GET" if form is None else "POST", path, body, headers)
            answer = self.connection.getresponse()
            text = answer.read().decode(errors="replace")
        except (HTTPException, OSError):
            self.connection.close()
            return 599, "", ""
        for name, value in answer.getheaders():
            if name == "Set-Cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        return answer.status, text, answer.getheader("Location") or ""


class Learner:
    """A person with an account who reads lessons, and checks code every six seconds."""

    def __init__(self, port: int) -> None:
        self.browser = Browser(port, "198.51.100.0")
        self.pages, self.checks, self.refused = list[float](), list[float](), 0
        self.draft = ""
        name, password = f"ada-{uuid.uuid4().hex[:8]}", "correct horse battery"
        form = {"username": name, "email": f"{name}@example.org", "password1": password}
        self.browser.ask("/accounts/signup/")
        status = self.browser.ask("/accounts/signup/", form)[0]
        assert status == 302, f"signing up was answered {status}"

    def work(self, until: float) -> None:
        """Read and check until this time."""
        due = 0.0
        while time.monotonic() < until:
            for path in PAGES:
                began = time.monotonic()
                self.refused += self.browser.ask(path)[0] != 200
                self.pages.append(time.monotonic() - began)
            if time.monotonic() >= due:
                due = time.monotonic() + CHECK_EVERY_SECONDS
                self.checks.append(self._check())
            time.sleep(0.5)

    def _check(self) -> float:
        began = time.monotonic()
        draft = {"code": f"# {began}\n", "based_on": self.draft}
        status, text, _ = self.browser.ask(f"{EXERCISE}draft/", draft)
        self.refused += status != 200
        self.draft = json.loads(text)["token"] if status == 200 else self.draft
        form = {"code": CODE, "kind": "check", "key": str(uuid.uuid4())}
        status, _, place = self.browser.ask(EXERCISE, form)
        self.refused += status != 302
        while status == 302 and time.monotonic() - began < 60:
            text = self.browser.ask(f"{place}verdict/")[1]
            if "verdict" in text and "hx-trigger" not in text and "data-waiting" not in text:
                break
            time.sleep(0.05)
        return time.monotonic() - began


def flood(port: int, until: float, kind: str, address: str, every: float) -> Counter[str]:
    """Send a request in `every` seconds from an address, as a new visitor each time."""
    statuses, browser = Counter[str](), Browser(port, address)
    due = time.monotonic()
    while time.monotonic() < until:
        browser.cookies = {"csrftoken": secrets.token_hex(16)}  # nobody has seen this visitor
        if kind == "posts":
            status = browser.ask(f"{EXERCISE}draft/", {"code": LONG_DRAFT})[0]
        else:
            status = browser.ask(f"{FIGURE}&base={10_000 + statuses.total()}")[0]
        statuses[str(status)] += 1
        due = max(due + every, time.monotonic() - 1.0)
        time.sleep(max(0.0, due - time.monotonic()))
    return statuses


def attend(port: int, _until: float, visitors: int) -> Counter[str]:
    """Have visitors of one address work through a little, each with a browser of their own."""
    statuses = Counter[str]()
    for _ in range(visitors):
        browser = Browser(port, "203.0.113.7")
        form = {"code": CODE, "kind": "check", "key": str(uuid.uuid4())}
        statuses[str(browser.ask(EXERCISE)[0])] += 1
        for path, fields in ((STEP, {}), (f"{EXERCISE}draft/", {"code": f"{CODE}#"})):
            statuses[str(browser.ask(path, fields)[0])] += 1
        statuses[str(browser.ask(EXERCISE, form)[0])] += 1
        browser.connection.close()
    return statuses


def size_of(site: OwnSite) -> float:
    """Return the megabytes of the database and its log."""
    return (site.database_bytes() + site.log_bytes()) / 1e6


def play(
    site: OwnSite, name: str, seconds: float, job: Callable[..., Counter[str]], parts: list[Any]
) -> Scene:
    """Run a job in a thread for each of its parts, next to a learner who works."""
    run_script(site, FORGET)
    learner, statuses, lock = Learner(site.port), Counter[str](), threading.Lock()
    people, size, used = int(run_script(site, PEOPLE)), size_of(site), site.processor_seconds()
    began = time.monotonic()

    def count(part: tuple[Any, ...]) -> None:
        answers = job(site.port, began + seconds, *part)
        with lock:
            statuses.update(answers)

    threads = [threading.Thread(target=count, args=(part,)) for part in parts]
    threads.append(threading.Thread(target=learner.work, args=(began + seconds,)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - began
    return Scene(
        name=name,
        requests_a_minute=60 * statuses.total() / took,
        statuses=dict(statuses),
        page_p95_seconds=statistics.quantiles(learner.pages * 2, n=20)[-1],
        page_worst_seconds=max(learner.pages),
        check_worst_seconds=max(learner.checks, default=seconds),
        learner_refused=learner.refused,
        new_learners=int(run_script(site, PEOPLE)) - people,
        grown_mb=size_of(site) - size,
        server_seconds=(site.processor_seconds() - used) / took,
    )


def scenes(seconds: float, share: float) -> list[Scene]:
    """Return what the class, and each flood, met; `share` is the part of people and rates."""
    os.environ["PROXY_COUNT"] = "1"
    many = [f"198.51.100.{n}" for n in range(20)]
    connections, visitors = round(100 * share), round(CLASS * share / CONNECTIONS)
    every = CONNECTIONS / POSTS_A_SECOND / share
    with tempfile.TemporaryDirectory() as folder, own_site(Path(folder)) as site:
        keep_exercises(site, TABLE)
        with workers(site, 1):
            wait_until_prepared(site, TABLE)
            played = [play(site, "class", seconds, attend, [(visitors,)] * CONNECTIONS)]
            for count in (1, 20):
                posts = [("posts", many[n % count], every) for n in range(CONNECTIONS)]
                played.append(play(site, f"posts from {count}", seconds, flood, posts))
            for count in (1, 20):
                files = [("figures", many[n % count], 1.0) for n in range(connections)]
                played.append(play(site, f"figures from {count}", seconds, flood, files))
    return played


def main() -> int:
    """Print what was measured; 1 when a full run misses a goal."""
    options = parser_of(__doc__).parse_args()
    played = scenes(*sizes_of(options, full=(60.0, 1.0), quick=(10.0, 0.5), smoke=(1.5, 0.1)))
    misses = []
    for result in played:
        print(result.name)
        for name, value in asdict(result).items():
            goal = GOALS.get(name)
            is_missed = goal is not None and value > goal
            misses += [f"{result.name}: {name}"] if is_missed else []
            print(f"  {name.replace('_', ' '):22} {value}{'  MISSED' if is_missed else ''}")
    return end(options, [asdict(result) for result in played], misses)


if __name__ == "__main__":
    sys.exit(main())
