"""However many wait, the next job costs the same, and a look for missing ones reads each once."""

import re

import pytest
from django.db import connection, transaction
from django.utils import timezone
from procrastinate.sql import queries

from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner
from tests.databases import on_postgresql
from tests.exercises import making

if on_postgresql():
    from quizzes.exercises.queue.procrastinate_engine import _ask, put_missing

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.skipif(not on_postgresql(), reason="SQLite has no jobs"),
    pytest.mark.django_db(transaction=True),
]

WAITING = 5_000
ROWS = 500
MOST_READ = 50
IDLE_LOOKS = 10
SETTINGS = ["enable_sort=off", "enable_bitmapscan=off", "plan_cache_mode=force_custom_plan"]


@pytest.fixture
def no_jobs():
    """Leave none behind: tests after this one take what they find."""
    yield
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE procrastinate_jobs, procrastinate_workers CASCADE")


@pytest.mark.usefixtures("no_jobs")
def test_a_job_is_taken_without_a_look_at_all_that_wait():
    put_jobs()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM procrastinate_jobs")
        cursor.execute("VACUUM ANALYZE procrastinate_jobs")  # empty, as it mostly is
    connection.close()  # a new session plans anew
    (worker,) = _ask("register_worker")
    for _ in range(IDLE_LOOKS):  # and keeps a plan after some, as that of an idle worker does
        assert take(worker)["id"] is None
    put_jobs()
    with transaction.atomic():
        before = rows_read()
        assert take(worker)["priority"] == -1
        assert rows_read() - before <= MOST_READ


@pytest.mark.usefixtures("no_jobs")
def test_a_look_for_rows_without_a_job_reads_each_job_once():
    """Each row was compared with each job while PostgreSQL did not know how many there are."""
    version = making.ready_exercise().current
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE procrastinate_jobs, exercises_submission")  # both empty
    now = timezone.now()
    Submission.objects.bulk_create(
        Submission(
            exercise_version=version,
            learner=learner,
            kind="submit",
            code="1",
            submitted_at=now,
            scheduled_for=now,
        )
        for learner in Learner.objects.bulk_create(Learner() for _ in range(ROWS))
    )
    assert put_missing() == ROWS
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, args)"
            " VALUES ('quick', 'grade', '{}'), ('quick', 'grade', '{\"submission\": null}')"
        )
        cursor.execute(
            "DELETE FROM procrastinate_jobs WHERE args->'submission' = %s::jsonb",
            [str(Submission.objects.latest("pk").pk)],
        )
    with transaction.atomic():
        before = rows_read()
        assert put_missing() == 1
        assert rows_read() - before <= 4 * ROWS  # it was half of ROWS times ROWS


def test_the_function_that_takes_a_job_is_the_one_with_our_settings():
    (name,) = re.findall(r"FROM (procrastinate_\w+)\(", queries["fetch_job"])
    with connection.cursor() as cursor:
        cursor.execute("SELECT proconfig FROM pg_proc WHERE proname = %s", [name])
        assert cursor.fetchall() == [(SETTINGS,)]


def take(worker):
    (job,) = _ask("fetch_job", queues=["quick"], worker_id=worker["worker_id"])
    return job


def put_jobs():
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock)"
            " SELECT 'quick', 'grade', -n, 'learner-' || n FROM generate_series(1, %s) AS n",
            [WAITING],
        )


def rows_read():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables"
            " WHERE relname = 'procrastinate_jobs'"
        )
        return cursor.fetchone()[0]
