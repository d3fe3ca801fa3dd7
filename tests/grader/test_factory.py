"""Two fork servers behind one sandbox: who gets a job, when torch starts, what its death costs."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizzes.grader.errors import SandboxBroken
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job, Run
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.sandbox.factory import RoutedSandbox, open_for_serving
from tests.grader.programs import kill_fork_server

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

CASES = (Case("a", {"n": 3}),)
NUMPY = Job("import numpy as np\ndef f(n): return np.ones(n)", "f", CASES)
TORCH = Job("import torch\ndef f(n): return torch.ones(n)", "f", CASES)
MODULE = Job("def f(n): return 1.0", "f", CASES, library="torch")


@pytest.fixture
def own() -> Iterator[RoutedSandbox]:
    """As a worker opens it that spares memory: torch is started when it is asked for."""
    with open_for_serving("student", warm_torch=False) as sandbox:
        assert isinstance(sandbox, RoutedSandbox)
        yield sandbox


def gives(run: Run, shape: tuple[int, ...]) -> bool:
    (observation,) = read_run(run, CASES).observations
    return observation is not None and observation.leaves["out"].shape == shape


@pytest.mark.races
@pytest.mark.parametrize("again", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_torch_gets_ready_beside_its_death_costs_one_try_and_word_or_library_asks_for_it(
    own: RoutedSandbox, again: bool
) -> None:
    """One journey: each start of torch takes 3 s of the processor, so another is for the night."""
    assert own.torch is not None
    assert own.torch._successor is None
    assert gives(own.run(NUMPY), (3,))
    assert (own.torch.server_pid, own.torch._successor) == (0, None)

    started = time.monotonic()
    own.start_torch_soon()
    own.start_torch_soon()
    assert gives(own.run(NUMPY), (3,))
    assert time.monotonic() - started < 3
    assert own.torch.server_pid == 0
    assert gives(own.run(TORCH), (3,))
    pid = own.torch.server_pid
    assert "Threads:\t1\n" in Path(f"/proc/{pid}/status").read_text()  # a fork takes one along
    own.start_torch_soon()
    assert gives(own.run(TORCH), (3,))
    assert own.torch.server_pid == pid > 0
    assert own.torch.restarts == 0

    assert gives(own.run(MODULE), ())

    kill_fork_server(own.torch)
    with pytest.raises(SandboxBroken):
        own.run(TORCH if again else MODULE)
    assert gives(own.run(NUMPY), (3,))
    assert own.torch.server_pid == 0
    if again:
        assert gives(own.run(MODULE), ())
        assert own.torch.server_pid > 0
        assert gives(own.run(TORCH), (3,))


def test_a_sandbox_for_serving_starts_it_and_ends_it() -> None:
    with open_for_serving("student") as sandbox:
        assert isinstance(sandbox, RoutedSandbox)
        assert sandbox.torch is not None
        assert sandbox.torch._successor is not None
        assert gives(sandbox.run(NUMPY), (3,))
    # Closed before torch was ever asked for: nothing is left of it.
    assert sandbox.torch.server_pid == 0


def test_an_authors_torch_code_may_use_the_engine(author: RoutedSandbox) -> None:
    for source, shape in (
        ("import torch, posenc\ndef f(n): return torch.ones(n)", (3,)),
        ("import posenc\ndef f(n): return n", ()),
    ):
        assert gives(author.run(Job(source, "f", CASES)), shape)
