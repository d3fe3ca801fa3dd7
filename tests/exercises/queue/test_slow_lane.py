"""The seats of a host's workers: which of them run slow code, also when one ends or freezes."""

import struct
import time

import pytest

from quizzes.exercises.queue import slow_lane
from quizzes.exercises.queue.slow_lane import SlowLane


@pytest.fixture
def sit(tmp_path):
    """Let so many workers of a host with these cores sit down, one after another."""
    seats = []

    def open_seats(workers, cores):
        seats.extend(SlowLane(tmp_path, cores=cores) for _ in range(workers))
        return seats

    yield open_seats
    for seat in seats:
        seat.close()


def serving(seats):
    return [number for number, seat in enumerate(seats) if seat.is_ours()]


@pytest.mark.parametrize("cores", [1, 2, 3, 8])
@pytest.mark.parametrize("workers", [1, 2, 3, 5, 8])
def test_slow_code_has_all_cores_but_one(sit, workers, cores):
    assert len(serving(sit(workers, cores))) == max(1, min(workers, cores) - 1)


@pytest.mark.parametrize("ending", range(4))
def test_seat_of_ended_worker_is_taken_by_another(sit, ending):
    seats = sit(4, 4)
    assert serving(seats) == [0, 2, 3]
    seats.pop(ending).close()
    serving(seats)
    assert len(serving(seats)) == 2
    assert len([seat for seat in seats if not seat.is_ours()]) == 1


def test_next_worker_takes_over_while_the_first_says_nothing(sit, tmp_path):
    """Only until the first goes on; the same when that one stops as well."""
    seats = sit(3, 2)

    def stop(name):
        silent = time.monotonic() - slow_lane.SILENT_SECONDS - 1
        (tmp_path / name).write_bytes(struct.pack("=d", silent))

    assert serving(seats) == [0]
    stop("slow-lane.lock")
    assert not seats[2].is_ours()
    assert seats[1].is_ours()
    seats[0].beat()
    assert serving(seats[1:]) == []
    stop("slow-lane.lock")
    stop("slow-lane-2.lock")
    assert seats[2].is_ours()


def test_worker_that_takes_nothing_says_nothing(sit, monkeypatch):
    """Without a sandbox it lives and grades nothing, slow code least of all."""
    first, second = sit(2, 2)
    assert serving([first, second]) == [0]
    now = time.monotonic() + slow_lane.LONGEST_RUN_SECONDS + 1
    monkeypatch.setattr(slow_lane.time, "monotonic", lambda: now)
    first.beat()
    assert second.is_ours()


def test_lock_of_version_before_keeps_its_seat(sit, tmp_path):
    """A worker of that version holds the first lock and writes the time into it."""
    sit(1, 2)[0].is_ours()
    assert (tmp_path / "slow-lane.lock").exists()
    assert not SlowLane(tmp_path, cores=2).is_ours()
    assert (tmp_path / "slow-lane-2.lock").exists()
