"""A class in its last minutes: 200 students sign in, take a timed quiz and submit code.

Usage: python benchmarks/deadline.py [--quick | --smoke] [--engine NAME] [--json FILE]
Starts a site with one worker on SQLite, then one on PostgreSQL, and stops each again. The students
sit behind one address and a proxy, and have four assignments; code is due in six hours, and the
worker has drawn the case packs that it draws before. In turn:

  sign-in  all sign in within two minutes, and come to the page of the quiz
  quiz     all start within 20 s, answer 8 questions, one in 3 s, submit and read the review
  code     each submits twice within 90 s, at random: right and wrong code in turns, and every ninth
           submission an endless loop; the page asks again as the browser does until the verdict

A table has the milliseconds of each kind of request, p50, p95 and worst: a page until it is read,
a verdict from its POST until an answer carries it. Then everything that was sent is compared with
the database: each answer, each point recomputed from the keys, each submission and its verdict.
Processor seconds are those of web server, worker and PostgreSQL with all their processes, and of
the students, who share the cores; in brackets for each of them. Memory is PSS at the end.

--quick is a quarter of the class at the same pace, --smoke three students without a pause on
SQLite. Exit code 1 when a full run misses a goal, and in any run where an answer is lost or wrong.
It runs at an older commit too: copy this file and deadline_scripts.py there.
"""

import gzip
import html
import json
import os
import random
import re
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.deadline_scripts import COMPARE, MAKE_CLASS, RESERVE  # noqa: E402
from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import COURSE, HOME, OwnSite  # noqa: E402
from benchmarks.own_workers import (  # noqa: E402
    keep_exercises,
    run_script,
    wait_until_prepared,
    workers,
)
from tools.with_postgres import postgres, programs  # noqa: E402

ENGINES = ("sqlite", "postgresql")
TABLE, QUIZ, QUESTIONS = "sinusoidal-table", "test-your-understanding", 8
EXERCISE_PAGE, QUIZ_PAGE = f"{HOME}/exercises/{TABLE}/", f"{HOME}/quiz/{QUIZ}/"
SIGN_IN_PAGE = f"/accounts/login/?next={QUIZ_PAGE}"
FOLDER = ROOT / f"quizzes/content/{COURSE}/exercises/{TABLE}"
PASSWORD, ADDRESS = "correct horse battery", "203.0.113.7"
CODES = {
    "right": (FOLDER / "reference.py").read_text(),
    "wrong": (FOLDER / "wrong/swap.py").read_text(),
    "endless": "while True:\n    pass\n",
}
VERDICTS = {"right": "correct", "wrong": "known_mistake", "endless": "limit_reached"}
PATIENCE_SECONDS = 600
IDLE_SECONDS = 10.0  # after which a connection is opened again: the server closes it after 20
SAMPLE_SECONDS = 0.5
PAGE_P95_MS, RATIO, SIGN_IN_WORST_MS = 250.0, 1.3, 3000.0
QUIZ_PAGES = ("quiz page", "questions")  # of the goals
OK = {200, 302}
FRAGMENT = {"HX-Request": "true"}

OPTION = re.compile(r'<input type="radio"\s+name="(response-\d+)"\s+value="(\d+)"')
SITTING = re.compile(r'name="sitting"\s+value="(\d+)"')
FORM_KEY = re.compile(r'name="key"\s+id="form-key"\s+value="([^"]*)"')
WAITING = re.compile(r'data-ask="([^"]+)"\s+data-ask-after-ms="(\d+)"')
VERDICT = re.compile(r'data-verdict="([^"]+)"')


@dataclass(frozen=True)
class Pace:
    """How many students, and within how many seconds they do what."""

    students: int
    sign_in: float
    start: float
    answer: float  # from one answer to the next
    code: float
    submissions: int  # of each


FULL = Pace(students=200, sign_in=120, start=20, answer=3, code=90, submissions=2)
QUICK = Pace(students=50, sign_in=30, start=5, answer=3, code=23, submissions=2)
SMOKE = Pace(students=3, sign_in=0, start=0, answer=0, code=0, submissions=1)


