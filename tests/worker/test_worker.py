"""The worker: real verdicts from the real sandbox, and what it does when things break."""

import threading
import time
from contextlib import contextmanager
from types import SimpleNamespace
from typing import ClassVar

import pytest
from django.db import OperationalError, connection

from quizzes.exercises.case_pack_pool import read_pack
from quizzes.exercises.files import save_exercise
from quizzes.exercises.models import (
    CasePack,
    CasePicture,
    CodeRegrade,
    Exercise,
    Submission,
    WorkerHeartbeat,
)
from quizzes.exercises.queue import lanes, leases
from quizzes.exercises.queue.engine import engine
from quizzes.exercises.services import grading_state
from quizzes.grader.errors import SandboxBroken, SandboxUnavailable
from quizzes.grader.judge.report import Verdict
from quizzes.grader.sandbox import HARD_END_SECONDS, conversation
from quizzes.worker import background, periodic_tasks
from quizzes.worker import worker as worker_module
from quizzes.worker.worker import StopRequested, Worker
from tests.courses import some_course
from tests.databases import on_postgresql
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.sandbox]


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    """On a busy machine honest code may take longer than the quick lane gives it."""
    monkeypatch.setattr(lanes, "QUICK_SECONDS", 1.5)


@pytest.fixture(autouse=True)
def _forget_packs():
    read_pack.cache_clear()
    yield
    read_pack.cache_clear()


def grade(row, sandbox) -> Submission:
    worker = Worker()
    worker.grade(making.lease(), sandbox)
    return Submission.objects.get(pk=row.pk)


@pytest.mark.both_databases(postgresql="soak")
def test_the_reference_is_correct(real_exercise, sandbox):
    row = grade(making.waiting(real_exercise, code=making.REFERENCE), sandbox)
    assert row.verdict == "correct"
    assert row.verdict_report.cases_passed == row.verdict_report.cases_total > 5
    assert not CasePicture.objects.exists()


@pytest.mark.both_databases(postgresql="soak")
def test_an_exercise_of_equal_files_grades_at_once(real_exercise, sandbox):
    """As in a copy of a course: nothing was verified or drawn for it."""
    save_exercise(some_course("copy"), making.shipped_source())
    copy = Exercise.objects.select_related("current").get(course__slug="copy")
    assert copy.current.packs.count() == 1
    for code, verdict in ((making.REFERENCE, "correct"), (making.SWAPPED, "known_mistake")):
        row = grade(making.waiting(copy, code=code), sandbox)
        assert (row.verdict, row.pack.version) == (verdict, copy.current)


@pytest.mark.both_databases(postgresql="soak")
def test_a_known_mistake_is_named_with_its_picture(real_exercise, sandbox):
    row = grade(making.waiting(real_exercise, code=making.SWAPPED), sandbox)
    assert row.verdict == "known_mistake"
    assert row.verdict_report.known_mistake.slug == "swap"
    assert row.picture.picture.reference.shape == row.picture.picture.yours.shape


@pytest.mark.django_db(transaction=True)
def test_used_pack_is_noted_where_grading_fails(monkeypatch):
    making.waiting(making.ready_exercise())
    worker = Worker()

    def fail(*_):
        raise SandboxBroken("the fork server died")

    monkeypatch.setattr(worker, "grade", fail)
    with pytest.raises(SandboxBroken):
        worker._serve_next(SimpleNamespace(can_run_soon=lambda *_: True))
    assert worker._packs_used.is_set()


def test_copies_of_a_regrade_are_graded_when_nothing_live_waits(real_exercise, sandbox):
    wrong = grade(making.waiting(real_exercise, code=making.SWAPPED), sandbox)
    exercise = Exercise.objects.select_related("current", "course").get(pk=real_exercise.pk)
    made = CodeRegrade.objects.create(
        exercise=exercise, to_version=exercise.current, pack=wrong.pack
    )
    made.trials.create(submission=wrong, seen_graded_at=wrong.graded_at)
    live = making.waiting(real_exercise, code=making.REFERENCE)
    worker = Worker()
    worker._swept_at = time.monotonic()
    worker._serve_next(sandbox)
    live.refresh_from_db()
    trial = made.trials.get()
    assert (live.verdict, trial.verdict) == ("correct", "")
    worker._serve_next(sandbox)
    trial.refresh_from_db()
    assert (trial.verdict, trial.known_mistake) == ("known_mistake", "swap")
    assert trial.report["known_mistake"]["slug"] == "swap"
    assert trial.arrays
    assert Submission.objects.get(pk=wrong.pk).graded_at == wrong.graded_at


