"""A backup made while submissions are graded: restored, a worker goes on with what waited."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import new_database
from tests.exercises import making
from tests.exercises.queue.queue_processes import Queue
from tests.whole_site import ROOT
from tools.with_postgres import programs

# By day tests/operations/test_backup.py restores a copy of what nobody writes to meanwhile.
pytestmark = [pytest.mark.both_databases, pytest.mark.sandbox, pytest.mark.soak, pytest.mark.races]

SLEEPS = "\nimport time\ntime.sleep(0.2)\n"  # so that some wait when the copy is made
VERDICTS = {making.REFERENCE + SLEEPS: "correct", making.SWAPPED + SLEEPS: "known_mistake"}
COUNT = 60
PATH = f"{programs() / 'bin'}:{os.environ['PATH']}"  # PostgreSQL's programs are no system's here


@pytest.fixture
def queue(tmp_path: Path, shared_folder: Path) -> Iterator[Queue]:
    made = Queue(tmp_path, shared_folder)
    yield made
    made.stop()


def run(url: str, queue: Queue, *command: str) -> None:
    ended = subprocess.run(
        command,
        cwd=ROOT,
        env=queue.environment | {"DATABASE_URL": url, "PATH": PATH},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


def back_up(queue: Queue, file: Path) -> None:
    url = queue.environment["DATABASE_URL"]
    run(url, queue, sys.executable, "manage.py", "backup", str(file))


def restore(queue: Queue, file: Path, folder: Path) -> str:
    folder.mkdir()
    url = new_database(folder)
    run(url, queue, sys.executable, "manage.py", "restore", str(file), "--yes")
    return url


def test_a_backup_under_load_is_whole_and_goes_on_being_graded(queue: Queue, tmp_path: Path):
    queue.start_worker()
    queue.wait_for_log(0, "passed its self-test")
    codes = list(VERDICTS)
    queue.hand_in(*(("submit", codes[number % 2]) for number in range(COUNT)))
    file = tmp_path / "backup"
    back_up(queue, file)
    later = queue.wait_until_graded()
    assert len(later) == COUNT, "the site went on"
    queue.stop()
    queue.environment["DATABASE_URL"] = restore(queue, file, tmp_path / "restored")
    restored = queue.rows()
    assert [row["pk"] for row in restored] == [row["pk"] for row in later]
    waiting = [row for row in restored if not row["verdict"]]
    assert waiting, "all were graded before the copy was made"
    queue.start_worker()
    rows = queue.wait_until_graded()
    assert {(row["code"], row["verdict"]) for row in rows} == set(VERDICTS.items())
    assert max(row["tries_used"] for row in rows) <= 2
