"""What the limits promise: a class behind one address, floods of posts and of dear figures.

Usage: python benchmarks/flood.py [--quick | --smoke] [--json FILE]
Starts a site of its own with one worker behind a proxy of its own making: each request names its
address in X-Forwarded-For, after a forged one. Its database is a new file of SQLite's, or where
DATABASE_URL names a PostgreSQL server (tools/with_postgres.py) a new database there. In turn:

  class    200 people at one address read, move a slider, save a draft and check code; then 200 who
           sign up first; nobody is refused
  posts    10 000 anonymous drafts a minute, each of a new visitor, from 1 and from 20 addresses
  figures  100 requests a second for the file that costs most, from 1 and from 20 addresses

Two more work meanwhile: one with an account, at an address of the flood, and one who began without
an account before it, at another. They read lessons, move sliders and check code. Floods run in a
process of their own with the lowest priority. A minute each, 10 s with --quick; --smoke has a
moment of the last of each kind. Exit code 1 when a full run misses a goal: nobody of a class and
neither of the two is refused anything; beside floods, pages of the one with an account have a p95
under 1 s, each of its Checks is graded within 5 s, and the database grows within `ROWS`.
"""

import json
import os
import secrets
import statistics
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import HOME, OwnSite, own_site  # noqa: E402
from benchmarks.own_workers import keep_exercises, wait_until_prepared, workers  # noqa: E402
from tests.databases import ask_number, execute  # noqa: E402

TABLE = "sinusoidal-table"
EXERCISE = f"{HOME}/exercises/{TABLE}/"
STEP = f"{HOME}/learn/rope/turn-instead-of-add/"
PAGES = (f"{HOME}/learn/", EXERCISE, STEP)
CODE = (ROOT / f"quizzes/content/positional-encodings/exercises/{TABLE}/reference.py").read_text()
FIGURE = "/figures/sinusoidal/full-period.json?d_model=1024&positions=45000&values=1&table=1"
CLASS, CONNECTIONS = 200, 40
POSTS_A_SECOND, FIGURES_A_SECOND = 10_000 / 60, 100
CHECK_EVERY_SECONDS = 6.0
LONG_DRAFT = "# " + "x" * 19_000 + "\n"
SLIDER = "/figures/sinusoidal/heatmap.json?d_model=62&positions=40&base={}"
OF_CLASSES = {"crowd_refused": 0, "account_refused": 0, "visitor_refused": 0}
OF_FLOODS = {
    "account_refused": 0,
    "visitor_refused": 0,
    "page_p95_s": 1.0,
    "check_worst_s": 5.0,
    "grown_mb": 23.0,  # in a minute: the rows, a fifth more in pages, and 6 MB of SQLite's log
}
FORGET = "DELETE FROM learners_budget"
PEOPLE = "SELECT count(*) FROM learners_learner"


@dataclass
class Scene:
    """What a crowd met, a class or a flood, and the two who worked meanwhile."""

    name: str
    requests_a_minute: float
    crowd_answered: int
    crowd_refused: int
    other_answers: str
    account_refused: int
    account_pages: int
    page_p50_s: float
    page_p95_s: float
    page_worst_s: float
    check_worst_s: float
    visitor_refused: int
    visitor_requests: int
    new_learners: int
    grown_mb: float
    server_cores: float
    load: float

    def misses(self) -> list[str]:
        """Return the goals that it misses."""
        goals = OF_CLASSES if self.name.startswith("class") else OF_FLOODS
        return [name for name, most in goals.items() if getattr(self, name) > most]


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
        headers["Accept-Encoding"] = "gzip" if "/figures/" in path else "identity"
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
    """A person who reads lessons, moves sliders, and checks code every six seconds."""

    def __init__(self, port: int, address: str, *, has_account: bool) -> None:
        self.browser = Browser(port, address)
        self.pages, self.checks = list[float](), list[float]()
        self.requests = self.refused = 0
        self.draft = ""
        self.browser.ask(EXERCISE)
        status = sign_up(self.browser) if has_account else self.browser.ask(STEP, {})[0]
        assert status in {200, 302}, f"the first post was answered {status}"

    def work(self, until: float) -> None:
        """Read and check until this time."""
        due = 0.0
        while time.monotonic() < until:
            self._ask(SLIDER.format(10_000 + self.requests))
            for path in PAGES:
                began = time.monotonic()
                self._ask(path)
                self.pages.append(time.monotonic() - began)
            if time.monotonic() >= due:
                due = time.monotonic() + CHECK_EVERY_SECONDS
                self.checks.append(self._check())
            time.sleep(0.5)

    def _ask(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str, str]:
        answer = self.browser.ask(path, form)
        self.requests += 1
        self.refused += answer[0] not in {200, 302}
        return answer

    def _check(self) -> float:
        began = time.monotonic()
        draft = {"code": f"# {began}\n", "based_on": self.draft}
        status, text, _ = self._ask(f"{EXERCISE}draft/", draft)
        self.draft = json.loads(text)["token"] if status == 200 else self.draft
        form = {"code": CODE, "kind": "check", "key": str(uuid.uuid4())}
        status, _, place = self._ask(EXERCISE, form)
        while status == 302 and time.monotonic() - began < 60:
            text = self._ask(f"{place}verdict/")[1]
            if "verdict" in text and "hx-trigger" not in text and "data-waiting" not in text:
                break
            time.sleep(0.1)
        return time.monotonic() - began


def sign_up(browser: Browser) -> int:
    """Make an account and return the status of the answer, 302."""
    name = f"ada-{uuid.uuid4().hex[:8]}"
    form = {"username": name, "email": f"{name}@example.org", "password1": "correct horse battery"}
    browser.ask("/accounts/signup/")
    return browser.ask("/accounts/signup/", form)[0]


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


