"""Before a fork server serves: a correct job, and seven attacks that must be refused.

If one of them succeeds, or the correct job does not, there is no sandbox: fail closed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping

import numpy as np

from quizzes.grader.errors import SandboxBroken, SandboxUnavailable
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Ending, Job, Limits, Run
from quizzes.grader.protocol.observation import Observation
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.sandbox.bubblewrap import OWN_PATH

_OWN_FILE = f"{OWN_PATH}/quizzes/grader/protocol/case.py"
_HONEST = "def add(x, y): return x + y"

# Each must return 0 (refused) and not 1 (done). Anything else is a failure too.
_ATTACKS: Mapping[str, str] = {
    "read a file of this machine": "open(path, 'rb').read(1)",
    "write a file": "open('/dev/shm/x', 'wb') if os.path.isdir('/dev/shm') else open('/x', 'wb')",
    "open a network connection": "socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
    "start a process": "os._exit(0) if os.fork() == 0 else None",
    "signal another process": "os.kill(os.getppid(), 0)",
    # Bound for the fork server itself; only Landlock keeps it from a child.
    "read the sandbox's own files": f"open('{_OWN_FILE}', 'rb').read(1)",
    "take four times its memory": "bytearray(4 * memory_mb << 20)",
}
_FRAME = """
import os, socket
import numpy as np
def attack(path, memory_mb):
    try:
        {attack}
    except (OSError, MemoryError):
        return np.array(0)
    return np.array(1)
"""


def self_test(run: Callable[[Job], Run]) -> None:
    """Try everything; raises SandboxUnavailable naming what failed."""
    try:
        _try_everything(run)
    except SandboxBroken as error:
        raise _failed(str(error)) from error


def _try_everything(run: Callable[[Job], Run]) -> None:
    x, y = np.arange(6.0).reshape(2, 3), np.full((2, 3), 0.5)
    add = Case("a correct job", {"x": x, "y": y})
    got = _only_observation(run(Job(_HONEST, "add", (add,))), add).leaves["out"].values
    if got is None or not np.array_equal(got, x + y):
        raise _failed("a correct job gave a different result")
    with tempfile.NamedTemporaryFile(prefix="canary-") as canary:
        canary.write(b"secret")
        canary.flush()
        kwargs = {"path": canary.name, "memory_mb": Limits().memory_mb}
        for name, attack in _ATTACKS.items():
            case = Case(name, kwargs)
            job = Job(_FRAME.format(attack=attack), "attack", (case,))
            values = _only_observation(run(job), case).leaves["out"].values
            if values is None or values.item() != 0:
                raise _failed(f"submitted code could {name}")


def _only_observation(run: Run, case: Case) -> Observation:
    observed = read_run(run, [case])
    observation = observed.observations[0]
    if run.ending is not Ending.FINISHED or observation is None or observation.failure:
        said = observation.failure if observation else observed.load_failure
        how = run.detail or run.death or ""
        raise _failed(f"{case.label}: {run.ending} {how} {said.message if said else ''}")
    return observation


def _failed(what: str) -> SandboxUnavailable:
    return SandboxUnavailable(
        f"The sandbox failed its self-test: {what}.",
        "Nothing is graded until it passes. Run `manage.py sandbox_check` to see what is missing.",
    )
