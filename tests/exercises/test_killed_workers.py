"""A worker that is killed outright takes its sandboxes with it, whenever it happens."""

import subprocess
import sys

import pytest

from tests.child_environment import ENDS_WITH_US
from tests.exercises.queue.queue_processes import Queue
from tests.whole_site import ROOT

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.races]

EARLY, LATER = (0.0, 0.5), (0.5, 4.0)  # seconds
# The part of a worker that starts processes; what comes before it takes a second and starts none.
SANDBOXES = """
import time
from quizzes.grader.sandbox.factory import open_sandbox
print("begins", flush=True)
with open_sandbox("student"), open_sandbox("author"):
    time.sleep(60)
"""
# Some of these left half of a bubblewrap behind when `close` killed it whatever it was doing.
CLOSED = """
import random, sys, time
from concurrent.futures import ThreadPoolExecutor
from tests.exercises.kill_workers import adopt_orphans, end_what_is_left, what_is_left
from quizzes.grader.sandbox.fork_server import ForkServer
from quizzes.grader.sandbox.profiles import NUMPY
def open_and_close(moment):
    server = ForkServer(NUMPY)
    time.sleep(moment)
    server.close()
adopt_orphans()
chance = random.Random(5)
with ThreadPoolExecutor(2) as pool:
    list(pool.map(open_and_close, [chance.uniform(0, 0.06) for _ in range(int(sys.argv[1]))]))
print("left:", what_is_left())
end_what_is_left()
"""
WORKER = """
import runpy, sys
print("begins", flush=True)
sys.argv = ["manage.py", "worker"]
runpy.run_path("manage.py", run_name="__main__")
"""


def kill(
    count: int,
    moments: tuple[float, float],
    program: str,
    environment: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    command = [*ENDS_WITH_US, sys.executable, "-m", "tests.exercises.kill_workers", str(count)]
    command += [*map(str, moments), sys.executable, "-c", program]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )


@pytest.mark.parametrize(("count", "moments"), [(4, EARLY), (2, LATER)])
def test_killed_at_any_moment_they_leave_nothing(count: int, moments: tuple[float, float]) -> None:
    ran = kill(count, moments, SANDBOXES)
    assert ran.stdout.splitlines()[-1] == "left: []", ran.stderr


@pytest.mark.parametrize("count", [12, pytest.param(400, marks=pytest.mark.soak)])
def test_a_sandbox_closed_before_it_is_set_up_leaves_no_half(count: int) -> None:
    command = [*ENDS_WITH_US, sys.executable, "-c", CLOSED, str(count)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout == "left: []\n", ran.stderr


@pytest.mark.soak
@pytest.mark.parametrize("program", [SANDBOXES, WORKER], ids=["sandboxes", "worker"])
@pytest.mark.parametrize("moments", [EARLY, LATER], ids=["early", "later"])
def test_two_hundred_killed_leave_nothing(
    tmp_path, shared_folder, moments: tuple[float, float], program: str
) -> None:
    queue = Queue(tmp_path, shared_folder)
    ran = kill(200, moments, program, queue.environment | {"WARM_TORCH": "1"})
    assert ran.stdout.splitlines()[-1] == "left: []", ran.stderr
