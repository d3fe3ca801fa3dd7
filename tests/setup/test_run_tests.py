"""tools/run_tests.py: what fails beside others is tried once more alone, and never hidden."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.whole_site import ROOT

PASSES = "def test_sound(): pass\n"
FAILS = "def test_broken(): assert False\n"
AT_FIRST = """
from pathlib import Path
def test_shaky():
    seen = Path(__file__).with_name("seen")
    first = not seen.exists()
    seen.touch()
    assert not first
"""


def run(folder: Path, tests: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_it.py").write_text(tests)
    return subprocess.run(
        [sys.executable, ROOT / "tools/run_tests.py", "-p", "xdist.plugin", *arguments],
        cwd=folder,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def test_nothing_is_run_again_when_all_pass(tmp_path: Path) -> None:
    ran = run(tmp_path, PASSES)
    assert ran.returncode == 0
    assert "alone" not in ran.stdout


def test_what_passes_alone_is_named(tmp_path: Path) -> None:
    ran = run(tmp_path, PASSES + AT_FIRST, "-n", "2")
    assert ran.returncode == 0
    last = ran.stdout.splitlines()[-2:]
    assert "PASSED ALONE" in last[0]
    assert last[1].endswith("test_it.py::test_shaky")
    assert "1 failed, 1 passed" in ran.stdout
    assert "2 passed" not in ran.stdout, "the sound one was run again"


def test_what_fails_alone_fails(tmp_path: Path) -> None:
    ran = run(tmp_path, PASSES + FAILS + AT_FIRST)
    assert ran.returncode == 1
    assert "PASSED ALONE" not in ran.stdout


def test_many_failures_are_no_accident(tmp_path: Path) -> None:
    many = "".join(AT_FIRST.replace("shaky", f"shaky{n}").replace("seen", f"s{n}") for n in "1234")
    ran = run(tmp_path, many)
    assert ran.returncode == 1
    assert "alone" not in ran.stdout


@pytest.mark.parametrize(
    ("tests", "arguments", "code"), [("def test_(:", (), 2), (PASSES, ("--no-such-option",), 4)]
)
def test_what_is_about_no_single_test_is_not_tried_again(
    tmp_path: Path, tests: str, arguments: tuple[str, ...], code: int
) -> None:
    ran = run(tmp_path, tests, *arguments)
    assert ran.returncode == code
    assert "alone" not in ran.stdout
