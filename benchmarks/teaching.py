"""What teaching a class costs: marks, downloads, and pages beside a large site.

Usage: python benchmarks/teaching.py [--quick | --smoke] [--regrades] [--json FILE]
       python tools/with_postgres.py python benchmarks/teaching.py
The database is a new file of SQLite's, or where DATABASE_URL names a PostgreSQL server a new
database there. A class of 200 members has 20 assignments: 10 quizzes of 10 questions with 3
attempts each, 8 exercises with 10 Submits each, 2 lessons. All calls and requests are made in this
process. A time is the processor's, the database's work included: on SQLite it is this process's,
on PostgreSQL that of this process and of the server's process for its connection, where both are on
one machine, and wall time where they are not. Every number is the median of five (of three for
downloads).

1. `marks(cohort)`: under 0.5 s and at most 8 queries; and for a class of 2000, at most 12 times
   that, with as many queries.
2. Downloads of the class of 200, to the last byte: under 5 s each.
3. Every page of the class on a site that has only that class, then with 10 000 learners, 200 000
   responses and 100 000 submissions of others beside it: at most twice its time, and at most
   300 ms. Of times below 5 ms the noise is larger, so they count as 5 ms.
4. A wrong key in a quiz of 20 questions that all 200 took three times: the page that previews its
   regrade, applying it and undoing it, and the quiz's items: a page under 300 ms, a deed under
   1 s. `--regrades` measures these alone.

--quick: a class of 30 and one of 300, and a tenth of the site; the same bounds. --smoke: the marks
of a class of two.
"""

import os
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.bulk_site import (  # noqa: E402
    ATTEMPTS,
    EXERCISES,
    LESSONS,
    QUICK,
    QUIZZES,
    REPORT,
    SHORT_REPORT,
    Site,
    Sizes,
    open_database,
    settle,
)
from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import database_in  # noqa: E402
from benchmarks.processor_time import counted, measure_pages, seconds_of  # noqa: E402
from tests.databases import on_postgresql  # noqa: E402

MOST_SECONDS, MOST_TIMES_LARGE, MOST_QUERIES = 0.5, 12, 8
MOST_DOWNLOAD, MOST_DEED = 5.0, 1.0
MOST_PAGE, MOST_TIMES_PAGE, TOO_QUICK = 0.3, 2.0, 0.005
LONG_QUIZ = 20
SMOKE = Sizes(members=2)


@dataclass
class Found:
    """All that was measured, in seconds."""

    database: str
    sizes: dict[str, int]
    marks: float = 0.0
    marks_queries: int = 0
    marks_large: float = 0.0
    marks_large_queries: int = 0
    downloads: dict[str, float] = field(default_factory=dict)
    pages: dict[str, float] = field(default_factory=dict)
    pages_beside: dict[str, float] = field(default_factory=dict)
    regrades: dict[str, float] = field(default_factory=dict)

    def failures(self) -> list[str]:
        """Return what missed its goal, in words."""
        said = []
        if self.marks > MOST_SECONDS or self.marks_queries > MOST_QUERIES:
            said.append(f"marks: {self.marks:.3f} s, {self.marks_queries} queries")
        if self.marks_large > MOST_TIMES_LARGE * max(self.marks, TOO_QUICK):
            said.append(f"marks of the large class: {self.marks_large / self.marks:.1f} times")
        if self.marks_large_queries not in {0, self.marks_queries}:
            said.append(f"marks of the large class: {self.marks_large_queries} queries")
        said += [f"{n}: {s:.2f} s" for n, s in self.downloads.items() if s > MOST_DOWNLOAD]
        for name, seconds in self.pages_beside.items():
            times = seconds / max(self.pages[name], TOO_QUICK)
            if times > MOST_TIMES_PAGE or seconds > MOST_PAGE:
                said.append(f"{name}: {1000 * seconds:.0f} ms, {times:.1f} times")
        for name, seconds in self.regrades.items():
            if seconds > (MOST_PAGE if name.endswith("page") else MOST_DEED):
                said.append(f"{name}: {1000 * seconds:.0f} ms")
        return said


def measure_marks(cohort: Any) -> tuple[float, int]:
    from quizzes.classes.marks import marks

    with counted() as asked:
        found = marks(cohort)
    assert all(len(one.cells) == QUIZZES + EXERCISES + LESSONS for one in found.members)
    return seconds_of(lambda: [one.total for one in marks(cohort).members]), len(asked)


def pages_of(cohort: Any, member: Any) -> dict[str, str]:
    """Return the addresses of the class's pages by name."""
    start = f"/teach/classes/{cohort.slug}/"
    quiz = cohort.assignments.order_by("place").first()
    return {
        "classes": "/teach/classes/",
        "a class": start,
        "people": f"{start}people/",
        "a member": f"{start}people/{member.pk}/",
        "assignments": f"{start}assignments/",
        "an assignment": f"{start}assignments/{quiz.pk}/",
        "exceptions": f"{start}assignments/{quiz.pk}/exceptions/",
        "marks": f"{start}marks/",
        "a mark": f"{start}marks/{quiz.pk}/{member.pk}/",
        "attempts": f"{start}attempts/",
        "submissions": f"{start}submissions/",
        "results": f"{start}results/",
        "downloads": f"{start}exports/",
    }


