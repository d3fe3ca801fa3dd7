"""What a page costs with 1 000 learners and with 10 000: of instructors, of a course, of a learner.

Usage: python benchmarks/site_pages.py [--quick] [--json FILE]
       python tools/with_postgres.py python benchmarks/site_pages.py
The database is a new file of SQLite's, or where DATABASE_URL names a PostgreSQL server a new
database there. It has the shipped home course, and a course with 10 quizzes and 8 exercises in
which a class of 200 has its work, as benchmarks/teaching.py makes it. Then come learners without a
class: 1 000 with 20 000 responses, 10 000 submissions, 30 steps read and 5 cards to review each,
and then ten times as many of all; the class stays as it is. Every page is asked for in this
process, with both, by an account that owns the course and teaches the class, or by a learner of the
class who has read 30 steps. A time is the median of five, the processor's, with the database's work
for it; see benchmarks/processor_time.py.

Goals: 300 ms, and at most twice the time for ten times the learners. Times below 5 ms count as
5 ms: their noise is larger.

"counted anew": with the site's cache emptied before each. That page counts every answer of the
course; where counting took over a second it is kept for ten minutes (teaching/count_cache.py), so
of so large a course one view in ten minutes costs this. The pages above it are measured as they
come, after a first view.

Last comes a line with the bytes of a response and of a row of progress, indexes included, in the
larger site.

--quick: a class of 30, with 100 learners and 1 000.
"""

import argparse
import io
import json
import os
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.bulk_site import REPORT, Site, Sizes, open_database, settle  # noqa: E402
from benchmarks.own_site import COURSE, HOME  # noqa: E402
from benchmarks.processor_time import measure_pages  # noqa: E402
from benchmarks.table_bytes import bytes_of  # noqa: E402
from tests.databases import new_database  # noqa: E402

MOST_PAGE, MOST_TIMES, TOO_QUICK = 0.3, 2.0, 0.005
TIMES = 10
FEW = Sizes(members=200, learners=1000, responses=20_000, submissions=10_000)
QUICK = Sizes(members=30, learners=100, responses=2_000, submissions=1_000)
STEPS, CARDS = 30, 5  # of each learner
MEASURED = "/teach/courses/measured/"
ANEW = {"results of the course, counted anew": f"{MEASURED}class/"}


@dataclass
class Found:
    """Seconds of each page, with few learners and with many; the load of the machine meanwhile."""

    database: str
    learners: int
    few: dict[str, float] = field(default_factory=dict)
    many: dict[str, float] = field(default_factory=dict)
    loads: list[float] = field(default_factory=list)
    bytes_each: dict[str, float] = field(default_factory=dict)

    def times(self, name: str) -> float:
        """Return how often the time with few goes into the one with many."""
        return max(self.many[name], TOO_QUICK) / max(self.few[name], TOO_QUICK)

    def failures(self) -> list[str]:
        """Return what missed its goal, in words."""
        return [
            f"{name}: {1000 * seconds:.0f} ms, {self.times(name):.1f} times"
            for name, seconds in self.many.items()
            if self.times(name) > MOST_TIMES or seconds > MOST_PAGE
        ]


def instructors_pages(cohort: Any) -> dict[str, str]:
    """Return the addresses that show a whole course, all of a site, or long lists of a class."""
    from quizzes.assessment.models import Attempt
    from quizzes.exercises.models import Submission

    of_class = f"/teach/classes/{cohort.slug}"
    of_students = {
        "learner__user__class_memberships__cohort": cohort,
        "learner__user__class_memberships__role": "student",
    }
    last_attempt, last_submission = (
        model._default_manager.filter(**of_students).order_by("pk")[10].pk
        for model in (Attempt, Submission)
    )
    return {
        "teaching": "/teach/",
        "people of the site": "/teach/people/",
        "log of the site": "/teach/log/",
        "the course": MEASURED,
        "results of the course": f"{MEASURED}class/",
        "exercises of the course": f"{MEASURED}exercises/",
        "an exercise of the course": f"{MEASURED}exercises/exercise-0/",
        "questions of the course": f"{MEASURED}questions/",
        "a question of the course": f"{MEASURED}questions/q-0-1/",
        "quizzes of the course": f"{MEASURED}quizzes/",
        "attempts of a class": f"{of_class}/attempts/",
        "attempts of a class, last page": f"{of_class}/attempts/?before={last_attempt}",
        "submissions of a class": f"{of_class}/submissions/",
        "submissions of a class, last page": f"{of_class}/submissions/?before={last_submission}",
        "results of a class": f"{of_class}/results/",
    }


