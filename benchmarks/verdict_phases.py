"""From a POST of code to its verdict, by phase: one at a time, and twenty at once.

Members of a class with four assignments send right NumPy code as the page's form does, over a
connection that stays open, from an address that limits count. An answer that only says that the
verdict is awaited is followed as the page does: it asks again after the time that the answer names.
"""

import json
import os
import re
import statistics
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from benchmarks import timed_processes
from benchmarks.own_site import HOME, OwnSite, own_site
from benchmarks.own_workers import keep_exercises, run_script, wait_until_prepared, workers

MEMBERS = 21  # twenty who submit, and one who reads
A_MINUTE_SECONDS = 61  # after which an account may submit twenty times again
OF_ALL = {"received", "stored", "leased", "judged", "recorded", "verdict"}
PLAIN = "/accessibility/"
PAUSE_SECONDS = 0.1
AWAITED = re.compile(r'data-ask="([^"]+)"\s+data-ask-after-ms="(\d+)"')
PHASES = (  # in words, and the two times between which it lies
    ("reached the view's process", "sent", "received"),
    ("session, limits, row: committed", "received", "stored"),
    ("leased by a worker", "stored", "leased"),
    ("judged", "leased", "judged"),
    ("recorded: committed", "judged", "recorded"),
    ("request woken", "recorded", "woken"),
    ("fragment rendered", "woken", "rendered"),
    ("answer read", "rendered", "answered"),
    ("POST to verdict in the answer", "sent", "verdict"),
)
# The exercise itself is among the four, closed: so its code is practice and needs no packs of
# its own, which a worker would draw meanwhile.
SCENE = """
import django; django.setup()
import json, sys
from datetime import timedelta
from django.conf import settings
from django.utils import timezone
from tests import factories
from quizzes.exercises.models import Exercise
from quizzes.learners.models import Learner
slug, count = sys.argv[1], int(sys.argv[2])
settings.ALLOWED_HOSTS.append("testserver")
exercise = Exercise.objects.get(course__slug="positional-encodings", slug=slug)
course = exercise.course
cohort = factories.create_class("measured", course=course)
for name in ("measured", "measured-too"):
    factories.assign(cohort, factories.create_quiz(name))
lesson = course.lessons.first()
factories.assign(cohort, lesson)
past = timezone.now() - timedelta(days=3)
factories.assign(cohort, exercise, due_at=past, closes_at=past)
cookies = []
for number in range(count):
    user = factories.create_member(cohort, f"measured-{number}").user
    browser = factories.browser_of(user)
    cookies.append({cookie.key: cookie.value for cookie in browser.cookies.values()})
print(json.dumps(cookies))
"""


