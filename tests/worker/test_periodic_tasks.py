"""What workers do now and then: one process at a time, taken over, caught up with, in batches."""

import threading
from contextlib import nullcontext
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.management import call_command
from django.db import InterfaceError, connection
from django.utils import timezone

from quizzes.assessment.models import Attempt
from quizzes.assessment.services import start_attempt
from quizzes.courses.models import PendingZip
from quizzes.exercises.models import CasePack, PeriodicTask, Submission
from quizzes.exercises.queue import leases
from quizzes.learners.models import Learner, User
from quizzes.worker import periodic_tasks
from quizzes.worker.periodic_tasks import PeriodicWork
from quizzes.worker.pool_keeper import AuthorSandboxes, PoolKeeper
from quizzes.worker.tasks import Task
from tests.databases import on_postgresql
from tests.exercises import making
from tests.factories import create_quiz

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

MINUTE = timedelta(minutes=1)


def worker() -> PeriodicWork:
    return PeriodicWork(process=uuid4(), keep_lease=lambda _renew: nullcontext())


def run_all(work: PeriodicWork, most: int = 100) -> int:
    """Run what is due until nothing is; return how many pieces that were."""
    for pieces in range(most):
        if not work.run_next():
            return pieces
    raise AssertionError(f"more than {most} pieces were due")


def taken(name: str, work: PeriodicWork) -> bool:
    """Take the task for this process, as it is now."""
    return periodic_tasks.take(PeriodicTask.objects.get(name=name), work._process)


def let_pass(time: timedelta) -> None:
    for row in PeriodicTask.objects.all():
        until = row.taken_until - time if row.taken_until else None
        PeriodicTask.objects.filter(pk=row.pk).update(due_at=row.due_at - time, taken_until=until)


@pytest.fixture
def runs(monkeypatch):
    """Two tasks that note their runs, in place of the site's: `runs.results` say how they end."""

    class Runs(list):
        results: dict[str, list[object]] = {}

        def task(self, name: str, minutes: int) -> Task:
            def run() -> bool:
                self.append(name)
                result = self.results.get(name, [False]).pop(0) if self.results.get(name) else False
                if isinstance(result, Exception):
                    raise result
                return bool(result)

            return Task(name, minutes * MINUTE, run)

    noted = Runs()
    noted.results = {}
    found = [noted.task("often", 1), noted.task("rarely", 60)]
    monkeypatch.setattr(periodic_tasks, "tasks", lambda: found)
    return noted


def test_each_is_run_once_by_all_workers_together_and_again_when_it_is_due(runs):
    first, second = worker(), worker()
    assert run_all(first) == 2
    assert run_all(second) == 0
    let_pass(2 * MINUTE)
    assert run_all(second) == 1
    assert run_all(first) == 0
    let_pass(60 * MINUTE)
    run_all(first)
    assert sorted(runs) == ["often"] * 3 + ["rarely"] * 2


def test_what_fell_due_while_no_worker_ran_is_run_by_the_first_that_starts_and_once(runs):
    run_all(worker())
    let_pass(timedelta(days=3))
    assert run_all(worker()) == 2


@pytest.mark.django_db(transaction=True)  # it closes the connection
def test_its_thread_goes_on_after_a_look_that_failed(runs, monkeypatch, caplog):
    waits = []

    class Stopping(threading.Event):
        def wait(self, timeout=None):
            waits.append(timeout)
            return len(waits) == 6

    thread = periodic_tasks.PeriodicThread(
        stopping=Stopping(), process=uuid4(), keep_lease=lambda _renew: nullcontext()
    )
    looks = iter([InterfaceError("gone"), True, False, False])

    def run_next():
        if isinstance(result := next(looks), Exception):
            raise result
        return result

    monkeypatch.setattr(thread._work, "run_next", run_next)
    thread.run()
    rest, look = periodic_tasks.AFTER_FAILURE.total_seconds(), periodic_tasks.LOOK_SECONDS
    assert waits == [look, rest, look, 0, periodic_tasks.SOON_SECONDS, look]
    assert caplog.text.count("InterfaceError: gone") == 1


def test_what_has_more_to_do_is_due_at_once(runs):
    runs.results["rarely"] = [True, True, False]
    assert run_all(worker()) == 4


