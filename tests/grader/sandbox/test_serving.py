"""Serving many: spare children are made and rehearse when nobody waits for a verdict."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizzes.grader.sandbox import supervisor as supervising
from quizzes.grader.sandbox.profiles import NUMPY
from quizzes.grader.sandbox.supervisor import Supervisor
from tests.grader.programs import ADD, assert_serves, job, kill_fork_server
from tests.whole_site import children_of

pytestmark = [pytest.mark.sandbox, pytest.mark.races]
SLEEP = "import time\ndef f(x):\n    time.sleep(0.4)\n    return x"


@pytest.fixture
def serving(monkeypatch: pytest.MonkeyPatch) -> Iterator[Supervisor]:
    """Its spare children count as settled at once."""
    monkeypatch.setattr(supervising, "SETTLE_SECONDS", -1.0)
    supervisor = Supervisor(NUMPY)
    supervisor.stock_later()
    supervisor.start()
    supervisor.get_ready()
    yield supervisor
    supervisor.close()


def standing_still(supervisor: Supervisor) -> int:
    return sum(map(stands_still, children_of(supervisor.server_pid)))


def stands_still(pid: int) -> bool:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False  # it has just ended
    return text.rpartition(")")[2].split()[0] == "T"


def seen_standing_still(supervisor: Supervisor) -> bool:
    """Run a job and look at the spare children meanwhile."""
    running = threading.Thread(target=supervisor.run, args=[job(SLEEP, 1)])
    running.start()
    seen = False
    while running.is_alive() and not seen:
        seen = standing_still(supervisor) > 0
    running.join()
    return seen


def test_spares_stand_still_while_code_runs_and_then_serve(serving: Supervisor) -> None:
    for patience in (0.1, 0.3, 1.0, 3.0):  # one that is only just being made is left alone
        time.sleep(patience)
        if seen_standing_still(serving):
            break
        serving.get_ready()
    else:
        pytest.fail("no spare child stood still")
    assert_serves(serving)  # the held one, without being told to go on
    serving.get_ready()
    assert standing_still(serving) == 0
    assert_serves(serving)


def test_more_jobs_than_spares_are_served_without_getting_ready(serving: Supervisor) -> None:
    for _ in range(supervising.SPARES + 2):
        assert_serves(serving)


def test_a_fork_server_that_died_meanwhile_costs_no_job(serving: Supervisor) -> None:
    serving.run(job(ADD, 1))
    kill_fork_server(serving)
    serving.get_ready()
    assert_serves(serving)
    assert serving.restarts == 1
