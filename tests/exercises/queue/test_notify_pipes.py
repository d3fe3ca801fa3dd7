"""Named pipes that wake workers: read at once, never in anybody's way."""

import fcntl
import os
import stat
import threading
import time
from pathlib import Path

import pytest

from quizzes.exercises.queue.notify import NotifyPipe, notify_all

SOON = 5.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "database.sqlite3-bells"


def test_each_is_notified_once(folder: Path) -> None:
    first, second = NotifyPipe(folder), NotifyPipe(folder)
    notify_all(folder)
    assert first.wait(SOON)
    assert second.wait(SOON)
    assert not first.wait(0)
    first.close()
    second.close()
    assert list(folder.iterdir()) == []


def test_a_waiting_process_is_woken(folder: Path) -> None:
    pipe = NotifyPipe(folder)
    sender = threading.Timer(0.2, notify_all, [folder])
    sender.start()
    began = time.monotonic()
    assert pipe.wait(30)
    assert time.monotonic() - began < 20
    pipe.close()


def test_without_a_notification_it_waits_its_time(folder: Path) -> None:
    pipe = NotifyPipe(folder)
    began = time.monotonic()
    assert not pipe.wait(0.1)
    assert time.monotonic() - began >= 0.1
    pipe.close()


def test_more_notifications_than_a_pipe_holds_block_nobody_and_are_one(folder: Path) -> None:
    pipe = NotifyPipe(folder)
    holds = fcntl.fcntl(pipe._descriptor, fcntl.F_SETPIPE_SZ, 4096)
    for _ in range(holds + 100):
        notify_all(folder)
    assert pipe.wait(0)
    assert not pipe.wait(0)
    pipe.close()


def test_nobody_there_is_nobody_to_notify(folder: Path) -> None:
    notify_all(folder)
    NotifyPipe(folder).close()
    notify_all(folder)


def test_the_pipe_of_a_killed_worker_is_in_nobodys_way_and_removed_by_the_next(
    folder: Path,
) -> None:
    killed = NotifyPipe(folder)
    os.close(killed._descriptor)
    notify_all(folder)
    pipe = NotifyPipe(folder)
    assert list(folder.iterdir()) == [pipe._path]
    notify_all(folder)
    assert pipe.wait(SOON)
    pipe.close()


def test_a_pipe_of_a_living_worker_stays(folder: Path) -> None:
    first = NotifyPipe(folder)
    NotifyPipe(folder).close()
    notify_all(folder)
    assert first.wait(SOON)
    first.close()


@pytest.mark.parametrize(
    ("database", "expected", "around"),
    [(0o664, 0o660, 0o770), (0o644, 0o640, 0o750), (0, 0o600, 0o700)],
)
def test_those_who_may_write_the_database_may_write_the_pipe(
    folder: Path, database: int, expected: int, around: int
) -> None:
    pipe = NotifyPipe(folder, mode=database)
    mode = pipe._path.stat().st_mode
    assert stat.S_ISFIFO(mode)
    assert stat.S_IMODE(mode) == expected
    assert stat.S_IMODE(folder.stat().st_mode) == around
    pipe.close()


def test_one_that_may_not_be_written_is_told_when_the_others_were(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipes = [NotifyPipe(folder) for _ in range(3)]
    for number, refusing in enumerate(pipes):
        really = os.open

        def refuse(path: Path, *rest: int, really=really, refusing=refusing) -> int:
            if path == refusing._path:
                raise PermissionError(path)
            return really(path, *rest)

        with monkeypatch.context() as patch:
            patch.setattr(os, "open", refuse)
            with pytest.raises(PermissionError):
                notify_all(folder)
        assert [pipe.wait(0) for pipe in pipes] == [place != number for place in range(3)]
    for pipe in pipes:
        pipe.close()


def test_one_that_closes_as_it_is_written_is_as_if_it_were_gone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = NotifyPipe(folder)
    really = os.write

    def close_first(descriptor: int, data: bytes) -> int:
        pipe.close()
        return really(descriptor, data)

    monkeypatch.setattr(os, "write", close_first)
    notify_all(folder)


def test_what_was_never_made_whole_is_tidied_later(folder: Path) -> None:
    NotifyPipe(folder).close()
    old, new = folder / "old.new", folder / "new.new"
    for half in (old, new):
        os.mkfifo(half)
    os.utime(old, (0, 0))
    NotifyPipe(folder).close()
    assert list(folder.iterdir()) == [new]


def test_what_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "bells").write_text("a file")
    with pytest.raises(FileExistsError):
        NotifyPipe(tmp_path / "bells")


def test_topic_leaves_out_other_pipes(folder: Path) -> None:
    first, second = NotifyPipe(folder, topic="first-"), NotifyPipe(folder, topic="second-")
    notify_all(folder, topic="first-")
    assert first.wait(SOON)
    assert not second.wait(0)
    first.close()
    second.close()
