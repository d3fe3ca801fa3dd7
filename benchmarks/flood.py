"""A flood from twenty addresses, and a learner at another one who goes on working.

Usage: python benchmarks/flood.py [--quick | --smoke] [--json FILE]
Starts a site of its own with one worker behind a proxy of its own making: each request says its
address in X-Forwarded-For. Its database is a new file of SQLite's, or where DATABASE_URL names a
PostgreSQL server (tools/with_postgres.py) a new database there. Twenty addresses post drafts as
newcomers, each time without cookies but those of the page, as fast as the machine lets them.
Meanwhile a learner at another address reads lessons and hands in Checks. Five minutes, 20 s with
--quick, a moment with --smoke; exit code 1 when a full run misses a goal: pages p95 under 1 s, each
Check graded in under 5 s, at least 3 000 posts a minute, at most 2 000 new learners and 20 MB, a
refusal under 5 ms of processor time, and afterwards, a day later by the clock of the rows, all that
was never claimed is gone.
"""

import os
import re
import statistics
import sys
import tempfile
import threading
import time
import uuid
from dataclasses import asdict, dataclass, fields
from http.client import HTTPConnection, HTTPException
from pathlib import Path
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
CHECK_EVERY_SECONDS = 6.0  # as often as an address has room for, whatever others do
EXERCISE = f"{HOME}/exercises/{TABLE}/"
CODE = (ROOT / f"quizzes/content/positional-encodings/exercises/{TABLE}/reference.py").read_text()
ADDRESSES, FEW_ADDRESSES = 20, 2
SECONDS, QUICK_SECONDS, SMOKE_SECONDS = 300, 20, 1.5
REFUSALS, FEW_REFUSALS = 400, 10
LONG_DRAFT = "# " + "x" * 19_000 + "\n"
TICKS = os.sysconf("SC_CLK_TCK")
FORGET = """
import django; django.setup()
from datetime import timedelta
from django.utils import timezone
from quizzes.learners.idle_learners import forget_unclaimed_learners
from quizzes.learners.models import Budget, Learner
print(Learner.objects.count(), Budget.objects.count())
Learner.objects.update(created_at=timezone.now() - timedelta(days=1, minutes=1))
forget_unclaimed_learners()
print(Learner.objects.filter(user=None, is_claimed=False).count(), Learner.objects.count())
"""


@dataclass
class Measured:
    """What a run measured."""

    seconds: float
    posts_a_minute: float
    kept: int
    refused: int
    other_answers: int
    page_p95_seconds: float
    check_worst_seconds: float
    checks: int
    refusal_ms: float
    new_learners: int
    budget_rows: int
    grown_mb: float
    unclaimed_after_a_day: int
    claimed_after_a_day: int


GOALS = {
    "page_p95_seconds": 1.0,
    "check_worst_seconds": 5.0,
    "refusal_ms": 5.0,
    "new_learners": 2000,
    "grown_mb": 20.0,
    "unclaimed_after_a_day": 0,
}
FEWEST_POSTS = 3000


