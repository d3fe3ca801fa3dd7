"""Real workers on a real database: together, killed, stopped, without a sandbox."""

import fcntl
import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.exercises import making
from tests.exercises.queue.queue_processes import WRITE, Queue
from tests.whole_site import descendants_of, is_running

pytestmark = [pytest.mark.both_databases, pytest.mark.sandbox, pytest.mark.slow, pytest.mark.races]
ANY_DATABASE = pytest.mark.both_databases(postgresql="soak")  # the worker's own life is told here

SLOW = "import time\ntime.sleep(2)\n" + making.REFERENCE
UNHURRIED = "import time\ntime.sleep(0.4)\n" + making.REFERENCE  # for the quick lane
VERY_SLOW = "import time\ntime.sleep(7)\n" + making.REFERENCE

WRITE_AS_ONE = WRITE.replace("    learner = Learner.objects.create()\n", "").replace(
    "for kind", "learner = Learner.objects.create()\nfor kind"
)

ASK_WHY = "from quizzes.exercises.services import grading_state\nprint(grading_state().why)"


@pytest.fixture
def queue(tmp_path, shared_folder):
    made = Queue(tmp_path, shared_folder)
    yield made
    made.stop()


@pytest.mark.parametrize(("count", "each"), [(2, 9), pytest.param(8, 12, marks=pytest.mark.soak)])
def test_two_workers_and_writers_lose_nothing_and_grade_nothing_twice(queue, count, each):
    for _ in range(2):
        queue.start_worker()
    for number in range(2):
        queue.wait_for_log(number, "passed its self-test")
    work = [("submit", making.REFERENCE), ("check", making.SWAPPED), ("submit", making.SWAPPED)]
    writers = [
        queue.start(WRITE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(count)
    ]
    for writer in writers:
        writer.stdin.write(json.dumps([work[i % 3] for i in range(each)]))
        writer.stdin.close()
    for writer in writers:
        assert writer.wait(timeout=120) == 0, writer.stderr.read()
    rows = queue.wait_until_graded()
    assert len(rows) == count * each
    for row in rows:
        expected = "correct" if row["code"] == making.REFERENCE else "known_mistake"
        assert (row["verdict"], row["tries_used"], row["leased_by"]) == (expected, 1, "")
    first, second = queue.graded_by(0), queue.graded_by(1)
    assert first
    assert second
    assert sorted(first + second) == [row["pk"] for row in rows]
    assert "locked" not in queue.log(0) + queue.log(1)


def test_quick_code_does_not_wait_for_its_learners_slow_code(queue):
    """The first seat of this host is another process's, which does not serve slow code."""
    var = Path(queue.environment["ORDINAL_VAR"])
    var.mkdir(exist_ok=True)
    with (var / "slow-lane.lock").open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        queue.start_worker()
        queue.wait_for_log(0, "passed its self-test")
        queue.run(WRITE_AS_ONE, json.dumps([("submit", SLOW), ("check", making.REFERENCE)]))
        queue.wait_for_log(0, "goes on in the slow lane")
        slow_at = time.monotonic()
        queue.wait_for_log(0, ": correct", 30)
        seconds = time.monotonic() - slow_at
        first, second = queue.rows()
        assert (second["verdict"], first["verdict"], first["slow"]) == ("correct", "", True)
        assert seconds < 10, "a second on a quiet machine"
    assert queue.wait_until_graded()[0]["verdict"] == "correct"


@pytest.mark.soak  # in the gate tests/worker/test_kills.py kills at each point
@pytest.mark.parametrize("torch", ["0", "1"])
def test_a_killed_workers_submission_is_graded_once_by_the_next(queue, torch):
    worker = queue.start_worker(WARM_TORCH=torch)
    queue.wait_for_log(0, "passed its self-test")
    family = descendants_of(worker.pid)
    queue.hand_in_and_signal(worker.pid, signal.SIGKILL, ("submit", SLOW))
    killed_at = time.monotonic()
    queue.start_worker()
    (row,) = queue.wait_until_graded(120)
    assert (row["verdict"], row["tries_used"]) == ("correct", 2)
    assert queue.graded_by(0) == []
    assert queue.graded_by(1) == [row["pk"]]
    assert time.monotonic() - killed_at > 5, "the lease of the dead had not lapsed"
    assert [pid for pid in family if is_running(pid)] == []


@pytest.mark.soak  # it waits until the worker seems dead
def test_a_frozen_workers_submission_is_graded_by_another_and_its_own_report_refused(queue):
    queue.count_gradings()
    frozen = queue.start_worker()
    queue.wait_for_log(0, "passed its self-test")
    queue.hand_in_and_signal(frozen.pid, signal.SIGSTOP, ("submit", UNHURRIED))
    other = queue.start_worker()
    (row,) = queue.wait_until_graded(120)
    assert (row["verdict"], row["tries_used"]) == ("correct", 2)
    other.terminate()
    assert other.wait(30) == 0
    frozen.send_signal(signal.SIGCONT)
    queue.hand_in(("submit", UNHURRIED))
    first, second = queue.wait_until_graded()
    assert first == row, "what it had graded before it froze is not written"
    assert second["verdict"] == "correct"
    assert (queue.graded_by(0), queue.graded_by(1)) == ([second["pk"]], [first["pk"]])
    assert queue.gradings() == [first["pk"], second["pk"]]


@ANY_DATABASE
@pytest.mark.torch
@pytest.mark.soak  # 7 s of the processor, most of it torch
def test_other_rows_do_not_wait_for_torch_to_start(queue):
    """The worker starts it with the first submission that needs it, and grades on meanwhile."""
    queue.start_worker()
    queue.wait_for_log(0, "passed its self-test")
    needs = "import torch\n" + making.REFERENCE
    queue.hand_in(("submit", needs), ("submit", making.REFERENCE), ("check", making.SWAPPED))
    rows = queue.wait_until_graded()
    assert [row["verdict"] for row in rows] == ["correct", "correct", "known_mistake"]
    assert {row["tries_used"] for row in rows} == {1}
    first = rows[0]["pk"]
    assert set(queue.graded_by(0)[:2]) == {first + 1, first + 2}
    assert f"submission {first} waits for torch" in queue.log(0)


@pytest.mark.torch
@pytest.mark.soak
def test_a_worker_that_stops_hands_over_what_waits_for_torch(queue):
    worker = queue.start_worker()
    queue.wait_for_log(0, "passed its self-test")
    queue.hand_in(("submit", "import torch\n" + making.REFERENCE))
    queue.wait_for_log(0, "waits for torch")
    worker.terminate()
    assert worker.wait(timeout=60) == 0
    (row,) = queue.rows()
    assert (row["verdict"], row["tries_used"], row["leased_by"]) == ("", 0, "")


@ANY_DATABASE
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.soak)]
)
def test_a_stopped_worker_finishes_what_it_grades_and_leaves_nobody(queue, number):
    worker = queue.start_worker()
    queue.wait_for_log(0, "passed its self-test")
    family = descendants_of(worker.pid)
    work = [("submit", SLOW)]
    queue.hand_in_and_signal(worker.pid, number, *work, slow=True)
    assert worker.wait(timeout=60) == 0
    (row,) = queue.rows()
    assert (row["verdict"], row["tries_used"], row["slow"]) == ("correct", 1, True)
    assert [pid for pid in family if is_running(pid)] == []


@ANY_DATABASE
def test_a_stopped_worker_hands_over_what_takes_too_long(queue):
    worker = queue.start_worker()
    queue.wait_for_log(0, "passed its self-test")
    queue.hand_in_and_signal(worker.pid, signal.SIGTERM, ("submit", VERY_SLOW), slow=True)
    assert worker.wait(timeout=60) == 0
    (row,) = queue.rows()
    assert (row["verdict"], row["tries_used"], row["leased_by"]) == ("", 0, "")


@ANY_DATABASE
def test_a_worker_without_a_sandbox_lives_and_says_so_and_stops_at_once(queue, tmp_path):
    worker = queue.start_worker(PATH=str(tmp_path))
    queue.wait_for_log(0, "code grading is off")
    said = queue.run(WRITE + ASK_WHY, json.dumps([("submit", making.REFERENCE)]))
    assert "bubblewrap" in said
    assert worker.poll() is None
    worker.terminate()
    assert worker.wait(timeout=60) == 0
    (row,) = queue.rows()
    assert (row["verdict"], row["tries_used"]) == ("", 0)
