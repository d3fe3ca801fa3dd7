"""Batches of calls by the worker: the quick lane alone, the reference in the author's sandbox."""

from types import SimpleNamespace

import numpy as np
import pytest

from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.runs.code_figure import batch, initial_selection, place_of
from quizzes.exercises.runs.samples import sample_of, submit_sample
from quizzes.grader.errors import SandboxBroken
from quizzes.grader.protocol.job import Sandbox
from quizzes.learners.models import Learner, Progress
from quizzes.worker import reference_sandbox
from quizzes.worker.worker import Worker
from tests.exercises import making
from tests.shared_sandboxes import shared_sandbox

pytestmark = [pytest.mark.django_db(transaction=True)]
LOOP = "import numpy as np\ndef sinusoidal_table(n, d, base):\n    while n < 20: pass\n"
LOOP += "    return np.zeros((n, d))\n"


def send(
    exercise: Exercise, code: str = LOOP, learner: Learner | None = None, *, with_reference: bool
) -> Submission:
    version = exercise.current
    assert version is not None
    figure = version.definition.figure
    assert figure is not None
    places = batch(figure, initial_selection(figure), "positions")
    return submit_sample(
        learner=learner or making.new_learner(),
        code=code,
        call=figure.call,
        slider="positions",
        places=[place_of(place) for place in places],
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
    found = sample_of(row)
    assert found is not None
    assert (row.slow, row.verdict, row.report, row.exercise_version) == (False, "", None, None)
    came = [array is not None for array in found.arrays]
    assert any(came)
    assert not all(came)
    assert "the limit is 0.4 s. It was in line 3." in found.problem
    assert found.references is None
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
    found = sample_of(now(row))
    assert found is not None
    assert found.references is not None
    for own, wanted in zip(found.arrays, found.references, strict=True):
        np.testing.assert_array_equal(own, wanted)
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