def test_a_task_of_a_process_that_died_is_taken_over_and_not_before(runs):
    dies, other = worker(), worker()
    other._store()
    assert taken("often", dies)
    assert run_all(other) == 1
    let_pass(periodic_tasks.TAKEN_FOR + timedelta(seconds=1))
    assert run_all(other) == 1
    assert runs == ["rarely", "often"]
    periodic_tasks.release("often", dies._process, due_in=timedelta(days=9))  # it was frozen
    let_pass(2 * MINUTE)
    assert run_all(other) == 1


def test_of_two_processes_that_read_a_task_as_free_one_takes_it(runs):
    worker()._store()
    first, second = (PeriodicTask.objects.get(name="often") for _ in range(2))
    assert periodic_tasks.take(first, uuid4())
    assert not periodic_tasks.take(second, uuid4())


def test_a_task_that_is_renewed_is_not_taken_over(runs):
    at_it, other = worker(), worker()
    other._store()
    assert taken("often", at_it)
    let_pass(periodic_tasks.TAKEN_FOR + timedelta(seconds=1))
    assert periodic_tasks.renew("often", at_it._process)
    assert not periodic_tasks.renew("often", other._process)
    run_all(other)
    assert runs == ["rarely"]


def test_a_clock_put_back_an_hour_holds_up_no_task(runs):
    """Neither what waits until a time of the wrong clock nor what a process had that died."""
    dies, other = worker(), worker()
    run_all(other)
    assert taken("often", dies)
    let_pass(-60 * MINUTE)
    assert run_all(other) == 2
    assert run_all(other) == 0
    let_pass(2 * MINUTE)
    assert run_all(other) == 1


def test_a_clock_put_back_an_hour_holds_up_no_work_that_one_process_does_alone(runs):
    with worker().alone("fill") as is_ours:
        assert is_ours
        let_pass(-60 * MINUTE)
        with worker().alone("fill") as is_theirs:
            assert is_theirs, "the first seems to have died by the wrong clock"
    let_pass(-60 * MINUTE)
    with worker().alone("fill") as is_ours:
        assert is_ours


def test_task_without_rows_costs_one_query(runs, django_assert_num_queries):
    """It is run once something is to do, by the database's clock, or after some minutes."""
    work = worker()
    work._tasks = {
        "seldom needed": Task(
            "seldom needed",
            timedelta(seconds=5),
            lambda: bool(runs.append("seldom needed")),
            rows=lambda now: Submission.objects.ungraded().filter(submitted_at__lt=now),
        )
    }
    assert run_all(work) == 0
    let_pass(MINUTE)
    with django_assert_num_queries(1):
        assert not work.run_next()
    row = making.waiting(making.ready_exercise())
    assert run_all(work) == 1
    let_pass(timedelta(seconds=4))
    assert run_all(work) == 0
    let_pass(timedelta(seconds=2))
    assert run_all(work) == 1
    Submission.objects.filter(pk=row.pk).delete()
    let_pass(MINUTE)
    assert run_all(work) == 0
    let_pass(periodic_tasks.ANYWAY)
    assert run_all(work) == 1


def test_attempt_whose_time_is_up_is_a_row_to_do(runs):
    task = Task("attempts", MINUTE, lambda: False, rows=Attempt.objects.overdue)
    work = worker()
    work._tasks = {"attempts": task}
    assert run_all(work) == 0
    attempt = start_attempt(learner=making.new_learner(), quiz=create_quiz())
    Attempt.objects.filter(pk=attempt.pk).update(deadline_at=timezone.now())
    assert run_all(work) == 0, "it still takes answers"
    Attempt.objects.filter(pk=attempt.pk).update(deadline_at=timezone.now() - MINUTE)
    assert run_all(work) == 1


def test_a_failure_is_kept_holds_up_nothing_and_is_tried_again(runs, caplog):
    runs.results["often"] = [ZeroDivisionError("by accident"), False]
    work = worker()
    assert run_all(work) == 2
    row = PeriodicTask.objects.get(name="often")
    assert (row.failure, row.done_at) == ("ZeroDivisionError: by accident", None)
    assert "by accident" in caplog.text
    let_pass(periodic_tasks.AFTER_FAILURE)
    run_all(work)
    row.refresh_from_db()
    assert (row.failure, row.done_at is None) == ("", False)


def test_a_row_of_a_task_that_the_code_no_longer_has_harms_nothing(runs):
    PeriodicTask.objects.create(name="gone", due_at=timezone.now() - MINUTE)
    assert run_all(worker()) == 2


