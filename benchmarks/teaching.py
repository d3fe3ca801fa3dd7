"""What teaching a class costs: marks, downloads, and pages beside a large site.

Usage: python benchmarks/teaching.py [--quick] [--regrades] [--json FILE]
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

--quick: a class of 30 and one of 300, and a tenth of the site; the same bounds.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from tests.databases import new_database, on_postgresql  # noqa: E402

QUIZZES, QUESTIONS, ATTEMPTS, EXERCISES, SUBMITS, LESSONS = 10, 10, 3, 8, 10, 2
MOST_SECONDS, MOST_TIMES_LARGE, MOST_QUERIES = 0.5, 12, 8
MOST_DOWNLOAD, MOST_DEED = 5.0, 1.0
MOST_PAGE, MOST_TIMES_PAGE, TOO_QUICK = 0.3, 2.0, 0.005
LONG_QUIZ = 20
AT_ONCE = 5000
REPORT = {"verdict": "wrong", "stdout": "x" * 6000}  # as long as reports are
SHORT_REPORT = {"verdict": "wrong"}


@dataclass
class Sizes:
    """How many of each."""

    members: int = 200
    large: int = 2000
    learners: int = 10_000
    responses: int = 200_000
    submissions: int = 100_000


QUICK = Sizes(members=30, large=300, learners=1000, responses=20_000, submissions=10_000)


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
        if self.marks_large_queries != self.marks_queries:
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


# ---- making the class and the site


def _bulk(model: Any, rows: Iterator[Any]) -> list[Any]:
    return model.objects.bulk_create(rows, batch_size=AT_ONCE)  # type: ignore[no-any-return]


class Site:
    """A course with quizzes, exercises and lessons, whose rows are made in bulk."""

    def __init__(self) -> None:
        from django.utils import timezone

        from quizzes.courses.models import Course
        from quizzes.exercises.models import CasePack, Exercise, ExerciseVersion
        from quizzes.lessons.models import Lesson, Step

        self.now = timezone.now()
        self.names = 0
        self.course = Course.objects.create(slug="measured", title="Measured", summary="-")
        self.quizzes, self.asked = [], {}
        for quiz in range(QUIZZES):
            self.quizzes.append(self.add_quiz(f"{quiz}", QUESTIONS))
        self.exercises = []
        for number in range(EXERCISES):
            exercise = Exercise.objects.create(course=self.course, slug=f"exercise-{number}")
            version = ExerciseVersion(
                exercise=exercise,
                number=1,
                title=f"Exercise {number}",
                files={},
                content_hash=str(number),
                verification="ok",
                verified_at=self.now,
            )
            version.save()
            Exercise.objects.filter(pk=exercise.pk).update(current=version)
            pack = CasePack.objects.create(version=version, seed=number, data=b"")
            self.exercises.append((Exercise.objects.get(pk=exercise.pk), version, pack))
        self.lessons = []
        for number in range(LESSONS):
            lesson = Lesson.objects.create(
                course=self.course,
                slug=f"lesson-{number}",
                number=number + 1,
                title=f"Lesson {number}",
                summary="-",
            )
            for step in range(6):
                Step.objects.create(
                    lesson=lesson,
                    slug=f"step-{step}",
                    number=step + 1,
                    title=f"Step {step}",
                    text="Words.",
                    reading_seconds=60,
                )
            self.lessons.append(lesson)

    def add_quiz(self, name: str, questions: int) -> Any:
        """Return a quiz that nobody took yet."""
        from quizzes.assessment.models import Question, Quiz, QuizQuestion

        made = Quiz.objects.create(course=self.course, slug=f"quiz-{name}", title=f"Quiz {name}")
        self.asked[made.pk] = []
        for order in range(1, questions + 1):
            question = Question.objects.create(course=self.course, slug=f"q-{name}-{order}")
            self.asked[made.pk].append(self.publish(question))
            QuizQuestion.objects.create(quiz=made, question=question, order=order)
        return made

    def publish(self, question: Any, number: int = 1) -> tuple[Any, list[Any]]:
        """Give a question its next version, whose key is the option of that number."""
        from quizzes.assessment.models import Option, QuestionVersion

        version = QuestionVersion.objects.create(
            question=question,
            number=number,
            content_hash=str(number),
            prompt="Which?",
            step="lesson-0/step-0",
        )
        options = [
            Option.objects.create(
                version=version, order=n, text=f"option {n}", is_key=n == number, reason="So."
            )
            for n in (1, 2, 3, 4)
        ]
        question.current = version
        question.save()
        return version, options

    def learners(self, count: int) -> list[Any]:
        from quizzes.learners.models import Learner, User

        start, self.names = self.names, self.names + count
        users = _bulk(
            User,
            (
                User(username=f"u{n}", email=f"u{n}@example.org", password="!")
                for n in range(start, start + count)
            ),
        )
        return _bulk(Learner, (Learner(user=user) for user in users))

    def add_attempts(self, learners: list[Any], quiz: Any, sitting: str, times: int) -> None:
        from quizzes.assessment.models import Attempt, Response

        day = timedelta(days=1)
        asked = self.asked[quiz.pk]
        attempts = _bulk(
            Attempt,
            (
                Attempt(
                    learner=learner,
                    quiz=quiz,
                    sitting=sitting,
                    submitted_at=self.now - (times - n) * day,
                    earned=Decimal((learner.pk + n) % (len(asked) + 1)),
                    possible=Decimal(len(asked)),
                    ended_by="learner",
                )
                for learner in learners
                for n in range(times)
            ),
        )

        def responses() -> Iterator[Any]:
            for attempt in attempts:
                for order, (version, options) in enumerate(asked, start=1):
                    right = order <= attempt.earned
                    yield Response(
                        attempt=attempt,
                        order=order,
                        version=version,
                        option_order=[one.pk for one in options],
                        choice=options[0 if right else 1],
                        is_right=right,
                        score=Decimal(right),
                        answered_at=attempt.submitted_at,
                    )

        _bulk(Response, responses())

    def add_submits(self, learners: list[Any], which: int, times: int, report: Any) -> None:
        from quizzes.exercises.models import Submission

        _, version, pack = self.exercises[which]
        hour = timedelta(hours=1)
        _bulk(
            Submission,
            (
                Submission(
                    exercise_version=version,
                    learner=learner,
                    kind="submit",
                    code="x = 1\n" * 40,
                    submitted_at=self.now - (times - n) * hour,
                    scheduled_for=self.now,
                    graded_at=self.now,
                    verdict="correct" if (learner.pk + n) % 7 == 0 else "wrong",
                    report=report,
                    cases_passed=(learner.pk + n) % 9,
                    cases_total=9,
                    pack=pack,
                    tries_used=1,
                )
                for learner in learners
                for n in range(times)
            ),
        )

    def add_class(self, slug: str, size: int, report: Any) -> tuple[Any, Any, Any]:
        """Return a class with all its work, an instructor and a student."""
        from quizzes.classes.assignments import save_assignment
        from quizzes.classes.models import Assignment, Cohort, Membership
        from quizzes.learners.models import Progress

        today, day = self.now.date(), timedelta(days=1)
        cohort = Cohort.objects.create(
            course=self.course,
            slug=slug,
            title=slug,
            begins_on=today - 30 * day,
            ends_on=today + 60 * day,
            timezone="Europe/Vienna",
            join_code=f"{slug[:4].upper()}{size:04d}"[:8],
        )
        learners = self.learners(size + 1)
        joined = self.now - 20 * day
        members = _bulk(
            Membership,
            (
                Membership(
                    cohort=cohort,
                    user=one.user,
                    name=f"Member {number}",
                    email=one.user.email,
                    role="student" if number else "instructor",
                    state="active",
                    joined_at=joined,
                    section=f"S{number % 4}",
                )
                for number, one in enumerate(learners)
            ),
        )
        students = learners[1:]
        things = [("quiz", one) for one in self.quizzes]
        things += [("exercise", one) for one, _, _ in self.exercises]
        things += [("lesson", one) for one in self.lessons]
        for kind, thing in things:
            made = Assignment(
                cohort=cohort,
                points=Decimal(10),
                opens_at=self.now - 15 * day,
                due_at=self.now - 2 * day,
                closes_at=self.now + 5 * day,
                is_visible=True,
                late_percent_per_day=0 if kind == "lesson" else 10,
                exercise_counts="cases" if kind == "exercise" else "solved",
                **{kind: thing},
            )
            save_assignment(assignment=made, by=None)
            if kind == "quiz":
                self.add_attempts(students, thing, made.sitting, ATTEMPTS)
        for which in range(EXERCISES):
            self.add_submits(students, which, SUBMITS, report)
        _bulk(
            Progress,
            (
                Progress(
                    learner=one,
                    course=self.course,
                    kind="step",
                    slug=f"lesson-{lesson}/step-{step}",
                    state="done",
                    done_at=self.now - 5 * day,
                )
                for one in students
                for lesson in range(LESSONS)
                for step in range(4)
            ),
        )
        return cohort, members[0], members[1]

    def add_others(self, sizes: Sizes) -> None:
        """Add learners of no class with their work."""
        others = self.learners(sizes.learners)
        every = max(1, sizes.responses // QUESTIONS // len(self.quizzes))
        for place, quiz in enumerate(self.quizzes):
            chosen = others[place :: len(self.quizzes)] * (1 + every // max(1, len(others)))
            self.add_attempts((chosen * 10)[:every], quiz, "", 1)
        each = max(1, sizes.submissions // EXERCISES)
        for which in range(EXERCISES):
            self.add_submits((others * (1 + each // len(others)))[:each], which, 1, SHORT_REPORT)


# ---- measuring


def seconds_of(call: Callable[[], object], times: int = 5) -> float:
    """Return the median of processor time; see above."""
    clock = _server_clock() if on_postgresql() else time.process_time
    call()  # whatever is compiled or imported once
    taken = []
    for _ in range(times):
        began = clock()
        call()
        taken.append(clock() - began)
    return statistics.median(taken)


def _server_clock() -> Callable[[], float]:
    """Return a clock of this process and of the server's for its connection, else wall time."""
    from django.db import connection

    with connection.cursor() as cursor:  # parallel queries would work in processes of their own
        cursor.execute("SET max_parallel_workers_per_gather = 0")
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    spent = Path(f"/proc/{pid}/schedstat")
    if "postgres" not in _name_of(pid):
        return time.perf_counter
    return lambda: time.process_time() + int(spent.read_text().split()[0]) / 1e9


