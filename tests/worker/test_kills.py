"""Whatever is killed, whenever: every submission is graded exactly once, and rightly."""

import contextlib
import json
import os
import random
import signal
import time

import pytest

from tests.databases import cut_a_connection, on_postgresql
from tests.exercises import making
from tests.exercises.queue.queue_processes import Queue
from tests.whole_site import descendants_of
from tests.worker.armed_worker import POINTS, REACHED

pytestmark = [
    # The same points by the same code: on PostgreSQL 18 s more of the processor.
    pytest.mark.both_databases(postgresql="soak"),
    pytest.mark.sandbox,
    pytest.mark.slow,
    pytest.mark.races,
]

PATIENT = "import time\ntime.sleep(0.6)\n" + making.REFERENCE
VERDICTS = {making.REFERENCE: "correct", making.SWAPPED: "known_mistake", PATIENT: "correct"}
AT_ONCE = 3  # armed workers
GRADE_AGAIN = """
from quizzes.exercises.models import Submission
from quizzes.exercises.services import grade_again, our_failures
for row in our_failures():
    assert row.tries_used == 3, row
    assert grade_again(submission=row)
"""


@pytest.fixture
def queue(tmp_path, shared_folder):
    made = Queue(tmp_path, shared_folder)
    made.count_gradings()
    yield made
    made.stop()


def all_right(queue: Queue, count: int) -> None:
    rows = queue.rows()
    assert len(rows) == count
    for row in rows:
        assert (row["verdict"], row["leased_by"]) == (VERDICTS[row["code"]], ""), row


def test_kills_at_every_point_with_fifty_in_flight(queue):
    """The second time a point is reached, so that what lapsed is graded before the next kill."""
    fast = [making.REFERENCE, making.SWAPPED]
    codes = [PATIENT] * 6 + [fast[number % 2] for number in range(44)]
    queue.hand_in(*(("submit", code) for code in codes))
    command = ("-m", "tests.worker.armed_worker", str(queue.folder), "2", str(AT_ONCE))
    assert queue.start_worker(*command).wait(timeout=600) == 0, queue.log(0)
    ended = {
        int(place): code
        for line in queue.log(0).splitlines()
        if line.startswith("{")
        for place, code in json.loads(line).items()
    }
    assert sorted(ended) == list(range(len(POINTS))), queue.log(0)
    for place, code in ended.items():
        log = (queue.folder / f"armed-{place}.log").read_text()
        assert REACHED in log, (POINTS[place], log)
        assert code == (-signal.SIGKILL if POINTS[place][0] == "worker" else 0), POINTS[place]
    assert any(row["verdict"] == "" for row in queue.rows()), "the last kills met an empty queue"
    queue.start_worker()
    queue.wait_until_graded()
    all_right(queue, 50)
    assert queue.gradings() == sorted({row["pk"] for row in queue.rows()})


@pytest.mark.parametrize(
    ("kills", "count"),
    [
        (4, 60),
        (12, 200),
    ],
)
@pytest.mark.soak
def test_random_kills_with_many_in_flight(queue, kills, count):
    """What was hit three times is our failure, listed as such, and right when graded again."""
    seed = int(os.environ.get("KILL_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
    print(f"KILL_SEED={seed}")
    chance = random.Random(seed)
    workers = [queue.start_worker() for _ in range(2)]
    for number in range(2):
        queue.wait_for_log(number, "passed its self-test")
    fast = [making.REFERENCE, making.SWAPPED]
    queue.hand_in(*(("submit", fast[number % 2]) for number in range(count)))
    cuts = []
    for number in range(kills):
        time.sleep(chance.uniform(0.0, 0.3))
        place = chance.randrange(2)
        if on_postgresql() and number % 3 == 2:
            url = queue.environment["DATABASE_URL"]
            cuts.append(cut_a_connection(url, chance.randrange(100)))
            continue
        family = sorted(descendants_of(workers[place].pid))
        victim = chance.choice([workers[place].pid, *family])
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
        if workers[place].poll() is not None or victim == workers[place].pid:
            workers[place].wait()
            workers[place] = queue.start_worker()
    queue.wait_until_graded(180)
    assert any(cuts) or not on_postgresql(), "no connection was there to be cut"
    closed = [row["pk"] for row in queue.rows() if row["verdict"] == "not_graded"]
    queue.run(GRADE_AGAIN)
    queue.wait_until_graded()
    all_right(queue, count)
    # Once each; what was closed as our failure has that besides.
    assert queue.gradings() == sorted([*closed, *(row["pk"] for row in queue.rows())])
