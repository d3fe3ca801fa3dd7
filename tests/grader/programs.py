"""Small jobs for tests of the sandbox."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job, Limits, Sandbox
from quizzes.grader.protocol.observation import Observed
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.sandbox import supervisor as supervising
from quizzes.grader.sandbox.profiles import Profile
from quizzes.grader.sandbox.supervisor import Supervisor
from tests.whole_site import descendants_of, is_running

SHORT = Limits(wall_seconds=0.4)
ADD = "def f(x): return x + 1"


def job(source: str, *values: Any, limits: Limits | None = None, shown: bool = True) -> Job:
    """`f(x=value)` for each value."""
    cases = tuple(Case(f"case {i}", {"x": value}, shown=shown) for i, value in enumerate(values))
    return Job(source, "f", cases, limits=limits or Limits())


def read(sandbox: Sandbox, job: Job) -> Observed:
    """What a run of the job gave, as the judge reads it."""
    return read_run(sandbox.run(job), job.cases)


def results(sandbox: Supervisor, source: str, *values: Any) -> list[Any]:
    """What `f(x=value)` returned, as numpy arrays."""
    observed = read(sandbox, job(source, *values))
    assert observed.load_failure is None, observed.load_failure
    found = []
    for observation in observed.observations:
        assert observation is not None
        assert observation.failure is None, observation.failure
        found.append(observation.leaves["out"].values)
    return found


def assert_serves(sandbox: Supervisor) -> None:
    """Two honest submissions are answered right."""
    for value in (1, 41):
        (found,) = results(sandbox, ADD, value)
        assert found == value + 1


@contextmanager
def never_recycled(profile: Profile) -> Iterator[Supervisor]:
    """A supervisor whose fork server stays: a new one means that a test has cost the old one.

    Until it ends, no other one of this process is recycled either.
    """
    supervisor = Supervisor(profile)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervising, "USED_UP_AFTER", 1 << 30)
        supervisor.start()
        yield supervisor
        supervisor.close()


def kill_fork_server(supervisor: Supervisor) -> None:
    """Kill it from outside; return when its spare children are gone too: until then they serve."""
    family = [*descendants_of(supervisor.server_pid), supervisor.server_pid]
    os.kill(supervisor.server_pid, signal.SIGKILL)
    assert not any(is_running(pid) for pid in family)


def while_it_runs(supervisor: Supervisor, act: Callable[[], object]) -> None:
    """Have another thread do something once the job that is run next is well under way."""

    def wait_and_act() -> None:
        while not supervisor._lock.locked():
            time.sleep(0.01)
        time.sleep(0.3)
        act()

    threading.Thread(target=wait_and_act, daemon=True).start()