@pytest.mark.both_databases(postgresql="soak")
def test_a_check_tells_of_the_shown_cases_only(real_exercise, sandbox):
    row = grade(making.waiting(real_exercise, kind="check", code=making.SWAPPED), sandbox)
    assert {case.shown for case in row.verdict_report.cases} == {True}


@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.parametrize("warm", [True, False])
def test_torch_is_started_with_the_worker_or_when_it_is_asked_for(settings, warm):
    settings.WARM_TORCH = warm
    with worker_module.open_students("student") as opened:
        assert opened.torch is not None
        assert (opened.torch._successor is not None) is warm


@pytest.mark.both_databases(postgresql="soak")
def test_a_machine_too_busy_costs_tries_and_no_sandbox(real_exercise, sandbox, monkeypatch):
    row = making.waiting(real_exercise, code=making.REFERENCE)
    serving, found = sandbox.numpy.server_pid, []
    with monkeypatch.context() as busy:
        busy.setattr(conversation, "HARD_END_SECONDS", 0)  # as if a minute had gone by
        for _ in range(3):
            grade(row, sandbox)
            row.refresh_from_db()
            found.append((row.verdict, row.tries_used))
    assert found == [("", 1), ("", 2), ("not_graded", 3)]
    assert row.our_failure.startswith("the machine was too busy: ")
    assert sandbox.numpy.server_pid == serving
    honest = grade(making.waiting(real_exercise, code=making.REFERENCE), sandbox)
    assert honest.verdict == "correct"


@pytest.mark.both_databases(postgresql="soak")
def test_slow_code_on_a_machine_too_busy_lets_quick_code_go_first(
    real_exercise, sandbox, monkeypatch
):
    making.waiting(real_exercise, code=making.REFERENCE, slow=True)
    worker = Worker()
    with monkeypatch.context() as busy:
        busy.setattr(conversation, "HARD_END_SECONDS", 0)
        worker.grade(making.lease(), sandbox)
    assert worker._no_slow_before - time.monotonic() > HARD_END_SECONDS


class Broken:
    def can_run_soon(self, source, library):
        return True

    def run(self, job):
        raise SandboxBroken("the fork server died")


class Cursed:
    """A sandbox whose answer trips the judge: our failure, not the student's."""

    def run(self, job):
        raise ZeroDivisionError


def test_a_broken_sandbox_frees_the_row_and_asks_for_a_new_sandbox(real_exercise):
    row = making.waiting(real_exercise)
    with pytest.raises(SandboxBroken):
        grade(row, Broken())
    row.refresh_from_db()
    assert (row.verdict, row.tries_used, row.leased_until) == ("", 1, None)
    assert "fork server died" in row.our_failure


def test_a_poisonous_row_ends_not_graded_and_the_next_is_graded(real_exercise, sandbox):
    poison = making.waiting(real_exercise)
    for _ in range(3):
        grade(poison, Cursed())
    poison.refresh_from_db()
    assert (poison.verdict, poison.our_failure) == ("not_graded", "ZeroDivisionError: ")
    good = grade(making.waiting(real_exercise, code=making.REFERENCE), sandbox)
    assert good.verdict == "correct"


def test_a_damaged_pack_is_retired_and_costs_no_lease(real_exercise, sandbox):
    damaged = CasePack.objects.first()
    CasePack.objects.filter(pk=damaged.pk).update(data=b"PEQ1 nonsense")
    row = making.waiting(real_exercise, code=making.REFERENCE)
    while not Submission.objects.get(pk=row.pk).verdict:
        Worker().grade(making.lease(), sandbox)
    row.refresh_from_db()
    assert (row.verdict, row.tries_used) == ("correct", 1)
    damaged.refresh_from_db()
    assert row.pack_id != damaged.pk


def test_a_stop_in_the_middle_hands_the_row_over(real_exercise):
    class Stopped:
        def run(self, job):
            raise StopRequested

    row = making.waiting(real_exercise)
    with pytest.raises(StopRequested):
        grade(row, Stopped())
    row.refresh_from_db()
    assert (row.verdict, row.tries_used, row.leased_until) == ("", 0, None)


def test_a_report_that_comes_too_late_is_dropped(real_exercise, sandbox, caplog):
    row = making.waiting(real_exercise, code=making.SWAPPED)
    slow = making.lease("slow")
    making.let_leases_lapse()
    leases.record(lease=making.lease("quick"), report=making.CORRECT)
    Worker().grade(slow, sandbox)
    row.refresh_from_db()
    assert row.verdict == "correct"
    assert "taken over" in caplog.text


