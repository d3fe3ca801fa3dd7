"""What the tasks of a worker do whose host has another clock than the database."""

import ast
import re
import time
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.utils import timezone

from quizzes.assessment.models import Attempt, Quiz
from quizzes.assessment.quiz_drafts import content_of_quiz
from quizzes.assessment.store import stored_quiz_hash
from quizzes.classes.models import Assignment
from quizzes.exercises import reserved_packs
from quizzes.exercises.models import PeriodicTask
from quizzes.exercises.queue import clock
from quizzes.exercises.queue.clock import database_time
from quizzes.lessons.models import Step
from quizzes.limits import bucket as bucket_module
from quizzes.limits.bucket import Bucket
from quizzes.limits.models import Budget
from quizzes.worker import periodic_tasks
from quizzes.worker.periodic_tasks import PeriodicWork
from tests.drafts import create_draft
from tests.exercises.making import ready_exercise
from tests.factories import (
    assign,
    create_attempt,
    create_class,
    create_lesson,
    create_member,
    create_members,
    create_quiz,
)

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

MINUTE = timedelta(minutes=1)
HOUR = 60 * MINUTE


def worker() -> PeriodicWork:
    return PeriodicWork(process=uuid4(), keep_lease=lambda _renew: nullcontext())


def run_all(work: PeriodicWork) -> None:
    pieces = 0
    while work.run_next():
        pieces += 1
        assert pieces < 100
    assert not PeriodicTask.objects.exclude(failure="").exists()
    # A task that names its rows is not run while there are none: which of them ran is chance.
    tasks = periodic_tasks.tasks()
    assert sum(task.rows is None for task in tasks) <= pieces <= len(tasks)


@pytest.fixture
def put_host_ahead(monkeypatch):
    """Return what puts this host's clock ahead of the database's, for SQLite too."""

    def put(by: timedelta) -> None:
        now, seconds = timezone.now, time.time
        monkeypatch.setattr(clock, "timezone", SimpleNamespace(now=now))
        monkeypatch.setattr(timezone, "now", lambda: now() + by)
        ahead = SimpleNamespace(
            time=lambda: seconds() + by.total_seconds(), monotonic=time.monotonic
        )
        monkeypatch.setattr(bucket_module, "time", ahead)
        assert abs(timezone.now() - database_time() - by) < MINUTE

    return put


both_ways = pytest.mark.parametrize("ahead", [HOUR, -HOUR], ids=["ahead", "behind"])


@both_ways
def test_an_attempt_is_handed_in_by_the_time_of_the_database(put_host_ahead, ahead):
    cohort, now = create_class(), timezone.now()
    one = assign(cohort, create_quiz(), minutes=60)
    ada, bob = create_member(cohort), create_member(cohort, "bob")
    create_attempt(one, ada, 1, now, deadline=now + 30 * MINUTE, written=False)
    over = create_attempt(one, bob, 1, now, deadline=now - MINUTE, written=False)
    put_host_ahead(ahead)
    run_all(worker())
    assert Attempt.objects.exclude(submitted_at=None).get() == over
    over.refresh_from_db()
    assert (over.submitted_at, over.ended_by) == (now - MINUTE, "time")


@both_ways
def test_full_bucket_is_forgotten_by_the_database_time(put_host_ahead, ahead):
    bucket = Bucket("test", per_second=1, at_once=1800)
    bucket.take("in use", 1800)
    Budget.objects.create(key=bucket.key("full"), full_at=time.time() - 60)
    put_host_ahead(ahead)
    run_all(worker())
    assert Budget.objects.get().pk == bucket.key("in use")


@both_ways
@pytest.mark.parametrize("is_closed", [False, True])
def test_a_draft_waits_until_its_class_has_closed_by_the_time_of_the_database(
    put_host_ahead, ahead, is_closed
):
    now, quiz = timezone.now(), create_quiz()
    closes_at = now - MINUTE if is_closed else now + 30 * MINUTE
    assign(create_class(), quiz, closes_at=closes_at)
    create_draft(
        quiz,
        content_of_quiz(quiz) | {"title": "Another title", "summary": "New."},
        base=stored_quiz_hash(quiz),
        publish_when_closed=True,
    )
    put_host_ahead(ahead)
    run_all(worker())
    assert Quiz.objects.get().title == ("Another title" if is_closed else "Codes")


@both_ways
def test_a_lesson_counts_its_steps_as_they_are_when_it_opens_by_the_database(put_host_ahead, ahead):
    cohort, now, lesson = create_class(), timezone.now(), create_lesson()
    coming = assign(cohort, lesson, opens_at=now + 30 * MINUTE)
    there = assign(cohort, lesson, opens_at=now - 30 * MINUTE)
    Step.objects.create(
        lesson=lesson, slug="three", number=3, title="3", text="Words.", reading_seconds=1
    )
    put_host_ahead(ahead)
    run_all(worker())
    steps = {one.pk: len(one.steps) for one in Assignment.objects.all()}
    assert steps == {coming.pk: 3, there.pk: 2}


@both_ways
@pytest.mark.parametrize(
    ("dates", "count"),
    [
        ({"closes_at": 30 * MINUTE}, 16),
        ({"closes_at": -MINUTE}, 0),
        ({"due_at": 30 * MINUTE}, 16),
        ({"due_at": -MINUTE}, reserved_packs.AHEAD),
    ],
    ids=["open", "closed", "due", "overdue"],
)
def test_packs_of_open_work_are_kept_by_database_time(put_host_ahead, ahead, dates, count):
    cohort, now, exercise = create_class(), timezone.now(), ready_exercise(packs=4)
    create_members(cohort, range(8))
    assign(cohort, exercise, **{name: now + span for name, span in dates.items()})
    for seed in range(100, 116):
        reserved_packs.store(version=exercise.current, seed=seed, data=b"")
    put_host_ahead(ahead)
    run_all(worker())
    assert reserved_packs.in_reserve().count() == count


def test_work_that_a_host_ahead_was_first_to_do_may_be_done_by_others(put_host_ahead):
    put_host_ahead(HOUR)
    for one in (worker(), worker()):
        with one.alone("fill") as taken:
            assert taken


def test_lease_times_are_queried_in_one_module():
    """Only it decides that a lease which ends too far ahead is void: its clock was put back."""
    rooms = Path(periodic_tasks.__file__).parents[1]
    code = {file: file.read_text() for file in rooms.rglob("*.py")}
    found = {file.name for file, text in code.items() if re.search(r"_until__[gl]te?=", text)}
    assert found == {"submission.py"}


def test_no_periodic_task_asks_its_host_for_the_time():
    """Its module alone: functions of other rooms ask, unless they are given `now`."""
    nodes = list(ast.walk(ast.parse(Path(periodic_tasks.__file__).read_text())))
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {one.name for node in imports for one in node.names}
    assert not used & {"now", "utcnow", "today", "time", "time_ns"}
    assert not imported & {"time", "timezone", "Now"}