class Browser:
    """One connection that keeps cookies and says where it comes from."""

    def __init__(self, port: int, address: str) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=30)
        self.address = address
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str, str]:
        """Return status, body and where the answer leads."""
        headers = {"X-Forwarded-For": self.address, "Host": "localhost", "Accept": "*/*"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        body = None
        if form is not None:
            body = urlencode(form | {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")})
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self.connection.request("GET" if form is None else "POST", path, body, headers)
        answer = self.connection.getresponse()
        text = answer.read().decode(errors="replace")
        for name, value in answer.getheaders():
            if name == "Set-Cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        return answer.status, text, answer.getheader("Location") or ""


def flood(port: int, address: str, token: str, until: float, statuses: list[int]) -> None:
    """Post drafts as one newcomer after another."""
    browser = Browser(port, address)
    while time.monotonic() < until:
        browser.cookies = {"csrftoken": token}
        try:
            statuses.append(browser.ask(f"{EXERCISE}draft/", {"code": LONG_DRAFT})[0])
        except (HTTPException, OSError):
            browser.connection.close()


def work(port: int, until: float, pages: list[float], checks: list[float]) -> None:
    """Read lessons and hand in a Check every six seconds, as one learner does who began before."""
    browser, due = Browser(port, "192.0.2.77"), 0.0
    while time.monotonic() < until:
        for path in (f"{HOME}/learn/", EXERCISE, f"{HOME}/learn/rope/turn-instead-of-add/"):
            began = time.monotonic()
            assert browser.ask(path)[0] == 200, path
            pages.append(time.monotonic() - began)
        if time.monotonic() >= due:
            due = time.monotonic() + CHECK_EVERY_SECONDS
            checks.append(_check(browser))
        time.sleep(1.0)


def _check(browser: Browser) -> float:
    began = time.monotonic()
    form = {"code": CODE, "kind": "check", "key": str(uuid.uuid4())}
    status, _, where = browser.ask(EXERCISE, form)
    if status != 302:
        raise RuntimeError(f"a Check of the learner was answered {status}")
    while time.monotonic() - began < 60:
        text = browser.ask(f"{where}verdict/")[1]
        if "verdict" in text and not re.search(r"hx-trigger|data-waiting", text):
            return time.monotonic() - began
        time.sleep(0.05)
    return 60.0


def processor_seconds(pid: int) -> float:
    """Return what a process and its children that live have used."""
    total = 0.0
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                parts = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(folder.name) == pid or int(parts[1]) == pid:
                total += (int(parts[11]) + int(parts[12])) / TICKS
    return total


def size_of(site: OwnSite) -> float:
    """Return the megabytes of the database and its log."""
    return (site.database_bytes() + site.log_bytes()) / 1e6


def refusal_cost(site: OwnSite, token: str, posts: int) -> float:
    """Return the processor milliseconds of a refusal of an address that is refused."""
    browser = Browser(site.port, "198.51.100.1")
    before, refused = processor_seconds(site.process.pid), 0
    for _ in range(posts):
        browser.cookies = {"csrftoken": token}
        refused += browser.ask(f"{EXERCISE}draft/", {"code": LONG_DRAFT})[0] == 429
    spent = processor_seconds(site.process.pid) - before
    return 1000 * spent / max(1, refused)


def measure(seconds: float, addresses: int = ADDRESSES, refusals: int = REFUSALS) -> Measured:
    """Run the flood beside the learner."""
    os.environ["PROXY_COUNT"] = "1"
    with tempfile.TemporaryDirectory() as folder, own_site(Path(folder)) as site:
        keep_exercises(site, TABLE)
        with workers(site, 1):
            wait_until_prepared(site, TABLE)
            first = Browser(site.port, "192.0.2.77")
            first.ask(EXERCISE)
            token = first.cookies["csrftoken"]
            size, statuses = size_of(site), list[int]()
            pages, checks = list[float](), list[float]()
            until = time.monotonic() + seconds
            threads = [
                threading.Thread(
                    target=flood, args=(site.port, f"198.51.100.{n}", token, until, statuses)
                )
                for n in range(addresses)
            ]
            threads.append(threading.Thread(target=work, args=(site.port, until, pages, checks)))
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            grown = size_of(site) - size
            cost = refusal_cost(site, token, refusals)
        learners, budgets, left, claimed = map(int, run_script(site, FORGET).split())
    refused, kept = statuses.count(429), statuses.count(200)
    return Measured(
        seconds=seconds,
        posts_a_minute=60 * len(statuses) / seconds,
        kept=kept,
        refused=refused,
        other_answers=len(statuses) - kept - refused,
        page_p95_seconds=statistics.quantiles(pages, n=20)[-1],
        check_worst_seconds=max(checks),
        checks=len(checks),
        refusal_ms=cost,
        new_learners=learners,
        budget_rows=budgets,
        grown_mb=grown,
        unclaimed_after_a_day=left,
        claimed_after_a_day=claimed,
    )


def main() -> int:
    """Print what was measured; 1 when a full run misses a goal."""
    options = parser_of(__doc__).parse_args()
    few = (SMOKE_SECONDS, FEW_ADDRESSES, FEW_REFUSALS)
    found = measure(*sizes_of(options, full=(SECONDS,), quick=(QUICK_SECONDS,), smoke=few))
    missed = []
    for field in fields(found):
        value = getattr(found, field.name)
        goal = GOALS.get(field.name)
        late = goal is not None and value > goal
        missed += [field.name] if late else []
        told = "" if goal is None else f"  (at most {goal}{', MISSED' if late else ''})"
        print(f"{field.name.replace('_', ' '):24} {value:10.2f}{told}")
    if found.posts_a_minute < FEWEST_POSTS:
        missed.append("posts_a_minute")
        print(f"posts a minute: at least {FEWEST_POSTS}, MISSED")
    return end(options, asdict(found), missed)


if __name__ == "__main__":
    sys.exit(main())