def lose_the_connection() -> None:
    """End the server's side of it; SQLite has none, and says something else that passes."""
    if not on_postgresql():
        raise OperationalError("disk I/O error")
    connection.ensure_connection()
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            number = connection.connection.info.backend_pid
            cursor.execute("SELECT pg_terminate_backend(%s)", [number])
    finally:
        other.close()


@pytest.mark.parametrize("away", [1, 2])
@pytest.mark.django_db(transaction=True)
def test_a_connection_lost_while_code_runs_costs_no_try(monkeypatch, away):
    row = making.waiting(making.ready_exercise())
    record, tries = leases.record, []

    def write(*, lease, report):
        tries.append(lease)
        if len(tries) <= away:
            lose_the_connection()
        return record(lease=lease, report=report)

    monkeypatch.setattr(worker_module, "AFTER_FAILURE_SECONDS", 0)
    monkeypatch.setattr(worker_module, "read_pack", lambda _: None)
    monkeypatch.setattr(lanes, "has_lanes", lambda _: False)
    monkeypatch.setattr(worker_module, "grade_code", lambda *_, **__: making.CORRECT)
    monkeypatch.setattr(leases, "record", write)
    Worker().grade(making.lease(), Idle())
    row.refresh_from_db()
    assert (row.verdict, row.tries_used, len(tries)) == ("correct", 1, away + 1)


@pytest.mark.parametrize("is_lost", [False, True])
@pytest.mark.django_db(transaction=True)
def test_nobody_seems_dead_as_soon_as_a_report_was_written_again(monkeypatch, is_lost):
    """Other workers were cut off as well, and their heartbeats are as old as the loss."""
    exercise = making.ready_exercise()
    row = making.waiting(exercise)
    worker, record, sweep, swept = Worker(), leases.record, leases.sweep, []
    other: list[leases.Lease] = []

    def write(*, lease, report):
        if not other:
            making.waiting(exercise)
            other.append(making.lease("other"))
            making.let_ten_seconds_pass()
            if is_lost:
                lose_the_connection()
        return record(lease=lease, report=report)

    monkeypatch.setattr(worker_module, "AFTER_FAILURE_SECONDS", 0)
    monkeypatch.setattr(Worker, "_can_run_soon", lambda *_: True)
    monkeypatch.setattr(worker_module, "read_pack", lambda _: None)
    monkeypatch.setattr(lanes, "has_lanes", lambda _: False)
    monkeypatch.setattr(worker_module, "grade_code", lambda *_, **__: making.CORRECT)
    monkeypatch.setattr(leases, "record", write)
    monkeypatch.setattr(leases, "sweep", lambda: swept.append(sweep()))
    worker._serve_next(Idle())
    row.refresh_from_db()
    assert (row.verdict, row.tries_used) == ("correct", 1)
    assert bool(swept) is not is_lost
    if is_lost or not on_postgresql():  # there a sweep is what takes rows from the dead
        assert record(lease=other[0], report=making.CORRECT)
    with monkeypatch.context() as later:
        seconds = worker_module.BACK_SECONDS + 4
        later.setattr(worker_module, "time", SimpleNamespace(monotonic=lambda: now + seconds))
        now, before = time.monotonic(), len(swept)
        worker._sweep_now_and_then()
    assert len(swept) == before + 1


@pytest.mark.django_db(transaction=True)
def test_a_database_that_stays_away_is_not_waited_for_without_an_end(monkeypatch):
    making.waiting(making.ready_exercise())
    lease, worker, waited = making.lease(), Worker(), []

    def fail():
        waited.append(1)
        raise OperationalError("no database answers")

    monkeypatch.setattr(worker_module, "WRITE_SECONDS", 0.05)
    monkeypatch.setattr(worker_module, "AFTER_FAILURE_SECONDS", 0.01)
    with pytest.raises(OperationalError):
        worker._write(lease, fail)
    assert len(waited) > 1
    worker.stop()
    waited.clear()
    with pytest.raises(OperationalError):
        worker._write(lease, fail)
    assert len(waited) == 1


class Minutes:
    """Stands for `stopping` and for the clock: to wait costs no time."""

    def __init__(self, until: float, then) -> None:
        self.now, self._until, self._then = 0.0, until, then

    def monotonic(self) -> float:
        return self.now

    def is_set(self) -> bool:
        return False

    def wait(self, seconds: float) -> None:
        self.now += seconds
        if self.now >= self._until:
            self._then()


