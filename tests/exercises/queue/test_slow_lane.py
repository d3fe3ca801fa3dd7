"""The seats of a host's workers: which of them run slow code, also when one ends or freezes."""

import errno
import fcntl
import struct
import time

import pytest

from quizzes.exercises.queue import slow_lane, usable_cores
from quizzes.exercises.queue.slow_lane import SlowLane
from quizzes.grader.sandbox import HARD_END_SECONDS


@pytest.fixture
def sit(tmp_path):
    """Return the seats of so many workers of a host with these cores."""
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


def freeze(folder, name):
    """Write into a lock that its holder said nothing for a while."""
    silent = time.monotonic() - slow_lane.SILENT_SECONDS - 1
    (folder / name).write_bytes(struct.pack("=d", silent))


def test_next_worker_replaces_a_silent_first(sit, tmp_path):
    """Only until the first goes on; the same when that one stops as well."""
    seats = sit(3, 2)
    assert serving(seats) == [0]
    freeze(tmp_path, "slow-lane.lock")
    assert not seats[2].is_ours()
    assert seats[1].is_ours()
    seats[0].beat()
    assert serving(seats[1:]) == []
    freeze(tmp_path, "slow-lane.lock")
    freeze(tmp_path, "slow-lane-2.lock")
    assert seats[2].is_ours()


def test_another_worker_replaces_a_silent_quick_one(sit, tmp_path):
    """Or quick code would wait for slow code that all others run."""
    seats = sit(4, 4)
    assert serving(seats) == [0, 2, 3]
    freeze(tmp_path, "slow-lane-2.lock")
    others = [seats[0], *seats[2:]]
    assert serving(others) == [0, 2]
    seats[1].beat()
    assert serving(seats) == [0, 2, 3]


def test_worker_that_takes_nothing_says_nothing(sit, monkeypatch):
    """Without a sandbox it lives and grades nothing, slow code least of all."""
    first, second = sit(2, 2)
    assert serving([first, second]) == [0]
    now = time.monotonic() + slow_lane.LONGEST_RUN_SECONDS + 1
    monkeypatch.setattr(slow_lane.time, "monotonic", lambda: now)
    first.beat()
    assert second.is_ours()


def test_longest_run_is_known_to_the_seats():
    assert slow_lane.LONGEST_RUN_SECONDS == HARD_END_SECONDS + slow_lane.SILENT_SECONDS


def test_worker_of_version_before_keeps_its_seat(sit, tmp_path):
    """It holds the first lock, and writes the time there."""
    with (tmp_path / "slow-lane.lock").open("wb", buffering=0) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        held.write(struct.pack("=d", time.monotonic()))
        assert serving(sit(3, 4)) == [1, 2], "the second of all four runs quick code only"


def test_worker_without_a_lock_runs_slow_code(tmp_path, caplog):
    """Such as in a folder of another user; it says so once, and takes a seat once it can."""
    in_the_way = tmp_path / "slow-lane.lock"
    in_the_way.mkdir()
    lane = SlowLane(tmp_path, cores=2)
    assert [lane.is_ours(), lane.is_ours()] == [True, True]
    lane.beat()
    (line,) = caplog.messages
    assert "slow-lane.lock" in line
    in_the_way.rmdir()
    assert lane.is_ours()
    assert not SlowLane(tmp_path, cores=2).is_ours()
    lane.close()


def test_disk_without_locks_leaves_slow_code_served(tmp_path, monkeypatch):
    def refuse(_file, _how):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(slow_lane.fcntl, "flock", refuse)
    assert SlowLane(tmp_path, cores=2).is_ours()


@pytest.mark.parametrize(("mode", "expected"), [(0o660, 0o660), (0o644, 0o640), (0o600, 0o600)])
def test_group_writes_locks_where_it_may_write(tmp_path, mode, expected):
    database = tmp_path / "site.sqlite3"
    database.touch()
    database.chmod(mode)
    lane = SlowLane(tmp_path, like=database, cores=2)
    assert lane.is_ours()
    assert (tmp_path / "slow-lane.lock").stat().st_mode & 0o777 == expected
    lane.close()


@pytest.mark.parametrize(
    ("quotas", "expected"),
    [
        ({}, 8),
        ({"": "max 100000"}, 8),
        ({"pod/one": "max 100000", "pod": "350000 100000"}, 3),
        ({"pod/one": "50000 100000"}, 1),
    ],
)
def test_quota_of_a_container_limits_its_cores(tmp_path, monkeypatch, quotas, expected):
    own = tmp_path / "cgroup"
    own.write_text("4:memory:/another\n0::/pod/one\n")
    for group, quota in quotas.items():
        (tmp_path / group).mkdir(parents=True, exist_ok=True)
        (tmp_path / group / "cpu.max").write_text(quota + "\n")
    monkeypatch.setattr(usable_cores, "OWN_GROUP", own)
    monkeypatch.setattr(usable_cores, "GROUPS", tmp_path)
    monkeypatch.setattr(usable_cores.os, "sched_getaffinity", lambda _process: set(range(8)))
    assert usable_cores.usable_cores() == expected
