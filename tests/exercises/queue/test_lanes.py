"""The slow lane: what comes there, that it waits behind quick code, and one at a time."""

import struct
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from quizzes.exercises.models import Submission
from quizzes.exercises.queue import lanes, leases, slow_lane
from quizzes.exercises.services import place_in_queue
from quizzes.grader.judge.report import Report, Verdict
from quizzes.worker.worker import Worker
from tests.databases import on_postgresql
from tests.exercises import making
from tests.exercises.queue.test_leases import taken_in_order

if on_postgresql():
    from quizzes.exercises.queue.procrastinate_engine import ProcrastinateEngine

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


def slow(exercise, **facts) -> Submission:
    return making.waiting(exercise, slow=True, **facts)


def test_slow_code_waits_behind_all_that_is_quick(exercise):
    late, newer = slow(exercise), [making.waiting(exercise) for _ in range(2)]
    assert [place_in_queue(submission=row) for row in (late, *newer)] == [2, 0, 1]
    assert taken_in_order() == [newer[0].pk, newer[1].pk, late.pk]


@pytest.mark.skipif(on_postgresql(), reason="there each host has a worker for slow code")
def test_one_slow_submission_runs_at_a_time(exercise):
    first, second = slow(exercise), slow(exercise)
    held = making.lease("one")
    assert held.submission.pk == first.pk
    assert leases.lease_next(worker="two") is None
    quick = making.waiting(exercise)
    assert making.lease("two").submission.pk == quick.pk
    leases.record(lease=held, report=making.WRONG)
    assert making.lease("one").submission.pk == second.pk


@pytest.mark.skipif(not on_postgresql(), reason="one machine has one slow submission in work")
def test_one_worker_of_each_host_grades_slow_code(exercise, settings, tmp_path):
    """Two workers of a host, one of another; a host is a folder of its own."""
    rows = [slow(exercise) for _ in range(3)]
    hosts = [ProcrastinateEngine() for _ in range(3)]
    taken = []
    for number, host in enumerate(hosts):
        settings.VAR = tmp_path / str(number // 2)
        settings.VAR.mkdir(exist_ok=True)
        lease = host.take(worker=str(number), slow_too=False)
        taken.append(lease and lease.submission.pk)
    assert taken == [rows[0].pk, None, rows[1].pk]
    quick = making.waiting(exercise)
    assert hosts[1].take(worker="1", slow_too=True).submission.pk == quick.pk
    hosts[0].leave("0")
    assert hosts[1].take(worker="1", slow_too=False).submission.pk == rows[2].pk
    for number, host in enumerate(hosts):
        host.leave(str(number))


@pytest.mark.skipif(not on_postgresql(), reason="a host has such a lock there alone")
def test_another_worker_grades_slow_code_while_the_first_says_nothing(exercise, settings, tmp_path):
    """One other, and only until the first goes on; the same when that one stops as well."""
    settings.VAR = tmp_path
    rows = [slow(exercise) for _ in range(4)]
    workers = [ProcrastinateEngine() for _ in range(3)]

    def take(number: int) -> int | None:
        lease = workers[number].take(worker=str(number), slow_too=False)
        return lease and lease.submission.pk

    def stop(name: str) -> None:
        silent = time.monotonic() - slow_lane.SILENT_SECONDS - 1
        (tmp_path / name).write_bytes(struct.pack("=d", silent))

    assert [take(number) for number in range(3)] == [rows[0].pk, None, None]
    stop("slow-lane.lock")
    assert [take(2), take(1)] == [rows[1].pk, None]
    workers[0].beat("0")
    assert [take(2), take(1)] == [None, None]
    stop("slow-lane.lock")
    stop("slow-lane-2.lock")
    assert take(1) == rows[2].pk
    for number, worker in enumerate(workers):
        worker.leave(str(number))


def test_slow_code_that_waited_long_gets_its_share_of_a_busy_queue(exercise):
    fresh = slow(exercise)
    long_ago = slow(exercise, submitted_at=timezone.now() - timedelta(seconds=40))
    quick = making.waiting(exercise)
    assert taken_in_order(slow_too=True) == [long_ago.pk, quick.pk, fresh.pk]


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
