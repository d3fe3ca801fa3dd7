"""Runs by the worker: the real sandbox, the lanes of a Check, workers that die, nothing kept."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection
from django.utils import timezone

from quizzes import statements
from quizzes.exercises.models import CodeRun, Submission
from quizzes.exercises.queue import leases
from quizzes.exercises.queue.clock import time_in_statement
from quizzes.exercises.queue.engine import engine
from quizzes.exercises.queue.port import Lease
from quizzes.exercises.queue.submission_limits import TooMany
from quizzes.exercises.runs.rows import outcome_of, submit_run
from quizzes.grader.errors import SandboxBroken
from quizzes.grader.programs import ProgramRun
from quizzes.grader.protocol.job import Sandbox
from quizzes.learners.models import Learner, Progress
from quizzes.worker import periodic_tasks
from quizzes.worker.worker import Worker
from tests.databases import on_postgresql
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]
TABLE = "import numpy as np\ndef f(n):\n    print('hello')\n    return np.eye(n)\n"


def send(learner: Learner | None = None, code: str = TABLE, call: str = "f(2)") -> Submission:
    return submit_run(learner=learner or making.new_learner(), code=code, call=call)


def work(sandbox: object) -> None:
    Worker().grade(making.lease(), sandbox)  # type: ignore[arg-type]


def now(row: Submission) -> Submission:
    return Submission.objects.select_related("run").get(pk=row.pk)


@pytest.mark.sandbox
@pytest.mark.slow
def test_run_needs_no_exercise(sandbox: Sandbox) -> None:
    row = send()
    work(sandbox)
    row = now(row)
    outcome = outcome_of(row)
    assert outcome is not None
    assert (outcome.output, outcome.values[0].text) == ("hello\n", "[[1., 0.],\n [0., 1.]]")
    assert (row.verdict, row.report, row.pack, row.exercise_version) == ("", None, None, None)
    assert not Progress.objects.exists()
    assert "run" in str(row)


@pytest.mark.sandbox
@pytest.mark.slow
def test_endless_run_goes_on_in_the_slow_lane(sandbox: Sandbox) -> None:
    endless = "import time\nwhile True:\n    time.sleep(0.05)"
    row = send(code=endless, call="")  # computing ends the same way
    work(sandbox)
    row = now(row)
    assert (row.slow, row.graded_at, row.tries_used) == (True, None, 0)
    work(sandbox)
    outcome = outcome_of(now(row))
    assert outcome is not None
    assert "the limit is 2 s" in outcome.problem
    seconds = now(row).slow_seconds
    assert seconds is not None
    assert seconds > 1


def fail(*_: object, **__: object) -> None:
    raise SandboxBroken("the fork server died")


def test_run_of_killed_workers_is_closed_as_ours() -> None:
    row = send()
    for _ in range(3):
        with pytest.raises(SandboxBroken):
            work(SimpleNamespace(run=fail, can_run_soon=lambda *_: True))
    row = now(row)
    assert (row.verdict, row.tries_used) == ("not_graded", 3)
    assert outcome_of(row) is None
    Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=2))
    again = send(row.learner)
    assert leases.record_run(lease=making.lease(), outcome=ProgramRun("hello\n"))
    assert outcome_of(now(again)) == ProgramRun("hello\n")


def test_lapsed_lease_writes_nothing() -> None:
    row = send()
    dead = making.lease("dead")
    if on_postgresql():
        leases.hand_over(lease=dead)
    else:
        Submission.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    living = making.lease("living")
    assert not leases.record_run(lease=dead, outcome=ProgramRun("of the dead"))
    assert leases.record_run(lease=living, outcome=ProgramRun("of the living"))
    outcome = outcome_of(now(row))
    assert outcome is not None
    assert outcome.output == "of the living"


def test_run_has_the_turn_of_a_check() -> None:
    """Before a Submit that came earlier, and one of a learner at a time."""
    exercise = making.ready_exercise()
    submit, run = making.waiting(exercise), send()
    first: Lease = making.lease()
    assert first.submission == run
    assert making.lease("two").submission == submit
    mine = making.waiting(exercise, run.learner, kind="check")
    assert leases.lease_next(worker="three") is None, "the learner has a Run in work"
    leases.record_run(lease=first, outcome=ProgramRun())
    assert making.lease("three").submission == mine


def test_run_has_the_limits_of_a_check() -> None:
    exercise, learner = making.ready_exercise(), making.new_learner()
    making.hand_in(exercise, learner, kind="check")
    with pytest.raises(TooMany, match="Run once a second"):
        send(learner)
    Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=2))
    send(learner)
    with pytest.raises(TooMany, match="Check once a second"):
        making.hand_in(exercise, learner, kind="check")


def test_runs_are_deleted_after_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what came of them; those that wait too. A Check of the same age stays."""
    monkeypatch.setattr(periodic_tasks, "BATCH", 2)
    exercise = making.ready_exercise()
    old = [send() for _ in range(3)]
    leases.record_run(lease=making.lease(), outcome=ProgramRun())
    check = making.waiting(exercise, kind="check")
    Submission.objects.update(submitted_at=timezone.now() - timedelta(minutes=61))
    new = send()
    while periodic_tasks.forget_old_runs():
        continue
    left = set(Submission.objects.values_list("pk", flat=True))
    assert left == {check.pk, new.pk}
    assert set(CodeRun.objects.values_list("pk", flat=True)) == {new.pk}
    assert old[0].pk not in left
    if on_postgresql():  # a job whose row is gone is ended
        assert making.lease().submission == check
        assert making.lease("two").submission == new


def test_deletion_is_asked_for_old_runs_alone() -> None:
    """In the statement that an idle worker asks every four seconds."""
    (task,) = [task for task in periodic_tasks.tasks() if task.name == "forget old Runs"]
    assert task.rows is not None
    row = send()
    for age, is_due in ((59, False), (61, True)):
        sent_at = timezone.now() - timedelta(minutes=age)
        Submission.objects.filter(pk=row.pk).update(submitted_at=sent_at)
        statement = statements.select(task.rows(time_in_statement()).values_list("pk"))
        assert bool(statement.rows(now=timezone.now())) is is_due


def test_waiting_run_without_a_job_gets_one() -> None:
    row = send()
    if on_postgresql():
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM procrastinate_jobs")
        assert engine().put_missing() == 1
    assert making.lease().submission == row
