"""Two worker hosts whose clocks are two hours apart, and one of them loses the database."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import ask_number
from tests.exercises import making
from tests.exercises.queue.queue_processes import UNGRADED, Queue
from tests.worker.two_hosts import Host, NotAllowed, hosts
from tools.with_postgres import postgres

pytestmark = [pytest.mark.sandbox, pytest.mark.races, pytest.mark.soak]

HOUR = 3600
CUT_SECONDS = 20
PATIENCE_SECONDS = 120  # of a machine that has other things to do
# Fails with the machine's clock: each sandbox has that of its host, an hour away from it.
UNHURRIED = f"""
import threading, time
assert 1800 < abs(time.time() - {time.time():.0f}) < 5400, "a clock of another host"
threading.Event().wait(0.3)  # libfaketime refuses time.sleep
"""
CODES = {UNHURRIED + making.REFERENCE: "correct", UNHURRIED + making.SWAPPED: "known_mistake"}
STATE = """
import json
from quizzes.exercises.services import grading_state
state = grading_state()
print(json.dumps([state.on, state.why, state.worker_age_seconds]))
"""
HOLD = """
import sys
from django.db import transaction
from quizzes.learners.models import Learner
from quizzes.learners.services import hold_learner
learner = Learner.objects.create()
with transaction.atomic():
    hold_learner(pk=learner.pk)
    print(learner.pk, flush=True)
    sys.stdin.readline()  # which nobody writes; to sleep long is refused by libfaketime
"""
SUBMIT = """
import sys, time
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import submit_code
from quizzes.learners.models import Learner
exercise = Exercise.objects.select_related("current").get()
print("ready", flush=True)
learner = Learner.objects.get(pk=sys.stdin.readline())
began = time.monotonic()
submit_code(exercise=exercise, learner=learner, kind="submit", code="x = 1")
print(time.monotonic() - began, flush=True)
"""


FILL = """
import sys
from django.utils import timezone
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.queue.engine import engine
from quizzes.learners.models import Learner
exercise, now = Exercise.objects.select_related("current").get(), timezone.now()
code, count = sys.stdin.read(), int(sys.argv[1])
learners = Learner.objects.bulk_create([Learner() for _ in range(count)])
given = {"exercise_version": exercise.current, "kind": "submit", "code": code}
times = {"submitted_at": now, "scheduled_for": now}
Submission.objects.bulk_create([Submission(learner=one, **given, **times) for one in learners])
assert engine().put_missing() == count
"""
WAITS = """
import json
from quizzes.exercises.models import Submission
rows = Submission.objects.values_list("verdict", "submitted_at", "graded_at")
print(json.dumps(sorted((at - of).total_seconds() for verdict, of, at in rows)))
"""
BURST = 500


class Site:
    """A database, and a worker on each of two hosts."""

    def __init__(self, queue: Queue, first: Host, second: Host) -> None:
        self.queue, self.hosts = queue, (first, second)
        url = queue.environment["DATABASE_URL"]
        for number, host in enumerate(self.hosts):
            given = host.environment(url, queue.folder)
            queue.start_worker(before=host.command(), **given)
            queue.wait_for_log(number, "passed its self-test")

    def hand_in(self, count: int) -> None:
        codes = list(CODES)
        self.queue.hand_in(*(("submit", codes[number % 2]) for number in range(count)))

    def left(self) -> int:
        return ask_number(self.queue.environment["DATABASE_URL"], UNGRADED)

    def in_work_at(self, host: Host) -> int:
        """Count the rows that this host's worker has in work."""
        asked = (
            "SELECT count(*) FROM exercises_submission WHERE graded_at IS NULL"
            f" AND leased_by LIKE '{host.name}:%'"
        )
        return ask_number(self.queue.environment["DATABASE_URL"], asked)

    def state(self) -> list[object]:
        return list(json.loads(self.queue.run(STATE)))

    def start_on(self, host: Host, script: str) -> "subprocess.Popen[str]":
        given = host.environment(self.queue.environment["DATABASE_URL"], self.queue.folder)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        return self.queue.start(script, before=host.command(), more=given, **pipes)


