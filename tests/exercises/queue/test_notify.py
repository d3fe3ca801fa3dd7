"""A committed submission wakes a worker at once; a pipe that cannot be made loses nothing."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from quizzes.exercises.queue import leases, notify
from tests.databases import execute, on_postgresql
from tests.exercises import making
from tests.exercises.queue.queue_processes import Queue

pytestmark = [pytest.mark.both_databases, pytest.mark.sandbox, pytest.mark.slow, pytest.mark.races]

# Waits as a worker does, but for how often it looks.
LISTEN = """
import sys, time
from quizzes.exercises.queue import leases, notify
notify.LOOK_SECONDS = int(sys.argv[1])
listener = notify.Listener()
listener.wait(0.2, until=lambda: False)  # on PostgreSQL it begins to listen
print("listening", flush=True)
listener.wait(60, until=lambda: False)
print(time.monotonic(), flush=True)
"""
ROLL_BACK_THEN_COMMIT = """
import time
from django.db import transaction
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import submit_code
from quizzes.learners.models import Learner
exercise = Exercise.objects.select_related("current").get()
with transaction.atomic():
    submit_code(exercise=exercise, learner=Learner.objects.create(), kind="submit", code="1")
    transaction.set_rollback(True)
time.sleep(0.5)  # for a notification that should not be
print(time.monotonic())
submit_code(exercise=exercise, learner=Learner.objects.create(), kind="submit", code="1")
"""


@pytest.fixture
def queue(tmp_path: Path, shared_folder: Path) -> Iterator[Queue]:
    made = Queue(tmp_path, shared_folder)
    yield made
    made.stop()


NEVER = 3600


def test_what_was_committed_wakes_and_what_was_rolled_back_does_not(queue: Queue) -> None:
    listener = queue.start(LISTEN, NEVER, stdout=subprocess.PIPE)
    assert listener.stdout is not None
    assert listener.stdout.readline() == "listening\n"
    committed = float(queue.run(ROLL_BACK_THEN_COMMIT))
    stored = time.monotonic()
    woken = float(listener.communicate(timeout=90)[0])
    assert committed < woken < stored + 5


@pytest.mark.skipif(on_postgresql(), reason="PostgreSQL's notifications are looked at alone")
def test_a_row_that_nobody_was_notified_of_is_seen_at_the_next_look(queue: Queue) -> None:
    listener = queue.start(LISTEN, 1, stdout=subprocess.PIPE)
    assert listener.stdout is not None
    assert listener.stdout.readline() == "listening\n"
    began = time.monotonic()
    execute(queue.environment["DATABASE_URL"], "PRAGMA user_version = 1")
    woken = float(listener.communicate(timeout=90)[0])
    assert began < woken < began + 45, "it waits a minute for a notification"


@pytest.mark.soak
@pytest.mark.skipif(on_postgresql(), reason="PostgreSQL needs no pipes")
def test_where_no_pipe_can_be_made_it_looks_now_and_then(queue: Queue) -> None:
    (queue.folder / "site.sqlite3-bells").write_text("in the way")
    queue.start_worker()
    queue.wait_for_log(0, "no named pipe, so looking four times a second")
    queue.wait_for_log(0, "passed its self-test")
    queue.hand_in(("submit", making.REFERENCE))
    (row,) = queue.wait_until_graded()
    assert row["verdict"] == "correct"


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(not on_postgresql(), reason="SQLite's workers look at the file")
@pytest.mark.parametrize("free", ["to_slow_lane", "hand_over", "sweep"])
def test_row_that_is_set_free_wakes_workers(free: str) -> None:
    making.waiting(making.ready_exercise())
    lease = making.lease()
    listener = notify.Listener()
    assert listener._is_notified(0), "it begins to listen"
    while listener._is_notified(0):
        continue
    if free == "sweep":
        making.let_leases_lapse()
    else:
        getattr(leases, free)(lease=lease)
    assert listener._is_notified(5)
    listener.close()


@pytest.mark.django_db(transaction=True)
def test_worker_sleeps_until_it_is_notified() -> None:
    listener = notify.Listener()
    listener.wait(0.1, until=lambda: False)  # on PostgreSQL it begins to listen
    began = time.monotonic()
    listener.wait(3 * notify.LOOK_SECONDS, until=lambda: False)
    assert time.monotonic() - began >= 3 * notify.LOOK_SECONDS
    if on_postgresql():
        with connection.cursor() as cursor:
            cursor.execute(f"NOTIFY {notify.CHANNEL}")
        listener.wait(60, until=lambda: False)
        assert time.monotonic() - began < 30
    listener.close()