@dataclass
class Record:
    """What all students met and sent; their threads write into it."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    answers: dict[str, int] = field(default_factory=dict)  # option by response
    submissions: dict[str, str] = field(default_factory=dict)  # expected verdict by submission

    def note(self, kind: str, seconds: float) -> None:
        self.seconds.setdefault(kind, []).append(seconds)


class Student:
    """A person at a browser: one connection, cookies, forms."""

    def __init__(self, number: int, port: int, record: Record) -> None:
        self.name = f"student-{number}"
        self.connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self.record = record
        self.cookies: dict[str, str] = {}
        self.used = time.monotonic()
        self.draw = random.Random(number)

    def sign_in(self) -> None:
        """Sign in, and follow to the page of the quiz."""
        self._ask("sign-in page", SIGN_IN_PAGE)
        _, place = self._ask("sign-in", SIGN_IN_PAGE, {"login": self.name, "password": PASSWORD})
        self._ask("first page", place or QUIZ_PAGE)

    def take_quiz(self, pause: float) -> None:
        """Start the quiz, answer its questions, submit, and read the review."""
        page, _ = self._ask("quiz page", QUIZ_PAGE)
        sitting = SITTING.search(page)
        _, place = self._ask("start", QUIZ_PAGE, {"sitting": sitting[1] if sitting else ""})
        page, _ = self._ask("questions", place)
        options: dict[str, list[str]] = {}
        for name, value in OPTION.findall(page):
            options.setdefault(name, []).append(value)
        due = time.monotonic()
        for name, values in options.items():
            due += pause
            time.sleep(max(0.0, due - time.monotonic()))
            choice = self.draw.choice(values)
            self.record.answers[name.removeprefix("response-")] = int(choice)
            self._ask("autosave", place, {name: choice}, {"Accept": "application/json"})
        _, place = self._ask("submit", place, {"do": "submit"})
        self._ask("review", place)

    def submit_code(self, kind: str) -> None:
        """Submit code, and ask as the page does until its verdict is there."""
        page, _ = self._ask("code page", EXERCISE_PAGE)
        key = FORM_KEY.search(page)
        form = {"code": CODES[kind], "kind": "submit", "key": key[1] if key else str(uuid.uuid4())}
        began = time.monotonic()
        text, _ = self._ask("code POST", EXERCISE_PAGE, form, FRAGMENT)
        if (number := re.search(r"/submissions/(\d+)/", text)) is None:
            return  # it was refused
        self.record.submissions[number[1]] = VERDICTS[kind]
        while (waiting := WAITING.search(text)) and time.monotonic() < began + PATIENCE_SECONDS:
            time.sleep(int(waiting[2]) / 1000)
            text, _ = self._ask("poll", html.unescape(waiting[1]), None, FRAGMENT)
        label = "verdict, endless" if kind == "endless" else "verdict"
        if VERDICT.search(text):
            self.record.note(label, time.monotonic() - began)

    def _ask(
        self,
        kind: str,
        address: str,
        form: dict[str, str] | None = None,
        extra: dict[str, str] | None = None,
    ) -> tuple[str, str]:
        """Return the body and where the answer leads; note how long it took."""
        headers = {"Host": "localhost", "X-Forwarded-For": ADDRESS, "Accept-Encoding": "gzip"}
        headers |= extra or {}
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = None
        if form is not None:
            body = urlencode(form | {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")})
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        parts = urlsplit(address)
        began = time.monotonic()
        if began - self.used > IDLE_SECONDS:
            self.connection.close()
        try:
            self.connection.request(
                "GET" if form is None else "POST",
                parts._replace(scheme="", netloc="").geturl() or "/",
                body,
                headers,
            )
            answer = self.connection.getresponse()
            data = answer.read()
        except (HTTPException, OSError) as error:
            self.connection.close()
            self.record.refused[f"{kind}: {type(error).__name__}"] += 1
            return "", ""
        self.used = time.monotonic()
        self.record.note(kind, self.used - began)
        if answer.status not in OK:
            self.record.refused[f"{kind}: {answer.status}"] += 1
        for value in answer.headers.get_all("Set-Cookie") or ():
            name, _, rest = value.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        if answer.headers.get("Content-Encoding") == "gzip":
            data = gzip.decompress(data)
        return data.decode(errors="replace"), answer.headers.get("Location") or ""


def attend(student: Student, number: int, pace: Pace, gates: Sequence[threading.Barrier]) -> None:
    """Let one student do everything, each part when the class begins it."""
    share = number / pace.students

    def wait_for(part: int, moment: float) -> None:
        gates[part].wait()
        time.sleep(moment)

    wait_for(0, share * pace.sign_in)
    student.sign_in()
    gates[1].wait()
    wait_for(2, share * pace.start)
    student.take_quiz(pace.answer)
    gates[3].wait()
    moments = sorted(student.draw.uniform(0, pace.code) for _ in range(pace.submissions))
    gates[4].wait()
    began = time.monotonic()
    for turn, moment in enumerate(moments):
        time.sleep(max(0.0, began + moment - time.monotonic()))
        place = number * pace.submissions + turn
        student.submit_code("endless" if place % 9 == 4 else ("right", "wrong")[place % 2])
    gates[5].wait()


class Meter:
    """Processor seconds of processes and all below them, also of those that have ended.

    A process that is reaped leaves its time to its parent, but one of a sandbox that was killed
    leaves it to nobody. So a thread looks twice a second, and keeps what disappears.
    """

    def __init__(self, roots: dict[str, int]) -> None:
        self.roots = roots
        self.last = dict.fromkeys(roots, 0)
        self.lost = dict.fromkeys(roots, 0)
        self.lock, self.over = threading.Lock(), threading.Event()
        self.thread = threading.Thread(target=self._look_now_and_then)

    def __enter__(self) -> "Meter":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()

    def read(self) -> dict[str, float]:
        """Return the seconds so far, and those of this process, the students."""
        with self.lock:
            every = _processes()
            for name, root in self.roots.items():
                # Its own time and that of its reaped children, in user and in system mode.
                ticks = sum(sum(map(int, every[pid][11:15])) for pid in _below(root, every))
                self.lost[name] += max(0, self.last[name] - ticks)
                self.last[name] = ticks
            second = os.sysconf("SC_CLK_TCK")
            used = {name: (self.last[name] + self.lost[name]) / second for name in self.roots}
        return used | {"students": time.process_time()}

    def _look_now_and_then(self) -> None:
        while not self.over.wait(SAMPLE_SECONDS):
            self.read()


def pss_mb(root: int) -> float:
    """Return the proportional set size of a process and all below it, in MB."""
    kilobytes = 0
    for pid in _below(root, _processes()):
        with suppress(OSError):  # it has ended
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                kilobytes += int(line.split()[1]) if line.startswith("Pss:") else 0
    return kilobytes / 1024


def _processes() -> dict[int, list[str]]:
    """Return the fields of `stat` after the name, by process."""
    every: dict[int, list[str]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            every[int(path.parent.name)] = path.read_text().rpartition(")")[2].split()
    return every


def _below(root: int, every: dict[int, list[str]]) -> set[int]:
    """Return a process and all below it that live."""
    tree = {root}
    while more := {pid for pid, fields in every.items() if int(fields[1]) in tree} - tree:
        tree |= more
    return tree & every.keys()


def play(site: OwnSite, pace: Pace, roots: dict[str, int]) -> dict[str, Any]:
    """Let the class work, and return what was measured."""
    record, parts = Record(), ("sign-in", "quiz", "code")
    gates = [threading.Barrier(pace.students + 1) for _ in range(2 * len(parts))]
    processor, loads, took = {}, [], {}
    with Meter(roots) as meter, ThreadPoolExecutor(pace.students) as threads:
        working = [
            threads.submit(attend, Student(number, site.port, record), number, pace, gates)
            for number in range(pace.students)
        ]
        for part, begin, over in zip(parts, gates[::2], gates[1::2], strict=True):
            before, began = meter.read(), time.monotonic()
            begin.wait()
            over.wait()
            took[part] = time.monotonic() - began
            processor[part] = {name: now - before[name] for name, now in meter.read().items()}
            loads.append(os.getloadavg()[0])
        for work in working:
            work.result()
    sent = {"answers": record.answers, "submissions": record.submissions}
    compared = json.loads(run_script(site, COMPARE, stdin=json.dumps(sent)))
    return {
        "students": pace.students,
        "times": {kind: summary(seconds) for kind, seconds in record.seconds.items()},
        "other_answers": dict(record.refused),
        "answers_sent": len(record.answers),
        "answers_equal": compared["equal"],
        "answers_expected": pace.students * QUESTIONS,
        "submissions_sent": len(record.submissions),
        "faults": compared["faults"],
        "seconds": took,
        "processor_seconds": processor,
        "pss_mb": {name: pss_mb(pid) for name, pid in roots.items()},
        "load": max(loads),
    }


def summary(seconds: Sequence[float]) -> dict[str, float]:
    """Return the number of requests and their milliseconds: p50, p95 and the worst."""
    cuts = quantiles([*seconds, *seconds], n=20, method="inclusive")
    return {
        "count": len(seconds),
        "p50": 1000 * cuts[9],
        "p95": 1000 * cuts[18],
        "worst": 1000 * max(seconds),
    }


@contextmanager
def database_of(engine: str) -> Iterator[tuple[str, dict[str, int]]]:
    """Give the DATABASE_URL of an empty database, "" for SQLite, and its server's process."""
    if engine == "sqlite":
        yield "", {}
        return
    with postgres() as url:
        folder = parse_qs(urlsplit(url).query)["host"][0]
        pid = int((Path(folder) / "postmaster.pid").read_text().split()[0])
        yield url, {"database": pid}