def test_two_processes_do_not_fill_pools_at_once():
    """Both would draw for the version that lacks most."""
    drawn = []

    class Thin:
        def lowest(self, *, without=()):
            return None if len(drawn) > 1 else CasePack(pk=1)

        def new_seeds(self):
            return [len(drawn)]

        def draw(self, version, seeds, author):
            drawn.append(seeds)
            assert keepers[1].fill() is False

        def mark(self, version, problem):
            raise AssertionError(problem)

    sandboxes = AuthorSandboxes(lambda _profile: nullcontext(None))
    keepers = [
        PoolKeeper(
            Thin(),
            sandboxes,
            stopping=threading.Event(),
            alone=partial(worker().alone, "fill"),
        )
        for _ in range(2)
    ]
    assert keepers[0].fill()
    assert drawn == [[0], [1]]
    drawn.clear()
    assert keepers[0].fill(), "it was released"


def test_old_checks_are_forgotten_in_batches_and_submissions_are_not(monkeypatch):
    monkeypatch.setattr(periodic_tasks, "BATCH", 2)
    exercise = making.ready_exercise()
    for kind in ("check",) * 5 + ("submit",):
        making.waiting(exercise, kind=kind)
        leases.record(lease=making.lease(), report=making.WRONG)
    waiting = making.waiting(exercise, kind="check")
    Submission.objects.update(submitted_at=timezone.now() - timedelta(days=8))
    left = []
    more = True
    while more:
        more = periodic_tasks.forget_old_checks()
        left.append(Submission.objects.filter(kind="check").count())
    assert left == [4, 2, 1]
    assert Submission.objects.get(kind="check") == waiting
    assert Submission.objects.filter(kind="submit").count() == 1


def test_what_is_personal_and_old_is_forgotten_by_a_worker(client, django_user_model):
    """Visitors without an account, sessions, and the addresses of those that signed in."""
    django_user_model.objects.create_user("ada", password="a long one of hers")
    for password in ("a long one of hers", "a wrong one"):
        client.post("/accounts/login/", {"login": "ada", "password": password})
    visitor = Learner.objects.create()
    assert UserSession.objects.exists()
    assert AccessLog.objects.exists() or AccessAttempt.objects.exists()
    run_all(worker())
    assert Learner.objects.filter(pk=visitor.pk).exists()
    long_ago = timezone.now() - timedelta(days=100)
    for log in (AccessLog, AccessAttempt, AccessFailureLog):
        log.objects.update(attempt_time=long_ago)
    Session.objects.update(expire_date=long_ago)
    Learner.objects.filter(user=None).update(last_seen_at=long_ago)
    let_pass(timedelta(days=2))
    run_all(worker())
    for model in (AccessLog, AccessAttempt, AccessFailureLog, Session, UserSession):
        assert not model.objects.exists(), model
    assert not Learner.objects.filter(pk=visitor.pk).exists()
    assert django_user_model.objects.filter(username="ada").exists()


@pytest.mark.skipif(not on_postgresql(), reason="on SQLite the row is the queue")
def test_a_row_without_a_job_gets_one_from_a_worker():
    making.waiting(making.ready_exercise())
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM procrastinate_jobs")
    assert leases.lease_next(worker="one") is None
    run_all(worker())
    assert leases.lease_next(worker="one") is not None


def test_the_command_for_idle_visitors_still_says_what_it_did(capsys):
    Learner.objects.create()
    Learner.objects.update(last_seen_at=timezone.now() - timedelta(days=100))
    call_command("forget_idle_learners")
    assert "1 learners without an account forgotten" in capsys.readouterr().out


def test_values_of_the_cache_go_when_their_time_is_over():
    cache = caches["default"]
    cache.set("over", "an address", timeout=-100)
    cache.set("kept", "an address", timeout=100)
    cache.set("always", "an address", timeout=None)
    run_all(worker())
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM site_cache")  # which tests do not empty
        found = {key.rpartition(":")[2] for (key,) in cursor.fetchall()}
    assert found & {"over", "kept", "always"} == {"always", "kept"}


def test_a_zip_that_nobody_applied_goes() -> None:
    now = timezone.now()
    for name, hours in (("eve", 25), ("ida", 23)):
        by = User.objects.create_user(name)
        at = now - timedelta(hours=hours)
        PendingZip.objects.create(by=by, slug="algebra", data=b"zip", at=at)
    run_all(worker())
    assert [zip_.by.username for zip_ in PendingZip.objects.all()] == ["ida"]
