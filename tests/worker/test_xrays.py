"""X-rays by the worker: both sandboxes, the lanes of a Check, nothing kept of them."""

from types import SimpleNamespace

import pytest

from quizzes.exercises.models import CodeRun, Exercise, Submission
from quizzes.exercises.xray import rows
from quizzes.exercises.xray.rows import result_of, submit_xray
from quizzes.grader.api import SandboxBroken
from quizzes.grader.programs import XRay
from quizzes.grader.protocol.job import Sandbox
from quizzes.learners.models import Progress
from quizzes.worker.reference_sandbox import ReferenceSandbox
from quizzes.worker.worker import Worker
from tests.exercises import making
from tests.grader.test_xray import FLOORED
from tests.worker.test_counterexamples import author

__all__ = ["author"]  # a fixture
pytestmark = [pytest.mark.django_db(transaction=True)]


def send(exercise: Exercise, code: str = FLOORED, case: int | None = 1) -> Submission:
    learner = making.new_learner()
    return submit_xray(exercise=exercise, learner=learner, code=code, call="f(2, 3)", case=case)


def result(row: Submission) -> XRay | None:
    return result_of(Submission.objects.select_related("run").get(pk=row.pk))


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.parametrize("is_withheld", [False, True])
def test_worker_looks_inside(
    real_exercise: Exercise,
    sandbox: Sandbox,
    author: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_withheld: bool,
) -> None:
    """Without a right solution where that is hidden."""
    monkeypatch.setattr(rows, "may_compare", lambda **_: not is_withheld)
    if is_withheld:
        author.run = None
    row = send(real_exercise)
    Worker().grade(making.lease(), sandbox)
    row.refresh_from_db()
    assert row.slow is not is_withheld  # the place of wrong values is sought in the slow lane
    if row.slow:
        Worker().grade(making.lease(), sandbox)
    xray = result(row)
    assert xray is not None
    assert (xray.first_difference is None) == is_withheld
    known = {item.text for item in xray.expressions if item.known}
    assert (xray.compared, "2 * i" in known) == (not is_withheld, not is_withheld)
    assert {item.text for item in xray.expressions} >= {"2 * i", "2 * i // d"}
    row.refresh_from_db()
    assert (row.verdict, row.report, row.pack, row.exercise_version) == ("", None, None, None)
    assert not Progress.objects.exists()


@pytest.mark.sandbox
@pytest.mark.slow
def test_broken_author_costs_the_line_alone(
    real_exercise: Exercise, sandbox: Sandbox, author: SimpleNamespace
) -> None:
    def fail(_: object) -> None:
        raise SandboxBroken("gone")

    author.run = fail
    row = send(real_exercise)
    Worker().grade(making.lease(), sandbox)
    xray = result(row)
    assert xray is not None
    assert (xray.compared, xray.problem) == (False, "")
    assert "2 * i" in {item.text for item in xray.expressions}


@pytest.mark.sandbox
@pytest.mark.slow
def test_endless_xray_goes_on_in_the_slow_lane(
    real_exercise: Exercise, sandbox: Sandbox, author: SimpleNamespace
) -> None:
    endless = "import time\ndef sinusoidal_table(n, d):\n    while True: time.sleep(0.05)"
    row = send(real_exercise, endless)  # computing ends the same way: test_run_clock.py
    Worker().grade(making.lease(), sandbox)
    row.refresh_from_db()
    assert (row.slow, row.graded_at) == (True, None)
    Worker().grade(making.lease(), sandbox)
    xray = result(row)
    assert xray is not None
    assert "The X-ray was stopped after" in xray.problem


def test_withheld_xray_starts_no_author(author: SimpleNamespace) -> None:
    author.ready = False
    version = making.ready_exercise().current
    references = ReferenceSandbox()
    assert references.can_run_soon(CodeRun(looks_into=version, compares=False))
    assert author.starts == 0
    assert not references.can_run_soon(CodeRun(looks_into=version, compares=True))
    assert author.starts == 1