def measure_regrades(site: Site, cohort: Any, user: Any) -> dict[str, float]:
    """Put a wrong key right in a quiz of 20 questions, and back, as often as is measured."""
    from django.test import Client

    from quizzes.classes.assignments import save_assignment
    from quizzes.classes.models import Assignment
    from quizzes.learners.models import Learner
    from quizzes.regrades.answers import Rule, Wish, plan_answers
    from quizzes.regrades.apply import apply_answers
    from quizzes.regrades.undo import undo_answers
    from quizzes.teaching.regrade.access import scope_of

    quiz = site.add_quiz("long", LONG_QUIZ)
    work = Assignment(
        cohort=cohort,
        quiz=quiz,
        points=Decimal(10),
        opens_at=site.now - timedelta(days=15),
        closes_at=site.now + timedelta(days=5),
        is_visible=True,
    )
    save_assignment(assignment=work, by=None)
    students = Learner.objects.filter(
        user__class_memberships__cohort=cohort, user__class_memberships__role="student"
    )
    site.add_attempts(list(students), quiz, work.sitting, ATTEMPTS)
    before, _ = site.asked[quiz.pk][0]
    after, _ = site.publish(before.question, 2)
    settle()
    wish = Wish(
        before.question, before, after, Rule.NEW_KEY, as_of=site.now, scope=scope_of(cohort)
    )
    plan = plan_answers(wish)
    say(f"a regrade of {len(plan.changes)} of {plan.looked_at} answers")
    taken: dict[str, list[float]] = {"apply": [], "undo": []}
    clock = time.perf_counter if on_postgresql() else time.process_time
    for _ in range(6):  # the first compiles and imports
        digest, began = plan_answers(wish).digest, clock()
        regrade = apply_answers(wish, digest=digest, note="The key was wrong.", by=user)
        applied = clock()
        undo_answers(regrade, by=user, scope=wish.scope)
        taken["apply"].append(applied - began)
        taken["undo"].append(clock() - applied)
    found = {f"regrade: {name}": statistics.median(all_[1:]) for name, all_ in taken.items()}
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    start = f"/teach/courses/{site.course.slug}/questions/{before.question.slug}/regrade/"
    addresses = {
        "regrade: preview page": f"{start}?version=1&rule=new_key&class={cohort.slug}",
        "items page": f"/teach/classes/{cohort.slug}/results/?quiz={quiz.slug}&attempts=all",
    }
    for name, address in addresses.items():

        def ask(address: str = address) -> None:
            assert client.get(address).status_code == 200, address

        found[name] = seconds_of(ask)
    for name, seconds in found.items():
        say(f"{name}: {1000 * seconds:.0f} ms")
    return found


def measure_downloads(cohort: Any, user: Any) -> dict[str, float]:
    from django.test import Client

    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")

    def load(name: str) -> None:
        answer = client.get(f"/teach/classes/{cohort.slug}/{name}")
        assert sum(map(len, answer.streaming_content)) > 100  # type: ignore[attr-defined]

    names = ("marks.csv", "marks.csv?as=canvas", "responses.csv", "submissions.zip")
    return {name: seconds_of(lambda name=name: load(name), 3) for name in names}  # type: ignore[misc]


def measure(sizes: Sizes, *, regrades_alone: bool = False, marks_alone: bool = False) -> Found:
    """Make the site and measure all of it, or what a wrong key costs, or the marks of a class."""
    from django.db import connection

    open_database()
    found = Found(connection.vendor, asdict(sizes))
    site = Site()
    cohort, teacher, student = site.add_class("small", sizes.members, REPORT)
    settle()
    if regrades_alone:
        found.regrades = measure_regrades(site, cohort, teacher.user)
        return found
    found.marks, found.marks_queries = measure_marks(cohort)
    say(f"marks of {sizes.members}: {found.marks:.3f} s, {found.marks_queries} queries")
    if marks_alone:
        return found
    pages = pages_of(cohort, student)
    found.downloads = measure_downloads(cohort, teacher.user)
    for name, seconds in found.downloads.items():
        say(f"{name}: {seconds:.2f} s")
    found.pages = measure_pages(pages, teacher.user)
    site.add_others(sizes)
    settle()
    found.pages_beside = measure_pages(pages, teacher.user)
    for name, seconds in found.pages_beside.items():
        before = found.pages[name]
        say(f"{name}: {1000 * before:.0f} ms, beside others {1000 * seconds:.0f} ms")
    found.regrades = measure_regrades(site, cohort, teacher.user)
    large, _, _ = site.add_class("large", sizes.large, SHORT_REPORT)
    settle()
    found.marks_large, found.marks_large_queries = measure_marks(large)
    say(f"marks of {sizes.large}: {found.marks_large:.3f} s, {found.marks_large_queries} queries")
    return found


def say(words: str) -> None:
    print(words, flush=True)


def main() -> None:
    """Measure, print, and end with 1 where a full run misses a goal."""
    parser = parser_of(__doc__)
    parser.add_argument("--regrades", action="store_true", help="measure what a wrong key costs")
    options = parser.parse_args()
    sizes = sizes_of(options, full=Sizes(), quick=QUICK, smoke=SMOKE)
    with tempfile.TemporaryDirectory(prefix="ordinal-benchmark-") as folder:
        os.environ["DATABASE_URL"] = database_in(Path(folder))
        found = measure(sizes, regrades_alone=options.regrades, marks_alone=sizes is SMOKE)
    for words in found.failures():
        print(f"missed: {words}")
    sys.exit(end(options, asdict(found), found.failures()))


if __name__ == "__main__":
    main()
