"""Batches of calls by the worker: the quick lane alone, the reference in the author's sandbox."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.runs.code_figure import batch, moved, place_of
from quizzes.exercises.runs.samples import sample_of, submit_sample
from quizzes.grader.errors import SandboxBroken
from quizzes.grader.programs import Sample, sample
from quizzes.grader.protocol.job import Sandbox
from quizzes.learners.models import Learner, Progress
from quizzes.worker import reference_sandbox
from quizzes.worker.worker import Worker
from tests.exercises import making
from tests.shared_sandboxes import shared_sandbox

pytestmark = [pytest.mark.django_db(transaction=True)]
NAP = "__import__('time').sleep(0.05)"  # computing ends the same way
LOOP = f"import numpy as np\ndef sinusoidal_table(n, d, base):\n    while n < 20: {NAP}\n"
LOOP += "    return np.zeros((n, d))\n"


def send(
    exercise: Exercise,
    code: str = LOOP,
    learner: Learner | None = None,
    *,
    hand: str = "24",
    with_reference: bool,
) -> Submission:
    version = exercise.current
    assert version is not None
    figure = version.definition.figure
    assert figure is not None
    places = batch(figure, moved(figure, {"positions": hand}), "positions")
    shapes: list[Any] = [place.compute().values.shape for place in places]
    return submit_sample(
        learner=learner or making.new_learner(),
        code=code,
        call=figure.call,
        slider="positions",
        places=[place_of(place) for place in places],
        shapes=shapes,
        version=version,
        with_reference=with_reference,
    )


def now(row: Submission) -> Submission:
    return Submission.objects.select_related("run").get(pk=row.pk)


@pytest.fixture
def author(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The author's sandbox of these tests in the place of one that starts late."""
    kept = SimpleNamespace(ready=True, starts=0, runs=0)

    def run(job: object) -> object:
        kept.runs += 1
        return shared_sandbox("author").run(job)  # type: ignore[arg-type]

    def start_soon() -> None:
        kept.starts += 1

    kept.run, kept.start_soon = run, start_soon
    kept.can_run_soon, kept.close = lambda: kept.ready, lambda: None
    monkeypatch.setattr(reference_sandbox, "author_sandbox_later", lambda _: kept)
    return kept


@pytest.mark.sandbox
@pytest.mark.slow
def test_endless_place_keeps_those_before(
    real_exercise: Exercise, sandbox: Sandbox, author: SimpleNamespace
) -> None:
    """In the quick lane alone; nothing is counted, and no reference is called without a wish."""
    row = send(real_exercise, with_reference=False)
    Worker().grade(making.lease(), sandbox)
    row = now(row)
    batch = sample_of(row)
    assert batch is not None
    assert (row.slow, row.verdict, row.report, row.exercise_version) == (False, "", None, None)
    came = [array is not None for array in batch.arrays]
    assert any(came)
    assert not all(came)
    assert "the limit is 0.4 s. It was in line 3." in batch.problem
    assert batch.references is None
    assert (author.runs, author.starts) == (0, 0)
    assert not Progress.objects.exists()


@pytest.mark.sandbox
@pytest.mark.slow
def test_reference_is_called_once_for_same_places(
    real_exercise: Exercise, sandbox: Sandbox, author: SimpleNamespace
) -> None:
    """Also while the author's sandbox is not there any more."""
    assert real_exercise.current is not None
    right = real_exercise.current.definition.reference
    worker = Worker()
    send(real_exercise, right, with_reference=True)
    worker.grade(making.lease(), sandbox)
    author.ready = False
    row = send(real_exercise, right, with_reference=True)
    lease = making.lease()
    assert worker._can_run_soon(lease, shared_sandbox("student"))
    worker.grade(lease, sandbox)
    batch = sample_of(now(row))
    assert batch is not None
    assert batch.references is not None
    for own, expected in zip(batch.arrays, batch.references, strict=True):
        np.testing.assert_array_equal(own, expected)
    assert (author.runs, author.starts) == (1, 0)


@pytest.mark.sandbox
@pytest.mark.slow
def test_row_waits_until_the_reference_can_run(
    real_exercise: Exercise, sandbox: Sandbox, author: SimpleNamespace
) -> None:
    author.ready = False
    send(real_exercise, with_reference=True)
    lease = making.lease()
    assert not Worker()._can_run_soon(lease, shared_sandbox("student"))
    assert author.starts == 1


@pytest.mark.sandbox
@pytest.mark.slow
def test_own_numbers_come_before_the_reference(
    real_exercise: Exercise, sandbox: Sandbox, author: SimpleNamespace
) -> None:
    """Once the author's sandbox has started, the same row has both."""
    assert real_exercise.current is not None
    author.ready = False
    row = send(real_exercise, real_exercise.current.definition.reference, with_reference=True)
    grader, students = Worker(), SimpleNamespace(run=sandbox.run, can_run_soon=lambda *_: True)
    assert grader._lease_next(students) is None  # type: ignore[arg-type]
    early = now(row)
    batch_of_now = sample_of(early)
    assert early.graded_at is None
    assert batch_of_now is not None
    assert batch_of_now.is_whole
    assert batch_of_now.references is None
    author.ready = True
    lease = grader._ready_aside(students)  # type: ignore[arg-type]
    assert lease is not None
    grader.grade(lease, sandbox)
    last = sample_of(now(row))
    assert last is not None
    assert last.references is not None