@pytest.mark.parametrize("is_away", [False, True])
@pytest.mark.django_db(transaction=True)
def test_a_database_without_tables_is_told_of_each_minute(monkeypatch, caplog, is_away):
    def none(*_):
        if is_away:
            raise OperationalError("connection refused\nIs the server running?")
        return ["django_migrations"]

    with monkeypatch.context() as empty:
        empty.setattr(connection.introspection, "table_names", none)
        worker = Worker()
        worker.stopping = minutes = Minutes(150, empty.undo)
        empty.setattr(worker_module, "time", minutes)
        worker._wait_for_tables()
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 3
    assert all(record.exc_info is None for record in caplog.records)
    refused = "No database can be used: connection refused. It must run"
    cure = refused if is_away else "`manage.py migrate`"
    assert all(cure in one for one in said), said


@pytest.fixture
def _no_preparing(monkeypatch):
    monkeypatch.setattr(background, "LOOK_SECONDS", 60)
    monkeypatch.setattr(periodic_tasks, "LOOK_SECONDS", 60)


def run_until(worker: Worker, opener) -> None:
    """Run the worker's life in this thread; `opener` ends it."""
    worker._opener = opener
    worker.run()


@pytest.mark.usefixtures("_no_preparing")
@pytest.mark.django_db(transaction=True)
def test_without_a_sandbox_it_says_why_and_grades_nothing(monkeypatch):
    monkeypatch.setattr(worker_module, "RETRY_SECONDS", 0)
    row = making.waiting(making.ready_exercise())
    worker, seen = Worker(), []

    @contextmanager
    def missing(profile):
        if len(seen) == 2:
            worker.stop()
        seen.append(grading_state())
        raise SandboxUnavailable("bubblewrap is missing.", "Install it.")
        yield

    run_until(worker, missing)
    assert [state.on for state in seen] == [False, False, False]
    assert seen[-1].why == "bubblewrap is missing. Install it."
    row.refresh_from_db()
    assert (row.verdict, row.tries_used) == ("", 0)
    assert not WorkerHeartbeat.objects.exists()


@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.usefixtures("_no_preparing")
@pytest.mark.django_db(transaction=True)
def test_a_new_sandbox_is_opened_after_one_broke(packs, sandbox):
    exercise = making.ready_exercise(packs=0)
    CasePack.objects.update(data=packs[0].to_bytes())
    making.waiting(exercise, code=making.REFERENCE)
    worker, opened = Worker(), []

    class LastJob:
        def run(self, job):
            worker.stop()
            assert threading.current_thread() is threading.main_thread()
            return sandbox.run(job)

        def can_run_soon(self, source, library):
            return True

        def get_ready(self):
            sandbox.get_ready()

        def renew(self):
            sandbox.renew()

    @contextmanager
    def opener(profile):
        # Bubblewrap ends with the thread that started it, and then every verdict is a failure.
        assert threading.current_thread() is threading.main_thread()
        opened.append(profile)
        yield Broken() if len(opened) == 1 else LastJob()

    run_until(worker, opener)
    assert opened == ["student", "student"]
    row = Submission.objects.get()
    assert (row.verdict, row.tries_used) == ("correct", 2)


@pytest.mark.django_db(transaction=True)
def test_a_row_without_a_notification_is_taken_within_a_second(monkeypatch):
    """Such as one that a broken sandbox, or a dead worker, gave back."""
    row = making.waiting(making.ready_exercise())
    worker, taken = Worker(), []
    monkeypatch.setattr(Worker, "_can_run_soon", lambda *_: True)
    monkeypatch.setattr(worker, "grade", lambda lease, sandbox: taken.append(lease.submission.pk))

    class NoListener:
        asked: ClassVar[list[float]] = []

        def wait(self, seconds, *, until):
            self.asked.append(seconds)

    worker._listener = NoListener()
    worker._serve_next(Idle())
    assert (taken, NoListener.asked) == ([row.pk], [])
    worker._serve_next(Idle())
    assert 0 < NoListener.asked[0] <= 1


class Idle:
    """A sandbox that has nothing to do."""

    def get_ready(self):
        pass

    renew = get_ready


@pytest.mark.both_databases(postgresql="soak")
def test_verdict_words_are_the_graders(real_exercise):
    row = making.waiting(real_exercise)
    assert row.verdict_label == "Waiting"
    row.verdict = "limit_reached"
    assert row.verdict_label == Verdict.LIMIT_REACHED.label


@pytest.mark.parametrize("runs_slow_code", [True, False])
def test_seat_decides_about_slow_copies(monkeypatch, runs_slow_code):
    answers = []
    monkeypatch.setattr(type(engine()), "runs_slow_code", lambda _engine: runs_slow_code)
    monkeypatch.setattr(
        worker_module.trials, "lease_trial", lambda **how: answers.append(how["slow_too"])
    )
    assert not Worker()._try_copy(None)
    assert answers == [runs_slow_code]
