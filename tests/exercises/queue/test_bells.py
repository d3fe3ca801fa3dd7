"""Named pipes that wake workers: heard at once, never in anybody's way."""

import fcntl
import os
import stat
import threading
import time
from pathlib import Path

import pytest

from quizzes.exercises.queue.doorbell import Bell, ring

SOON = 5.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "database.sqlite3-bells"


def test_everyone_hears_a_ring_once(folder: Path) -> None:
    first, second = Bell(folder), Bell(folder)
    ring(folder)
    assert first.wait(SOON)
    assert second.wait(SOON)
    assert not first.wait(0)
    first.close()
    second.close()
    assert list(folder.iterdir()) == []


def test_a_waiting_process_is_woken(folder: Path) -> None:
    bell = Bell(folder)
    ringing = threading.Timer(0.2, ring, [folder])
    ringing.start()
    began = time.monotonic()
    assert bell.wait(30)
    assert time.monotonic() - began < 20
    bell.close()


def test_without_a_ring_it_waits_its_time(folder: Path) -> None:
    bell = Bell(folder)
    began = time.monotonic()
    assert not bell.wait(0.1)
    assert time.monotonic() - began >= 0.1
    bell.close()


def test_more_rings_than_a_pipe_holds_block_nobody_and_are_one(folder: Path) -> None:
    bell = Bell(folder)
    holds = fcntl.fcntl(bell._descriptor, fcntl.F_SETPIPE_SZ, 4096)
    for _ in range(holds + 100):
        ring(folder)
    assert bell.wait(0)
    assert not bell.wait(0)
    bell.close()


def test_nobody_there_is_nothing_to_ring(folder: Path) -> None:
    ring(folder)
    Bell(folder).close()
    ring(folder)


def test_the_bell_of_a_killed_worker_is_in_nobodys_way_and_taken_down_by_the_next(
    folder: Path,
) -> None:
    killed = Bell(folder)
    os.close(killed._descriptor)
    ring(folder)
    bell = Bell(folder)
    assert list(folder.iterdir()) == [bell._path]
    ring(folder)
    assert bell.wait(SOON)
    bell.close()


def test_a_bell_of_a_living_worker_stays(folder: Path) -> None:
    first = Bell(folder)
    Bell(folder).close()
    ring(folder)
    assert first.wait(SOON)
    first.close()


@pytest.mark.parametrize(
    ("database", "pipe", "around"),
    [(0o664, 0o660, 0o770), (0o644, 0o640, 0o750), (0, 0o600, 0o700)],
)
def test_it_is_a_pipe_for_whoever_may_write_the_database(
    folder: Path, database: int, pipe: int, around: int
) -> None:
    bell = Bell(folder, mode=database)
    mode = bell._path.stat().st_mode
    assert stat.S_ISFIFO(mode)
    assert stat.S_IMODE(mode) == pipe
    assert stat.S_IMODE(folder.stat().st_mode) == around
    bell.close()


def test_one_that_may_not_be_rung_is_told_when_the_others_have_rung(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bells = [Bell(folder) for _ in range(3)]
    for number, refusing in enumerate(bells):
        really = os.open

        def refuse(path: Path, *rest: int, really=really, refusing=refusing) -> int:
            if path == refusing._path:
                raise PermissionError(path)
            return really(path, *rest)

        with monkeypatch.context() as patch:
            patch.setattr(os, "open", refuse)
            with pytest.raises(PermissionError):
                ring(folder)
        assert [bell.wait(0) for bell in bells] == [place != number for place in range(3)]
    for bell in bells:
        bell.close()


def test_one_that_closes_as_it_is_rung_is_as_if_it_were_gone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bell = Bell(folder)
    really = os.write

    def close_first(descriptor: int, data: bytes) -> int:
        bell.close()
        return really(descriptor, data)

    monkeypatch.setattr(os, "write", close_first)
    ring(folder)


def test_what_was_never_made_whole_is_tidied_later(folder: Path) -> None:
    Bell(folder).close()
    old, new = folder / "old.new", folder / "new.new"
    for half in (old, new):
        os.mkfifo(half)
    os.utime(old, (0, 0))
    Bell(folder).close()
    assert list(folder.iterdir()) == [new]


def test_what_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "bells").write_text("a file")
    with pytest.raises(FileExistsError):
        Bell(tmp_path / "bells")
