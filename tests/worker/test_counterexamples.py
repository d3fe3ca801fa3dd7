"""Calls on a wrong program by the worker: both sandboxes, whose failure it is, nothing kept."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from quizzes.exercises.counterexamples.rows import result_of
from quizzes.exercises.models import CasePack, CodeRun, Exercise, Submission
from quizzes.exercises.queue.submission_limits import TooMany
from quizzes.exercises.runs.rows import submit_run
from quizzes.grader.errors import SandboxBroken
from quizzes.grader.protocol.job import Sandbox
from quizzes.learners.models import Learner, Progress
from quizzes.worker import periodic_tasks, reference_sandbox
from quizzes.worker.reference_sandbox import ReferenceSandbox
from quizzes.worker.worker import Worker
from tests.exercises import making
from tests.shared_sandboxes import shared_sandbox

pytestmark = [pytest.mark.django_db(transaction=True)]


def send(exercise: Exercise, learner: Learner | None = None, call: str = "") -> Submission:
    assert exercise.current is not None
    wrong = exercise.current.definition.wrong["base_1000"]
    return submit_run(
        learner=learner or making.new_learner(),
        code=wrong.program,
        call=call or "sinusoidal_table(2, 3)",
        against=exercise.current,
        mistake="base_1000",
    )


def now(row: Submission) -> Submission:
    return Submission.objects.select_related("run").get(pk=row.pk)


@pytest.fixture
def author(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The author's sandbox of these tests in the place of one that starts late."""
    kept = SimpleNamespace(ready=True, starts=0, closed=0, run=shared_sandbox("author").run)

    def start_soon() -> None:
        kept.starts += 1

    def close() -> None:
        kept.closed += 1

    kept.can_run_soon = lambda: kept.ready
    kept.start_soon, kept.close = start_soon, close
    monkeypatch.setattr(reference_sandbox, "author_sandbox_later", lambda _: kept)
    return kept


@pytest.mark.sandbox
@pytest.mark.slow
def test_worker_finds_the_witness(
    real_exercise: Exercise, sandbox: Sandbox, author: SimpleNamespace
) -> None:
    row = send(real_exercise)
    Worker().grade(making.lease(), sandbox)
    row = now(row)
    result = result_of(row)
    assert result is not None
    assert (result.state, result.size) == ("witness", "smallest"), result
    assert (row.verdict, row.report, row.pack, row.exercise_version) == ("", None, None, None)
    assert not Progress.objects.exists()


@pytest.mark.sandbox
@pytest.mark.slow
def test_endless_call_ends_in_the_quick_lane(
    real_exercise: Exercise, sandbox: Sandbox, author: SimpleNamespace
) -> None:
    row = send(real_exercise, call="while True: __import__('time').sleep(0.05)")
    Worker().grade(making.lease(), sandbox)
    row = now(row)
    result = result_of(row)
    assert result is not None
    assert (row.slow, "stopped after 0.4 s" in result.problem) == (False, True)


@pytest.mark.sandbox
@pytest.mark.slow
def test_broken_author_sandbox_leaves_the_other_open(
    real_exercise: Exercise, sandbox: Sandbox, author: SimpleNamespace
) -> None:
    """Nobody else's code waits for a new sandbox; after three times it is our failure."""

    def fail(_: object) -> None:
        raise SandboxBroken("the fork server died")

    author.run = fail
    row = send(real_exercise)
    for _ in range(3):
        Worker().grade(making.lease(), sandbox)
    row = now(row)
    assert (row.verdict, result_of(row)) == ("not_graded", None)


@pytest.mark.sandbox
@pytest.mark.slow
def test_unreadable_pack_leaves_its_pool(
    real_exercise: Exercise, sandbox: Sandbox, author: SimpleNamespace
) -> None:
    """Another serves the same try."""
    pack = CasePack.objects.order_by("pk")[0]
    CasePack.objects.filter(pk=pack.pk).update(data=b"PEQ1 nonsense")
    row = send(real_exercise)
    Worker().grade(making.lease(), sandbox)
    result = result_of(now(row))
    assert result is not None
    assert result.state == "witness"
    assert [damaged.pk for damaged in CasePack.objects.exclude(retired_at=None)] == [pack.pk]


def test_author_sandbox_starts_when_it_is_due(author: SimpleNamespace) -> None:
    """It is started for the first row alone, and ends once it was unused."""
    exercise = making.ready_exercise()
    run = send(exercise).run
    references, author.ready = ReferenceSandbox(), False
    assert references.can_run_soon(CodeRun(call="f(1)"))
    assert author.starts == 0
    assert not references.can_run_soon(run)
    assert author.starts == 1
    author.ready = True
    assert references.can_run_soon(run)
    references.end_unused()
    assert author.closed == 0
    references._used_at -= reference_sandbox.UNUSED_SECONDS + 1
    references.end_unused()
    references.end_unused()
    assert author.closed == 1


def test_try_is_limited_and_deleted_as_a_run() -> None:
    exercise, learner = making.ready_exercise(), making.new_learner()
    send(exercise, learner)
    with pytest.raises(TooMany, match="once a second"):
        send(exercise, learner, "sinusoidal_table(1, 1)")
    Submission.objects.update(submitted_at=timezone.now() - timedelta(minutes=61))
    while periodic_tasks.forget_old_runs():
        continue
    assert not Submission.objects.exists()
    assert not CodeRun.objects.exists()
