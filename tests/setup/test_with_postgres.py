"""The PostgreSQL server of the tests: real, alone, and gone afterwards."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "tools/with_postgres.py"]
ASK = "import os, psycopg; print(psycopg.connect(os.environ['DATABASE_URL']).info.server_version)"


def folder_of(url: str) -> Path:
    return Path(url.partition("?host=")[2].strip()).parent


@pytest.mark.soak  # each run of the gate tests it
def test_a_command_finds_a_real_server_and_leaves_nothing_but_its_exit_code() -> None:
    run = subprocess.run(
        [*PROGRAM, "sh", "-c", 'echo $DATABASE_URL; "$0" -c "$1"; exit 7', sys.executable, ASK],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 7
    url, version = run.stdout.splitlines()
    assert int(version) >= 180000
    assert not folder_of(url).exists()


@pytest.mark.slow
def test_a_killed_run_leaves_neither_server_nor_command() -> None:
    with subprocess.Popen(
        [*PROGRAM, "sh", "-c", "echo $DATABASE_URL; exec sleep 60"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        assert run.stdout
        data = folder_of(run.stdout.readline()) / "data"
        server = int((data / "postmaster.pid").read_text().split()[0])
        run.kill()
        run.wait()
        for _ in range(600):
            if not Path(f"/proc/{server}").exists():
                break
            time.sleep(0.1)
        with pytest.raises(ProcessLookupError):  # the command beside it has ended as well
            os.killpg(run.pid, signal.SIGKILL)
    shutil.rmtree(data.parent)
    assert not Path(f"/proc/{server}").exists()


@pytest.mark.soak
def test_a_terminated_run_leaves_neither_server_nor_folder() -> None:
    with subprocess.Popen(
        [*PROGRAM, "sh", "-c", "echo $DATABASE_URL; exec sleep 60"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout
        folder = folder_of(run.stdout.readline())
        run.terminate()
        assert run.wait(timeout=30) == 143
    assert not folder.exists()