def learners_pages(cohort: Any, learner: Any) -> dict[str, str]:
    from quizzes.assessment.models import Attempt
    from quizzes.exercises.models import Submission

    attempt = Attempt.objects.filter(learner=learner).order_by("-pk").first()
    submission = Submission.objects.filter(learner=learner).order_by("-pk").first()
    assert attempt is not None
    assert submission is not None
    ours = "/c/measured"
    return {
        "start page": "/",
        "lessons": f"{HOME}/learn/",
        "a step with two figures": f"{HOME}/learn/sinusoidal-values/seeing-it/",
        "concept map": f"{HOME}/map/",
        "progress": f"{HOME}/progress/",
        "exercises": f"{HOME}/exercises/",
        "an exercise": f"{HOME}/exercises/sinusoidal-table/",
        "an exercise with ten submissions": f"{ours}/exercises/exercise-0/",
        "a submission": f"{ours}/exercises/{submission.exercise_version.exercise.slug}"
        f"/submissions/{submission.pk}/",
        "quizzes": f"{ours}/quiz/",
        "an attempt": f"{ours}/quiz/{attempt.quiz.slug}/attempt/{attempt.pk}/review/",
        "review": "/review/",
        "own class": f"/class/{cohort.slug}/",
        "own data": "/me/data/",
    }


def add_reading(learners: list[Any], now: Any) -> None:
    """Give each learner steps of the shipped course, read, and cards to review."""
    from quizzes.assessment.models import Question
    from quizzes.courses.models import Course
    from quizzes.learners.models import Progress, ReviewCard
    from quizzes.lessons.models import Step

    course = Course.objects.get(slug=COURSE)
    steps = Step.objects.filter(lesson__course=course).order_by("lesson__number", "number")
    slugs = [f"{lesson}/{slug}" for lesson, slug in steps.values_list("lesson__slug", "slug")]
    questions = Question.objects.asked().filter(course=course).order_by("pk")
    asked = list(questions.values_list("slug", flat=True)[:CARDS])
    day = timedelta(days=1)
    read = (
        Progress(
            learner=one, course=course, kind="step", slug=slug, state="done", done_at=now - day
        )
        for one in learners
        for slug in slugs[:STEPS]
    )
    Progress.objects.bulk_create(read, batch_size=5000)
    cards = (
        ReviewCard(
            learner=one,
            course=course,
            kind="question",
            slug=slug,
            due_at=now + (place - 2) * day,
        )
        for one in learners
        for place, slug in enumerate(asked)
    )
    ReviewCard.objects.bulk_create(cards, batch_size=5000)


def measure(sizes: Sizes) -> Found:
    """Make the site, measure with few learners, add nine times as many and measure again."""
    open_database()
    from django.conf import settings
    from django.core.cache import cache
    from django.core.management import call_command
    from django.db import connection

    from quizzes.assessment.models import Response
    from quizzes.courses.models import CourseStaff
    from quizzes.exercises.models import ExerciseVersion
    from quizzes.grader.definitions import read_folder
    from quizzes.learners.models import Progress

    call_command("createcachetable", verbosity=0)
    call_command("load_content", settings.COURSE, stdout=io.StringIO())
    site = Site()
    files = read_folder(settings.COURSE / "exercises" / "sinusoidal-table")
    ExerciseVersion.objects.filter(exercise__course=site.course).update(files=files)
    cohort, teacher, student = site.add_class("small", sizes.members, REPORT)
    CourseStaff.objects.create(course=site.course, user=teacher.user, role="owner")
    teacher.user.is_superuser = True  # for the pages of the site
    teacher.user.save()
    learner = student.user.learner
    add_reading([learner], site.now)
    found = Found(connection.vendor, sizes.learners)
    more = Sizes(
        learners=sizes.learners * (TIMES - 1),
        responses=sizes.responses * (TIMES - 1),
        submissions=sizes.submissions * (TIMES - 1),
    )

    def look() -> dict[str, float]:
        settle()
        cache.clear()
        found.loads.append(os.getloadavg()[0])
        return {
            **measure_pages(instructors_pages(cohort), teacher.user),
            **measure_pages(ANEW, teacher.user, before_each=cache.clear),
            **measure_pages(learners_pages(cohort, learner), student.user),
        }

    add_reading(site.add_others(sizes), site.now)
    found.few = look()
    add_reading(site.add_others(more), site.now)
    found.many = look()
    for name, model in (("response", Response), ("row of progress", Progress)):
        size = bytes_of(os.environ["DATABASE_URL"], [model._meta.db_table])
        found.bytes_each[name] = size / model._default_manager.count()
    return found


def main() -> None:
    """Measure, print, and end with 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ordinal-benchmark-") as folder:
        os.environ["DATABASE_URL"] = new_database(Path(folder))
        found = measure(QUICK if given.quick else FEW)
    loads = ", ".join(f"{load:.0f}" for load in found.loads)
    print(f"{found.database}, load {loads}; milliseconds of processor time\n")
    print(f"{'page':42}{found.learners:>10}{found.learners * TIMES:>10}{'times':>8}")
    for name, seconds in found.many.items():
        before = found.few[name]
        print(f"{name:42}{1000 * before:10.0f}{1000 * seconds:10.0f}{seconds / before:8.1f}")
    each = ", ".join(f"a {name} {size:.0f}" for name, size in found.bytes_each.items())
    print(f"\nbytes with indexes: {each}")
    if given.json:
        given.json.write_text(json.dumps(asdict(found), indent=1) + "\n")
    for words in found.failures():
        print(f"missed: {words}")
    sys.exit(1 if found.failures() else 0)


if __name__ == "__main__":
    main()