def _name_of(pid: int) -> str:
    """Return the name of a process of this machine, "" where there is none."""
    try:
        return Path(f"/proc/{pid}/comm").read_text()
    except OSError:
        return ""


@contextmanager
def counted() -> Iterator[list[Any]]:
    """Collect the queries of a block."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    found: list[Any] = []
    with CaptureQueriesContext(connection) as asked:
        yield found
    found.extend(asked)


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


def measure_pages(pages: dict[str, str], user: Any) -> dict[str, float]:
    from django.test import Client

    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")

    def ask(path: str) -> None:
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)

    return {name: seconds_of(lambda path=path: ask(path)) for name, path in pages.items()}  # type: ignore[misc]


def measure_regrades(site: Site, cohort: Any, user: Any) -> dict[str, float]:
    """Put a wrong key right in a quiz of 20 questions, and back, as often as is measured."""
    from django.test import Client

    from quizzes.assessment.regrades.plan import Wish, plan
    from quizzes.assessment.regrades.services import Rule, apply, undo
    from quizzes.classes.assignments import save_assignment
    from quizzes.classes.models import Assignment
    from quizzes.learners.models import Learner
    from quizzes.teaching.regrade.question_views import scope_of

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
    say(f"a regrade of {len(plan(wish).changes)} of {plan(wish).looked_at} answers")
    taken: dict[str, list[float]] = {"apply": [], "undo": []}
    clock = time.perf_counter if on_postgresql() else time.process_time
    for _ in range(6):  # the first compiles and imports
        digest, began = plan(wish).digest, clock()
        done = apply(wish, digest=digest, note="The key was wrong.", by=user)
        applied = clock()
        undo(done, by=user)
        taken["apply"].append(applied - began)
        taken["undo"].append(clock() - applied)
    found = {f"regrade: {name}": statistics.median(all_[1:]) for name, all_ in taken.items()}
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    start = f"/teach/courses/{site.course.slug}/questions/{before.question.slug}/regrade/"
    addresses = {
        "regrade: preview page": f"{start}?version=1&rule=new_key&class={cohort.slug}",
        "items page": f"/teach/classes/{cohort.slug}/items/?quiz={quiz.slug}&attempts=all",
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


def measure(sizes: Sizes, *, regrades_alone: bool = False) -> Found:
    """Make the site and measure all of it, or what a wrong key costs."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "quizzes.config.settings"
    os.environ.setdefault("ORDINAL_ENV", "development")
    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    found = Found(connection.vendor, asdict(sizes))
    site = Site()
    cohort, teacher, student = site.add_class("small", sizes.members, REPORT)
    settle()
    if regrades_alone:
        found.regrades = measure_regrades(site, cohort, teacher.user)
        return found
    found.marks, found.marks_queries = measure_marks(cohort)
    say(f"marks of {sizes.members}: {found.marks:.3f} s, {found.marks_queries} queries")
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


def settle() -> None:
    """Let the database count its rows, as it does by itself in time."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def say(words: str) -> None:
    print(words, flush=True)


def main() -> None:
    """Measure, print, and end with 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--regrades", action="store_true", help="measure what a wrong key costs")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ordinal-benchmark-") as folder:
        os.environ["DATABASE_URL"] = new_database(Path(folder))
        found = measure(QUICK if given.quick else Sizes(), regrades_alone=given.regrades)
    if given.json:
        given.json.write_text(json.dumps(asdict(found), indent=1) + "\n")
    for words in found.failures():
        print(f"missed: {words}")
    sys.exit(1 if found.failures() else 0)


if __name__ == "__main__":
    main()