def attend(port: int, _until: float, visitors: int, sign: bool) -> Counter[str]:
    """Have visitors of one address work through a little, each with a browser of their own."""
    statuses = Counter[str]()
    for _ in range(visitors):
        browser = Browser(port, "203.0.113.7")
        form = {"code": CODE, "kind": "check", "key": str(uuid.uuid4())}
        statuses[str(browser.ask(EXERCISE)[0])] += 1
        if sign:
            statuses[str(sign_up(browser))] += 1
        for base in range(5):
            statuses[str(browser.ask(SLIDER.format(time.monotonic_ns() % 90_000 + base))[0])] += 1
        for path, fields in ((STEP, {}), (f"{EXERCISE}draft/", {"code": f"{CODE}#"})):
            statuses[str(browser.ask(path, fields)[0])] += 1
        statuses[str(browser.ask(EXERCISE, form)[0])] += 1
        browser.connection.close()
    return statuses


def crowd(
    job: Callable[..., Counter[str]], port: int, until: float, parts: list[Any]
) -> tuple[Counter[str], float]:
    """Run a job in a thread for each of its parts; return its answers and when it ended."""
    os.nice(19 - os.nice(0))
    with ThreadPoolExecutor(len(parts)) as pool:
        answers = pool.map(lambda part: job(port, until, *part), parts)
        return sum(answers, Counter[str]()), time.monotonic()


def size_of(site: OwnSite) -> float:
    """Return the megabytes of the database and its log."""
    return (site.database_bytes() + site.log_bytes()) / 1e6


def play(
    site: OwnSite, name: str, seconds: float, job: Callable[..., Counter[str]], parts: list[Any]
) -> Scene:
    """Run a crowd next to two who work."""
    execute(site.database, FORGET)
    account = Learner(site.port, "198.51.100.0", has_account=True)
    visitor = Learner(site.port, "192.0.2.9", has_account=False)
    people, size, used = ask_number(site.database, PEOPLE), size_of(site), site.processor_seconds()
    began = time.monotonic()
    until = began + seconds
    with ProcessPoolExecutor(1) as process, ThreadPoolExecutor(2) as threads:
        sent = process.submit(crowd, job, site.port, until, parts)
        for working in [threads.submit(person.work, until) for person in (account, visitor)]:
            working.result()
        statuses, ended = sent.result()
    answered = statuses["200"] + statuses["302"]
    return Scene(
        name=name,
        requests_a_minute=60 * statuses.total() / (ended - began),
        crowd_answered=answered,
        crowd_refused=statuses["429"] + statuses["503"],
        other_answers=" ".join(sorted(statuses.keys() - {"200", "302", "429", "503"})) or "none",
        account_refused=account.refused,
        account_pages=len(account.pages),
        page_p50_s=statistics.median(account.pages),
        page_p95_s=statistics.quantiles(account.pages * 2, n=20)[-1],
        page_worst_s=max(account.pages),
        check_worst_s=max(account.checks),
        visitor_refused=visitor.refused,
        visitor_requests=visitor.requests,
        new_learners=ask_number(site.database, PEOPLE) - people,
        grown_mb=size_of(site) - size,
        server_cores=(site.processor_seconds() - used) / (time.monotonic() - began),
        load=os.getloadavg()[0],
    )


def scenes(seconds: float, share: float, kinds: slice) -> list[Scene]:
    """Return what each crowd met; `share` is the part of people and rates."""
    os.environ["PROXY_COUNT"] = "1"
    many = [f"198.51.100.{n}" for n in range(20)]
    connections = min(CONNECTIONS, round(CLASS * share))
    visitors = round(CLASS * share / connections)
    files = round(FIGURES_A_SECOND * share)
    every = connections / POSTS_A_SECOND / share
    with tempfile.TemporaryDirectory() as folder, own_site(Path(folder)) as site:
        keep_exercises(site, TABLE)
        with workers(site, 1):
            wait_until_prepared(site, TABLE)
            played = []
            classes = (("class without accounts", False), ("class that signs up", True))
            for name, sign in classes[kinds]:
                parts = [(visitors, sign)] * connections
                played.append(play(site, name, seconds, attend, parts))
            for count in (1, 20)[kinds]:
                posts = [("posts", many[n % count], every) for n in range(connections)]
                played.append(play(site, f"posts from {count}", seconds, flood, posts))
            for count in (1, 20)[kinds]:
                asked = [("figures", many[n % count], 1.0) for n in range(files)]
                played.append(play(site, f"figures from {count}", seconds, flood, asked))
    return played


def main() -> int:
    """Print what was measured; 1 when a full run misses a goal."""
    options = parser_of(__doc__).parse_args()
    both, last = slice(None), slice(-1, None)
    full, quick, smoke = (60.0, 1.0, both), (10.0, 0.5, both), (0.5, 0.02, last)
    played = scenes(*sizes_of(options, full=full, quick=quick, smoke=smoke))
    print("| |", *(f"{scene.name} |" for scene in played))
    print("|---|" + "--:|" * len(played))
    for name in list(asdict(played[0]))[1:]:
        values = (getattr(scene, name) for scene in played)
        cells = (f"{value:.2f}" if isinstance(value, float) else str(value) for value in values)
        print(f"| {name.replace('_', ' ')} |", *(f"{cell} |" for cell in cells))
    misses = [f"{scene.name}: {name}" for scene in played for name in scene.misses()]
    print("missed:", "; ".join(misses) or "nothing")
    return end(options, [asdict(scene) for scene in played], misses)


if __name__ == "__main__":
    sys.exit(main())