class Member:
    """A browser in which a member of the class is signed in, on one connection."""

    def __init__(self, port: int, cookies: dict[str, str], address: str, path: str) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self._cookies, self._address, self._path = dict(cookies), address, path
        page = self.ask(path)
        fields = re.findall(r'<input type="hidden"\s+name="(\w+)"[^>]*?value="([^"]*)"', page)
        self._hidden = {name: value for name, value in fields if name != "key"}

    def ask(self, path: str, form: dict[str, str] | None = None, *, accept: str = "") -> str:
        """Return the page, or the answer to a form; RuntimeError for another status than 200.

        `accept`: the media type that a script or a page without one asks for; "" as htmx asks. A
        redirect is followed.
        """
        headers = {
            "Host": "localhost",
            "X-Forwarded-For": self._address,
            "Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
        }
        if accept:
            headers["Accept"] = accept
        body = None
        if form is not None:
            body = urlencode(self._hidden | form)
            headers |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "Origin": "http://localhost",
            }
        if form is not None and not accept:
            headers |= {
                "HX-Request": "true",
                "HX-Target": "verdict",
                "HX-Current-URL": f"http://localhost{path}",
            }
        self._connection.request("GET" if form is None else "POST", path, body, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        for name, value in answer.getheaders():
            if name == "Set-Cookie":
                key, _, rest = value.partition("=")
                self._cookies[key] = rest.partition(";")[0]
        if answer.status == HTTPStatus.FOUND:
            return self.ask(answer.getheader("Location") or "", accept=accept)
        if answer.status != HTTPStatus.OK:
            raise RuntimeError(f"{path} was answered {answer.status}: {text[:300]}")
        return text

    def reconnect(self) -> None:
        """Open the connection again, which the server closes after a silence."""
        self._connection.close()
        self._connection.connect()

    def submit(self, code: str, *, kind: str = "submit", path: str = "") -> dict[str, Any]:
        """Send code; return when it was sent, answered and its verdict there, and how it went.

        `path`: of another exercise than the member's own.
        """
        form = {"code": code, "kind": kind, "key": str(uuid4()), "with": "history"}
        sent = time.monotonic()
        text = self.ask(path or self._path, form)
        answered, polls = time.monotonic(), 0
        pk = re.search(r"submissions/(\d+)/", text)
        while waits := AWAITED.search(text):
            polls += 1
            time.sleep(int(waits[2]) / 1000)
            text = self.ask(f"{waits[1]}&with=history")
        if 'data-verdict="correct"' not in text or pk is None:
            raise RuntimeError(f"right code got no verdict that says so: {text[:300]}")
        return {
            "pk": int(pk[1]),
            "sent": sent,
            "answered": answered,
            "verdict": time.monotonic(),
            "polls": polls,
        }


def members_of(site: OwnSite, slug: str, count: int = MEMBERS) -> list[Member]:
    """Return members of a new class with four assignments, each at an address of their own."""
    path = f"{HOME}/exercises/{slug}/"
    cookies = json.loads(run_script(site, SCENE, slug, str(count)))
    return [
        Member(site.port, own, f"198.51.100.{number + 1}", path)
        for number, own in enumerate(cookies)
    ]


def submit_singly(members: Sequence[Member], code: str, count: int) -> list[dict[str, Any]]:
    """Return the times of submissions one after another, of members in turn."""
    times = []
    for number in range(count):
        time.sleep(PAUSE_SECONDS)
        times.append(members[number % len(members)].submit(code))
    return times


def submit_at_once(
    members: Sequence[Member], code: str, rounds: int, reader: Member
) -> tuple[list[dict[str, Any]], list[float]]:
    """Return the times of rounds in which all submit at once, and the seconds of pages meanwhile.

    The pages are a plain one that another visitor asks for again and again.
    """
    times: list[dict[str, Any]] = []
    pages: list[float] = []
    together = threading.Barrier(len(members))

    def submit(member: Member) -> dict[str, Any]:
        member.reconnect()
        together.wait()
        return member.submit(code)

    with ThreadPoolExecutor(len(members)) as pool:
        for _ in range(rounds):
            time.sleep(1.0)
            reader.reconnect()
            under_way = [pool.submit(submit, member) for member in members]
            while not all(future.done() for future in under_way):
                began = time.monotonic()
                reader.ask(PLAIN)
                pages.append(time.monotonic() - began)
                time.sleep(0.01)
            times += [future.result() for future in under_way]
    return times, pages


@dataclass(frozen=True)
class Phase:
    """Milliseconds of one phase."""

    words: str
    p50: float
    p95: float


@dataclass(frozen=True)
class PostTimes:
    """Phases in milliseconds; of the twenty at once also how it went.

    `polled`: how many of them had no verdict in the answer. `page_p50`, `page_p95`: milliseconds of
    a plain page meanwhile. `queries` of one POST, `looks` of them while it waits; `web_ms`:
    processor time of the web processes for one.
    """

    singly: tuple[Phase, ...]
    at_once: tuple[Phase, ...]
    submissions: int
    polled: int
    page_p50: float
    page_p95: float
    queries: int
    looks: int
    web_ms: float


def measure_posts(slug: str, code: str, *, singly: int, rounds: int) -> PostTimes:
    """Measure on a site of its own: so many submissions singly, and rounds of twenty at once."""
    with tempfile.TemporaryDirectory() as name:
        notes = Path(name) / "phases"
        notes.touch()
        os.environ |= {timed_processes.FILE: str(notes), "PROXY_COUNT": "1"}
        with own_site(Path(name), server=timed_processes.SERVER) as site:
            keep_exercises(site, slug)
            with workers(site, 1, command=timed_processes.COMMAND):
                wait_until_prepared(site, slug)
                members = members_of(site, slug)
                submit_singly(members, code, min(singly, len(members)))  # every thread is warm
                notes.write_text("")
                before = site.processor_seconds()
                alone = submit_singly(members, code, singly)
                web_ms = 1000 * (site.processor_seconds() - before) / singly
                queries, looks = queries_of(notes)
                time.sleep(A_MINUTE_SECONDS if rounds else 0)
                crowd, pages = submit_at_once(members[:-1], code, rounds, members[-1])
        return PostTimes(
            singly=phases_of(alone, notes),
            at_once=phases_of(crowd, notes),
            submissions=len(crowd),
            polled=sum(row["polls"] > 0 for row in crowd),
            page_p50=1000 * at_share(pages, 0.5),
            page_p95=1000 * at_share(pages, 0.95),
            queries=queries,
            looks=looks,
            web_ms=web_ms,
        )


def phases_of(times: Iterable[dict[str, Any]], notes: Path) -> tuple[Phase, ...]:
    """Return the phases of submissions, from what both processes noted."""
    rows: dict[int, dict[str, Any]] = {}
    for line in notes.read_text().splitlines():
        facts = json.loads(line)
        rows.setdefault(facts["pk"], {}).update(facts)
    whole = [rows[facts["pk"]] | facts for facts in times]
    phases = []
    for words, first, last in PHASES:
        is_of_all = last in OF_ALL  # an answer without the verdict did not wait for it
        spans = [1000 * (row[last] - row[first]) for row in whole if is_of_all or not row["polls"]]
        phases.append(Phase(words, at_share(spans, 0.5), at_share(spans, 0.95)))
    return tuple(phases)


def queries_of(notes: Path) -> tuple[int, int]:
    """Return the median number of queries of a POST, and of those while it waits."""
    facts = [json.loads(line) for line in notes.read_text().splitlines()]
    posts = [line for line in facts if "queries" in line]
    all_queries = statistics.median(post["queries"] for post in posts)
    looks = statistics.median(post["queries_woken"] - post["queries_stored"] for post in posts)
    return round(all_queries), round(looks)


def at_share(values: Iterable[float], share: float) -> float:
    """Return the value below which this share of all lies; 0 where there are none."""
    ordered = sorted(values)
    return ordered[int(share * (len(ordered) - 1))] if ordered else 0.0