def wait(holds: "object", words: str, seconds: float = PATIENCE_SECONDS) -> float:
    """Return after how many seconds it held."""
    began = time.monotonic()
    while not holds():  # type: ignore[operator]
        assert time.monotonic() - began < seconds, words
        time.sleep(0.05)
    return time.monotonic() - began


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    number = os.getpid() % 100  # so that two runs do not have the same addresses
    first, second = Host(2 * number, HOUR), Host(2 * number + 1, -HOUR)
    listens = [host.address_of_the_database for host in (first, second)]
    try:
        with hosts(first, second), postgres(addresses=listens) as url:
            monkeypatch.setenv("DATABASE_URL", url)
            (tmp_path / "shared").mkdir()
            queue = Queue(tmp_path, tmp_path / "shared")
            queue.count_gradings()
            try:
                yield Site(queue, first, second)
            finally:
                for host in (first, second):
                    host.mend()
                queue.stop()
    except NotAllowed as why:
        pytest.skip(str(why))


def test_hosts_with_clocks_apart_grade_through_a_partition(site: Site) -> None:
    """What a host has in work as it is cut off is graded by the other, and nothing twice."""
    queue, first = site.queue, site.hosts[0]
    site.hand_in(40)
    queue.wait_until_graded(PATIENCE_SECONDS)
    assert all(queue.graded_by(number) for number in (0, 1)), "one host graded all"
    on, why, age = site.state()
    assert on, why
    assert age < 30

    site.hand_in(100)  # more than one host grades meanwhile, at 0.3 s each
    wait(lambda: site.in_work_at(first), "the first host takes nothing")
    first.cut()
    cut_at = time.monotonic()
    taken = wait(lambda: not site.in_work_at(first), "nobody takes over what the first host had")
    time.sleep(max(0.0, cut_at + CUT_SECONDS - time.monotonic()))
    by_second, before = len(queue.graded_by(1)), len(queue.graded_by(0))
    first.mend()
    cut_for, mended_at = time.monotonic() - cut_at, time.monotonic()

    def is_back() -> bool:
        if site.left() < 10:
            site.hand_in(20)
        return len(queue.graded_by(0)) > before

    wait(is_back, "the first host does not come back")
    back = time.monotonic() - mended_at
    rows = queue.wait_until_graded(PATIENCE_SECONDS)
    print(
        f"{len(rows)} rows; cut off for {cut_for:.0f} s; its row was taken over {taken:.1f}"
        f" s after the cut, the other host had graded {by_second} by its end; the host graded again"
        f" {back:.1f} s after it was mended"
    )
    for row in rows:
        assert row["verdict"] == CODES[row["code"]], row
    assert max(row["tries_used"] for row in rows) <= 2, "the partition cost more than one try"
    assert queue.gradings() == sorted(row["pk"] for row in rows), "lost or doubled"


def test_a_burst_is_graded_by_both_hosts(site: Site) -> None:
    queue = site.queue
    filling = queue.start(FILL, BURST, stdin=subprocess.PIPE)
    filling.communicate(making.REFERENCE, timeout=PATIENCE_SECONDS)
    rows = queue.wait_until_graded(BURST)
    waits = json.loads(queue.run(WAITS))
    shares = [len(queue.graded_by(number)) for number in (0, 1)]
    print(
        f"a burst of {BURST} on two hosts of one worker each: {shares[0]} and {shares[1]}; the"
        f" verdict p50 {waits[BURST // 2]:.1f} s, p95 {waits[BURST * 95 // 100]:.1f} s;"
        f" {BURST / waits[-1]:.1f} a second; load {os.getloadavg()[0]:.0f}"
    )
    assert {row["verdict"] for row in rows} == {"correct"}
    assert len(waits) == BURST
    assert min(shares) > BURST // 5, "one host did nearly all"
    assert queue.gradings() == sorted(row["pk"] for row in rows)


def test_a_host_that_is_gone_for_good_does_not_keep_its_locks(site: Site) -> None:
    """A host without power says nothing: the database must notice that by itself."""
    queue, first = site.queue, site.hosts[0]
    submitting = queue.start(SUBMIT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    holder = site.start_on(first, HOLD)
    assert submitting.stdout is not None
    assert holder.stdout is not None
    try:
        assert submitting.stdout.readline() == "ready\n"
        learner = holder.stdout.readline()
        first.cut()
        out, _ = submitting.communicate(learner, timeout=PATIENCE_SECONDS)
    finally:
        submitting.kill()
        holder.kill()
    seconds = float(out)
    print(f"a learner whose row was locked by a lost host waited for {seconds:.1f} s")
    assert 5 < seconds < 30, "nothing was locked" if seconds < 5 else "the lock was kept"