@pytest.mark.sandbox
@pytest.mark.slow
def test_failed_reference_is_not_remembered(
    real_exercise: Exercise,
    sandbox: Sandbox,
    author: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A busy host may leave it no time: the next learner has it."""
    assert real_exercise.current is not None
    right, calls = real_exercise.current.definition.reference, []

    def fail_first(*args: Any, **more: Any) -> Sample:
        calls.append(args)
        batch = sample(*args, **more)
        if len(calls) > 1:
            return batch
        none = (None,) * len(batch.arrays)
        return replace(batch, arrays=none, problems=("Too slow.",) * len(none), problem="Too slow.")

    monkeypatch.setattr(reference_sandbox, "sample", fail_first)
    grader, batches = Worker(), []
    for _ in range(3):
        row = send(real_exercise, right, with_reference=True)
        grader.grade(making.lease(), sandbox)
        batches.append(sample_of(now(row)))
    have = [
        bool(batch and batch.references and batch.references[0] is not None) for batch in batches
    ]
    assert (have, len(calls)) == ([False, True, True], 2)


@pytest.mark.sandbox
@pytest.mark.slow
def test_broken_reference_leaves_own_numbers(
    real_exercise: Exercise,
    sandbox: Sandbox,
    author: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert real_exercise.current is not None

    def fail(_: object) -> None:
        raise SandboxBroken("the fork server died")

    monkeypatch.setattr(author, "run", fail)
    row = send(real_exercise, real_exercise.current.definition.reference, with_reference=True)
    Worker().grade(making.lease(), sandbox)
    row = now(row)
    batch_of_row = sample_of(row)
    assert batch_of_row is not None
    assert batch_of_row.is_whole
    assert (row.verdict, batch_of_row.references) == ("", None)


@pytest.mark.sandbox
@pytest.mark.slow
def test_reference_serves_every_place_of_hand(
    real_exercise: Exercise, sandbox: Sandbox, author: SimpleNamespace
) -> None:
    """The same places in another order are one run; the numbers stand where they belong."""
    assert real_exercise.current is not None
    right, grader = real_exercise.current.definition.reference, Worker()
    for hand in ("24", "3"):
        row = send(real_exercise, right, hand=hand, with_reference=True)
        grader.grade(making.lease(), sandbox)
        batch_of_row = sample_of(now(row))
        assert batch_of_row is not None
        assert batch_of_row.references is not None
        for own, reference in zip(batch_of_row.arrays, batch_of_row.references, strict=True):
            np.testing.assert_array_equal(own, reference)
    assert author.runs == 1


@pytest.mark.sandbox
@pytest.mark.slow
def test_array_of_another_shape_is_not_stored(real_exercise: Exercise, sandbox: Sandbox) -> None:
    code = "import numpy as np\ndef sinusoidal_table(n, d, base):\n    return np.ones((64, 32))\n"
    row = send(real_exercise, code, with_reference=False)
    Worker().grade(making.lease(), sandbox)
    batch_of_row = sample_of(now(row))
    assert batch_of_row is not None
    assert set(batch_of_row.arrays) == {None}
    assert "have the shape (64, 32); the figure draws (24, 24)." in batch_of_row.problems[0]
    assert len(now(row).run.picture) < 100


def test_batch_of_killed_workers_is_closed_as_ours(real_exercise: Exercise) -> None:
    def fail(*_: object, **__: object) -> None:
        raise SandboxBroken("the fork server died")

    row = send(real_exercise, with_reference=False)
    for _ in range(3):
        with pytest.raises(SandboxBroken):
            Worker().grade(making.lease(), SimpleNamespace(run=fail))  # type: ignore[arg-type]
    row = now(row)
    assert (row.verdict, row.tries_used) == ("not_graded", 3)
    assert sample_of(row) is None


def test_sandbox_broken_before_reference_counts(
    real_exercise: Exercise, author: SimpleNamespace
) -> None:
    """Nothing is set aside for it, and after three leases it is closed as our failure."""

    def fail(*_: object, **__: object) -> None:
        raise SandboxBroken("the fork server died")

    author.ready = False
    row = send(real_exercise, with_reference=True)
    students, grader = SimpleNamespace(run=fail, can_run_soon=lambda *_: True), Worker()
    for _ in range(3):
        with pytest.raises(SandboxBroken):
            grader._lease_next(students)  # type: ignore[arg-type]
        assert not grader._aside
    assert grader._lease_next(students) is None  # type: ignore[arg-type]
    row = now(row)
    assert (row.verdict, row.tries_used) == ("not_graded", 3)
