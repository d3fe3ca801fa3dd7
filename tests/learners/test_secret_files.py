"""Secrets drawn once: the same for every process, private, and never half written."""

import subprocess
import sys
from pathlib import Path

import pytest

from quizzes.learners.secret_files import read_or_draw

ROOT = Path(__file__).resolve().parents[2]
NEWCOMERS = 8
DRAW_SLOWLY = """
import secrets, sys, time
from pathlib import Path
from quizzes.learners.secret_files import read_or_draw

def draw():
    time.sleep(0.3)
    return secrets.token_urlsafe(50)

print(read_or_draw(Path(sys.argv[1]), draw))
"""


@pytest.mark.slow
def test_processes_that_come_first_at_once_get_the_same_secret(tmp_path: Path) -> None:
    path = tmp_path / "key"
    command = [sys.executable, "-c", DRAW_SLOWLY, str(path)]
    newcomers = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(NEWCOMERS)
    ]
    said = {newcomer.communicate(timeout=60)[0] for newcomer in newcomers}
    assert said == {path.read_text() + "\n"}
    assert len(path.read_text()) > 50
    assert [left.name for left in tmp_path.iterdir()] == ["key"]
    assert path.stat().st_mode & 0o077 == 0


def test_a_file_that_a_killed_process_left_empty_is_filled(tmp_path: Path) -> None:
    (tmp_path / "key").touch()
    assert read_or_draw(tmp_path / "key", lambda: "drawn") == "drawn"
    assert read_or_draw(tmp_path / "key", lambda: "again") == "drawn"
