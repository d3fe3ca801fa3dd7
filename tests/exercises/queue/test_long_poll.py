"""A request that waits is woken by its verdict; a lost notice, a kill or a crowd costs a moment."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.exercises.queue.queue_processes import Queue

pytestmark = [pytest.mark.both_databases, pytest.mark.sandbox, pytest.mark.slow, pytest.mark.races]

NEVER = 3600

# Submits and waits as a request does, with its own bounds on how long and how often it looks.
WAIT = """
import sys
from quizzes.exercises.models import Exercise
from quizzes.exercises.queue import long_poll
from quizzes.exercises.services import submit_code
from quizzes.learners.models import Learner
class Loud(long_poll.VerdictListener):
    def wait(self, seconds):
        print("waiting", flush=True)
        return super().wait(seconds)
long_poll.VerdictListener = Loud
long_poll.WAIT_SECONDS, long_poll.FIRST_LOOK_SECONDS = 3600, float(sys.argv[1])
exercise = Exercise.objects.select_related("current").get()
row = submit_code(exercise=exercise, learner=Learner.objects.create(), kind="submit", code="1")
print(long_poll.wait_for_verdict(submission=row), flush=True)
"""
RECORD = """
from quizzes.exercises.queue import leases
from quizzes.grader.api import Verdict
from quizzes.grader.judge import Report
report = Report(Verdict.CORRECT, cases_passed=3, cases_total=3)
print(leases.record(lease=leases.lease_next(worker="one"), report=report))
"""
CLOSE = """
from quizzes.exercises.queue import leases
for _ in range(3):
    leases.give_back(lease=leases.lease_next(worker="one"), failure="It broke.")
print(leases.lease_next(worker="one") is None)
"""
WITHOUT_NOTICE = """
from quizzes.exercises.queue import leases
leases.notify_of_verdict = lambda key: None
"""


@pytest.fixture
def queue(tmp_path: Path, shared_folder: Path) -> Iterator[Queue]:
    made = Queue(tmp_path, shared_folder)
    yield made
    made.stop()


def start_request(queue: Queue, look_seconds: float) -> subprocess.Popen[str]:
    """Return a process that submitted, has looked once and waits."""
    request = queue.start(WAIT, look_seconds, stdout=subprocess.PIPE)
    assert request.stdout is not None
    assert request.stdout.readline() == "waiting\n"
    return request


def answer_of(request: subprocess.Popen[str]) -> str:
    return request.communicate(timeout=120)[0].splitlines()[-1]


@pytest.mark.parametrize("ending", [RECORD, CLOSE])
def test_recorded_verdict_wakes_the_request(queue: Queue, ending: str) -> None:
    request = start_request(queue, NEVER)
    assert queue.run(ending) == "True\n"
    assert answer_of(request) == "True"


def test_request_sees_a_verdict_without_notice(queue: Queue) -> None:
    request = start_request(queue, 1)
    assert queue.run(WITHOUT_NOTICE + RECORD) == "True\n"
    assert answer_of(request) == "True"


def test_killed_request_stands_in_nobodys_way(queue: Queue) -> None:
    killed = start_request(queue, NEVER)
    killed.kill()
    killed.wait()
    assert queue.run(RECORD) == "True\n"
    request = start_request(queue, NEVER)
    assert queue.run(RECORD) == "True\n"
    assert answer_of(request) == "True"
    assert list(queue.folder.glob("*-verdicts/*")) == []