def wait_for_reserve(site: OwnSite) -> None:
    """Wait until the worker has drawn the packs for work that is due soon."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while run_script(site, RESERVE).strip() != "True":
        if time.monotonic() > deadline:
            raise RuntimeError(f"the packs were not drawn within {PATIENCE_SECONDS} s")
        time.sleep(1)


def measure(engine: str, pace: Pace) -> dict[str, Any]:
    """Start a site on this engine, make its class, and let it work."""
    os.environ["PROXY_COUNT"] = "1"
    arguments = [str(pace.students), PASSWORD, COURSE, QUIZ, TABLE]
    with ExitStack() as stack:
        url, roots = stack.enter_context(database_of(engine))
        site = stack.enter_context(OwnSite(database=url))
        keep_exercises(site, TABLE)
        run_script(site, MAKE_CLASS, *arguments)
        (worker,) = stack.enter_context(workers(site, 1))
        wait_until_prepared(site, TABLE)
        wait_for_reserve(site)
        return play(site, pace, {"web": site.process.pid, "worker": worker.pid} | roots)


def misses(results: dict[str, dict[str, Any]]) -> list[str]:
    """Return a sentence for each goal that was missed."""
    said = []
    for engine, result in results.items():
        times = result["times"]
        for kind in QUIZ_PAGES:
            if times[kind]["p95"] > PAGE_P95_MS:
                said.append(f"{engine}: {kind} p95 {times[kind]['p95']:.0f} ms > {PAGE_P95_MS:.0f}")
        if (worst := times["sign-in"]["worst"]) > SIGN_IN_WORST_MS:
            said.append(f"{engine}: sign-in, worst {worst:.0f} ms > {SIGN_IN_WORST_MS:.0f}")
        if result["other_answers"]:
            said.append(f"{engine}: other answers {result['other_answers']}")
    if len(results) == len(ENGINES):
        for kind in QUIZ_PAGES:
            sqlite, other = (results[engine]["times"][kind]["p95"] for engine in ENGINES)
            if other > RATIO * sqlite:
                said.append(f"postgresql: {kind} p95 {other / sqlite:.2f} times SQLite's > {RATIO}")
    return said


def is_whole(result: dict[str, Any]) -> bool:
    """Say whether all was stored once, as it was sent, and marked as its keys say."""
    counts = {result[name] for name in ("answers_sent", "answers_equal", "answers_expected")}
    return len(counts) == 1 and not result["faults"]


def print_tables(results: dict[str, dict[str, Any]]) -> None:
    """Print what was measured, and PostgreSQL's p95 as a multiple of SQLite's."""
    heads = "".join(f"{engine:>31}" for engine in results)
    print(f"{os.cpu_count()} cores; milliseconds: number, p50, p95, worst\n{'':16}{heads}   ratio")
    for kind in next(iter(results.values()))["times"]:
        rows = [result["times"].get(kind) for result in results.values()]
        cells = "".join(
            f"{row['count']:7}{row['p50']:8.0f}{row['p95']:8.0f}{row['worst']:8.0f}"
            if row
            else f"{'-':>31}"
            for row in rows
        )
        p95 = [row["p95"] for row in rows if row]
        ratio = f"{p95[1] / p95[0]:8.2f}" if len(p95) == len(ENGINES) else ""
        print(f"{kind:16}{cells}{ratio}")
    for engine, result in results.items():
        print(
            f"\n{engine}: {result['answers_equal']} of {result['answers_expected']} answers are in"
            f" the database as sent; {result['submissions_sent']} submissions;"
            f" faults: {result['faults'] or 'none'}; other answers:"
            f" {result['other_answers'] or 'none'}; load {result['load']:.1f}"
        )
        for part, used in result["processor_seconds"].items():
            cells = ", ".join(
                f"{name} {seconds:.1f} ({seconds / result['students']:.3f})"
                for name, seconds in used.items()
            )
            print(f"  {part}: {result['seconds'][part]:.0f} s; processor seconds: {cells}")
        memory = ", ".join(f"{name} {size:.0f}" for name, size in result["pss_mb"].items())
        print(f"  PSS, MB: {memory}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--engine", choices=ENGINES, help="one of the two alone")
    options = parser.parse_args(arguments)
    pace = sizes_of(options, full=FULL, quick=QUICK, smoke=SMOKE)
    only = options.engine or sizes_of(options, full=None, quick=None, smoke="sqlite")
    if only != "sqlite":
        programs()  # says what is missing before anything is measured
    results = {engine: measure(engine, pace) for engine in ENGINES if only in {None, engine}}
    print_tables(results)
    missed = misses(results)
    print(f"\nmissed: {'; '.join(missed) or 'nothing'}")
    code = end(options, results, missed)
    return code if all(is_whole(result) for result in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
