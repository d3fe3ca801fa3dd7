"""What fork servers hold: huge pages where the machine has them, and not too much of anything."""

import re
from pathlib import Path

import pytest

from quizzes.grader.sandbox.bubblewrap import HUGE_PAGES
from quizzes.grader.sandbox.supervisor import Supervisor

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

MOST_MB = 500  # of one fork server with its spare children; a worker may take 900 in all


def sizes(pid: int) -> dict[str, int]:
    """Kilobytes by name, of a process that only its owner's root may look at."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except PermissionError:
        pytest.skip("the fork server hides its memory from its own user")
    return {name: int(size) for name, size in re.findall(r"^(\w+): +(\d+) kB", text, re.MULTILINE)}


def test_torchs_fork_server_has_huge_pages_where_there_are_any(torch_student: Supervisor) -> None:
    setting = (HUGE_PAGES / "enabled").read_text() if HUGE_PAGES.is_dir() else "[never]"
    if "[never]" in setting:
        pytest.skip("this machine offers no huge pages")
    found = sizes(torch_student.server_pid)
    assert found["AnonHugePages"] > 0, found


def test_a_fork_server_is_not_too_large(torch_student: Supervisor, student: Supervisor) -> None:
    assert sizes(torch_student.server_pid)["Pss"] < MOST_MB << 10
    assert sizes(student.server_pid)["Pss"] < 80 << 10
