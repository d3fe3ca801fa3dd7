"""The slow lane: what comes there, that it waits behind quick code, and in which order."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.db import connection
from django.utils import timezone

from quizzes.exercises.models import Submission
from quizzes.exercises.queue import lanes, leases, slow_lane
from quizzes.exercises.services import place_in_queue
from quizzes.grader.judge.report import Report, Verdict
from quizzes.worker.worker import Worker
from tests.databases import on_postgresql
from tests.exercises import making
from tests.exercises.queue.test_leases import taken_in_order
from tests.factories import create_learner

if on_postgresql():
    from quizzes.exercises.queue.procrastinate_engine import ProcrastinateEngine as Engine
else:
    from quizzes.exercises.queue.sqlite_engine import SqliteEngine as Engine

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db, pytest.mark.races]

PATIENT = "import time\ntime.sleep(0.6)\n" + making.REFERENCE
ENDLESS = "import time\nwhile True:\n    time.sleep(0.05)\n"  # computing ends the same way
STUBBORN = """
def sinusoidal_table(n, d, base=1e4):
    try:
        while True:
            __import__("time").sleep(0.05)
    except BaseException:
        return None
"""


def slow(exercise, learner=None, **facts) -> Submission:
    return making.waiting(exercise, learner, slow=True, **facts)


def test_slow_code_waits_behind_all_that_is_quick(exercise):
    late, newer = slow(exercise), [making.waiting(exercise) for _ in range(2)]
    assert [place_in_queue(submission=row) for row in (late, *newer)] == [2, 0, 1]
    assert taken_in_order() == [newer[0].pk, newer[1].pk, late.pk]


def take(host, worker, *, slow_too=False):
    """Return what an engine of its own, as each process has, takes next."""
    lease = host.take(worker=worker, slow_too=slow_too)
    return lease and lease.submission.pk


@pytest.fixture
def engines(settings, tmp_path):
    """Engines of so many workers, each on the host of this name; a host is a folder of its own."""
    opened = {}

    def open_engines(*hosts):
        for number, host in enumerate(hosts):
            settings.VAR = tmp_path / host
            settings.VAR.mkdir(exist_ok=True)
            opened[str(number)] = Engine()
            opened[str(number)]._slow_lane = slow_lane.SlowLane(settings.VAR, cores=4)
        return list(opened.values())

    yield open_engines
    for worker, engine in opened.items():
        engine.leave(worker)


def test_second_worker_of_a_host_leaves_slow_code(exercise, engines):
    rows = [slow(exercise) for _ in range(4)]
    hosts = engines("a", "a", "a", "b")
    taken = [take(host, str(number)) for number, host in enumerate(hosts)]
    assert taken == [rows[0].pk, None, rows[1].pk, rows[2].pk]
    quick = making.waiting(exercise)
    assert take(hosts[1], "1", slow_too=True) == quick.pk
    hosts[0].leave("0")
    assert take(hosts[1], "1") == rows[3].pk, "it has the first seat now"


def test_worker_without_a_lock_grades_all(exercise, settings, tmp_path):
    settings.VAR = tmp_path / "file"
    settings.VAR.write_text("in the way of the folder of locks")
    rows = [slow(exercise), making.waiting(exercise)]
    host = Engine()
    assert [take(host, worker) for worker in "ab"] == [rows[1].pk, rows[0].pk]


def test_accounts_and_visitors_are_served_in_turn(exercise):
    visitors = [slow(exercise).pk for _ in range(4)]
    accounts = [slow(exercise, create_learner(name)).pk for name in ("ada", "bea")]
    order = [accounts[0], visitors[0], accounts[1], *visitors[1:]]
    rows = [Submission.objects.get(pk=pk) for pk in order]
    assert [place_in_queue(submission=row) for row in rows] == [0, 1, 2, 3, 4, 5]
    assert taken_in_order() == order


def test_signed_in_learner_waits_for_no_crowd(exercise):
    """However many of them wait already: for one that runs, and for one of theirs in turn."""
    for _ in range(40):
        slow(exercise)
    making.lease()
    mine = slow(exercise, create_learner("ada"))
    assert mine.pk in taken_in_order()[:2]


def test_slow_code_is_due_after_its_learners_seconds(exercise):
    """Ten rows of half a second weigh as much as one of five: limits count seconds."""
    often, hog, fresh = (making.new_learner() for _ in range(3))
    for learner, seconds in [*[(often, 0.2)] * 10, (hog, 9.0)]:
        slow(exercise, learner)
        leases.record(lease=making.lease(), report=Report(Verdict.WRONG, all_seconds=seconds))
    rows = [making.waiting(exercise, learner) for learner in (hog, often, fresh)]
    for _ in rows:
        leases.to_slow_lane(lease=making.lease())
    assert taken_in_order()[-3:] == [rows[2].pk, rows[1].pk, rows[0].pk]


@pytest.mark.skipif(not on_postgresql(), reason="there the row is the queue")
def test_slow_job_of_version_before_is_taken(exercise):
    """It had one line for accounts and visitors."""
    row = slow(exercise)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE procrastinate_jobs SET queue_name = 'slow'")
        assert cursor.rowcount == 1
    assert making.lease().submission.pk == row.pk


@pytest.mark.skipif(not on_postgresql(), reason="there the row is the queue")
def test_version_before_finds_visitors_slow_code(exercise):
    """Migrated back, all slow code waits in the one queue that it asks for."""
    slow(exercise)
    slow(exercise, create_learner("ada"))
    migration = import_module("quizzes.exercises.migrations.0025_seconds_of_slow_code")
    *_, moving = migration.Migration.operations
    with connection.schema_editor(atomic=False) as editor:
        moving.database_backwards("exercises", editor, None, None)
    with connection.cursor() as cursor:
        cursor.execute("SELECT queue_name FROM procrastinate_jobs")
        assert cursor.fetchall() == [("slow",)] * 2


def test_run_in_slow_lane_notes_its_seconds(exercise):
    row = slow(exercise)
    report = Report(Verdict.WRONG, all_seconds=1.5)
    assert leases.record(lease=making.lease(), report=report)
    quick = making.waiting(exercise)
    assert leases.record(lease=making.lease(), report=report)
    row.refresh_from_db()
    quick.refresh_from_db()
    assert (row.slow_seconds, quick.slow_seconds) == (1.5, None)


def test_slow_code_that_waited_long_gets_its_share_of_a_busy_queue(exercise):
    fresh = slow(exercise)
    long_ago = slow(exercise, submitted_at=timezone.now() - timedelta(seconds=40))
    quick = [making.waiting(exercise).pk for _ in range(2)]
    order = taken_in_order(slow_too=True)
    assert long_ago.pk in order[:2], "on PostgreSQL one line at a time is looked at"
    assert [pk for pk in order if pk != long_ago.pk] == [*quick, fresh.pk]


def test_row_is_overdue_by_its_turn(exercise):
    """A learner whose slow code ran for long waits longer for the share of a busy queue too."""
    ago = timezone.now() - timedelta(seconds=40)
    row = slow(exercise, submitted_at=ago, scheduled_for=timezone.now())
    quick = making.waiting(exercise)
    assert taken_in_order(slow_too=True) == [quick.pk, row.pk]


def test_going_to_the_slow_lane_costs_no_lease_and_happens_once(exercise):
    row = making.waiting(exercise)
    leases.to_slow_lane(lease=making.lease())
    row.refresh_from_db()
    assert (row.slow, row.tries_used, row.leased_by, row.verdict) == (True, 0, "", "")
    taken = making.lease()
    assert (taken.submission.slow, taken.number) == (True, 1)


def test_a_lease_taken_over_cannot_change_the_lane(exercise):
    row = making.waiting(exercise)
    frozen = making.lease("frozen")
    making.let_leases_lapse()
    making.lease("second")
    leases.to_slow_lane(lease=frozen)
    row.refresh_from_db()
    assert (row.slow, row.leased_by) == (False, "second")


@pytest.mark.parametrize(
    ("verdict", "stopped", "cut"),
    [
        (Verdict.LIMIT_REACHED, True, True),
        (Verdict.WRONG, True, True),
        (Verdict.CORRECT, True, False),
        (Verdict.LIMIT_REACHED, False, False),
    ],
)
def test_a_run_was_cut_short_when_the_code_was_told_to_stop(verdict, stopped, cut):
    assert lanes.was_cut_short(Report(verdict, ran_out_of_time=stopped)) is cut


@pytest.mark.both_databases(postgresql="soak")  # time is the sandbox's
@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("code", "verdict", "is_slow"),
    [
        (making.REFERENCE, "correct", False),
        (PATIENT, "correct", True),
        (ENDLESS, "limit_reached", True),
        (STUBBORN, "limit_reached", True),
    ],
)
def test_code_gets_the_exercises_whole_time_on_its_second_run(
    real_exercise, sandbox, code, verdict, is_slow, monkeypatch
):
    if not is_slow:  # honest code may be slower than the quick lane on a busy machine
        monkeypatch.setattr(lanes, "QUICK_SECONDS", 1.5)
    row = making.waiting(real_exercise, code=code)
    worker = Worker()
    runs = 0
    while taken := leases.lease_next(worker=worker.name):
        worker.grade(taken, sandbox)
        runs += 1
    row.refresh_from_db()
    assert (row.verdict, row.slow, runs, row.tries_used) == (verdict, is_slow, 1 + is_slow, 1)
