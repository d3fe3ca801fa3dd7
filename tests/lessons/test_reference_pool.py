"""The pool of drawing processes: bounded, refilled after a death, and never waited for too long."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizzes.lessons.figures import pool as pool_module
from quizzes.lessons.figures.pool import Busy, ReferencePool

pytestmark = pytest.mark.races

SMALL = ("sinusoidal", "heatmap", "d_model=4&positions=4", "light", "svg")


@pytest.fixture(scope="module")
def pool() -> Iterator[ReferencePool]:
    made = ReferencePool(workers=1, queue=1, wait_seconds=20)
    yield made
    made.close()


def test_draws_the_same_bytes_each_time(pool: ReferencePool) -> None:
    first, second = pool.draw(*SMALL), pool.draw(*SMALL)
    assert first.startswith(b"<?xml")
    assert first == second
    assert pool.draw(*SMALL[:4], "png").startswith(b"\x89PNG")


def test_a_full_pool_refuses_at_once(pool: ReferencePool) -> None:
    pool.draw(*SMALL)
    assert pool._executor is not None
    for _ in range(2):
        assert pool._places.acquire(blocking=False)
    started = time.monotonic()
    try:
        with pytest.raises(Busy):
            pool.draw(*SMALL)
        assert time.monotonic() - started < pool.wait_seconds / 2
    finally:
        pool._places.release(2)
    assert pool.draw(*SMALL)


def test_a_drawing_that_takes_too_long_is_given_up(pool: ReferencePool) -> None:
    pool.draw(*SMALL)
    assert pool._executor is not None
    (process,) = pool._executor._processes.values()
    os.kill(process.pid, signal.SIGSTOP)
    pool.wait_seconds, before = 0.1, pool.wait_seconds
    try:
        with pytest.raises(Busy):
            pool.draw(*SMALL)
    finally:
        pool.wait_seconds = before
        os.kill(process.pid, signal.SIGCONT)
    assert pool.draw(*SMALL)


def test_killed_processes_are_replaced(pool: ReferencePool) -> None:
    pool.draw(*SMALL)
    assert pool._executor is not None
    for process in list(pool._executor._processes.values()):
        os.kill(process.pid, signal.SIGKILL)
    assert _drawn_at_last(pool)
    assert _places_left(pool) == 2


def test_processes_that_are_killed_while_they_load_are_replaced() -> None:
    """Otherwise every figure would be told to try again, for as long as the site runs."""
    own = ReferencePool(workers=1, queue=1, wait_seconds=20)

    def kill_the_first() -> None:
        while own._executor is None or not own._executor._processes:
            time.sleep(0.001)
        for pid in list(own._executor._processes):
            os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill_the_first)
    killer.start()
    try:
        assert _drawn_at_last(own)
    finally:
        killer.join()
        own.close()


def test_many_threads_at_once_never_lose_a_place(pool: ReferencePool) -> None:
    outcomes: list[str] = []

    def one() -> None:
        try:
            outcomes.append("drawn" if pool.draw(*SMALL) else "empty")
        except Busy:
            outcomes.append("busy")

    threads = [threading.Thread(target=one) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(outcomes) <= {"drawn", "busy"}
    assert "drawn" in outcomes
    assert _places_left(pool) == 2


def test_pool_is_made_lazily() -> None:
    assert ReferencePool(workers=1, queue=1, wait_seconds=1)._executor is None
    assert pool_module.QUEUE == 16
    assert pool_module.WAIT_SECONDS == 3.0


def _drawn_at_last(pool: ReferencePool) -> bytes:
    for _ in range(100):  # a death is noticed within moments
        try:
            return pool.draw(*SMALL)
        except Busy:
            time.sleep(0.1)
    pytest.fail("the pool did not recover")


def _places_left(pool: ReferencePool) -> int:
    taken = 0
    deadline = time.monotonic() + 20  # the callback that frees a place runs in another thread
    while time.monotonic() < deadline:
        taken = 0
        while pool._places.acquire(blocking=False):
            taken += 1
        for _ in range(taken):
            pool._places.release()
        if taken == 2:
            break
        time.sleep(0.05)
    return taken


PROGRAM = """
import time
from quizzes.lessons.figures.pool import ReferencePool
if __name__ == "__main__":
    pool = ReferencePool(workers=1, queue=1, wait_seconds=20)
    pool.draw("sinusoidal", "heatmap", "d_model=4&positions=4", "light", "svg")
    print(*[process.pid for process in pool._executor._processes.values()], flush=True)
    time.sleep(60)
"""


def test_a_killed_web_server_leaves_no_process_behind(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(PROGRAM)
    server = subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert server.stdout is not None
    drawing = [int(pid) for pid in server.stdout.readline().split()]
    assert drawing
    server.kill()
    server.wait()
    server.stdout.close()
    deadline = time.monotonic() + 30
    while any(_runs(pid) for pid in drawing) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in drawing if _runs(pid)]


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
