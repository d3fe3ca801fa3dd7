"""tools/run_tests.py: what fails beside others is tried once more alone, and never hidden."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.whole_site import ROOT

PASSES = "def test_sound(): pass\n"
FAILS = "def test_broken(): assert False\n"
AT_FIRST = """
from pathlib import Path
def first(name):
    seen = Path(__file__).with_name(name)
    there = seen.exists()
    seen.touch()
    return not there
def test_shaky(): assert not first("shaky")
"""
CRASHES = AT_FIRST + "import os\ndef test_crash(): first('crash') and os._exit(1)\n"
UNSTABLE = AT_FIRST + (
    "import os, pytest\n@pytest.mark.parametrize('x', [os.getpid()])\ndef test_x(x): assert False\n"
)
SKIPS = AT_FIRST + (
    "import pytest\ndef test_or_skip():\n    if first('skip'): assert False\n    pytest.skip()\n"
)
LEAVES = AT_FIRST + (
    "import pytest\n@pytest.fixture(scope='session')\ndef site():\n    yield\n"
    "    assert not first('left')\ndef test_site(site): pass\n"
)
UNREADABLE = AT_FIRST + "if first('collected'): raise KeyError\n" + PASSES
WAITS = """
import time, pytest
from pathlib import Path
@pytest.fixture
def site():
    yield
    Path(__file__).with_name("stopped").touch()
def test_wait(site):
    Path(__file__).with_name("begun").touch()
    time.sleep(60)
"""


def command(folder: Path, tests: str, *options: str) -> tuple[list[str], dict[str, str]]:
    (folder / "pytest.ini").write_text("[pytest]\n")
    deep = folder / "deep"  # a conftest.py that not all folders have: pytest compares its plugins
    deep.mkdir()
    (deep / "conftest.py").touch()
    (deep / "test_it.py").write_text(tests)
    plain = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    program = str(ROOT / "tools/run_tests.py")
    return [sys.executable, program, "-p", "xdist.plugin", *options], os.environ | plain


def run(folder: Path, tests: str, *options: str) -> subprocess.CompletedProcess[str]:
    line, environment = command(folder, tests, *options)
    return subprocess.run(
        line, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_nothing_is_run_again_when_all_pass(tmp_path: Path) -> None:
    ran = run(tmp_path, PASSES)
    assert ran.returncode == 0
    assert "alone" not in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("-n", "2", "--dist", "loadfile")])
def test_what_passes_alone_is_named(tmp_path: Path, options: tuple[str, ...]) -> None:
    ran = run(tmp_path, PASSES + AT_FIRST, *options)
    assert ran.returncode == 0
    last = ran.stdout.splitlines()[-2:]
    assert "PASSED ALONE" in last[0]
    assert last[1].endswith("test_it.py::test_shaky")
    assert "1 failed, 1 passed" in ran.stdout
    assert "2 passed" not in ran.stdout, "the sound one was run again"


@pytest.mark.slow
@pytest.mark.parametrize("tests", [PASSES + FAILS + AT_FIRST, UNSTABLE, SKIPS])
def test_what_does_not_pass_alone_fails(tmp_path: Path, tests: str) -> None:
    ran = run(tmp_path, tests)
    assert ran.returncode != 0
    assert "now alone" in ran.stdout
    assert "PASSED ALONE" not in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("-n", "2", "--dist", "loadfile")])
@pytest.mark.parametrize("tests", [LEAVES, UNREADABLE])
def test_what_is_found_beyond_the_tests_is_not_tried_again(
    tmp_path: Path, tests: str, options: tuple[str, ...]
) -> None:
    ran = run(tmp_path, tests, *options)
    assert ran.returncode != 0
    assert "alone" not in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("how", ["load", "loadfile"])
def test_a_test_that_kills_its_process_is_not_tried_again(tmp_path: Path, how: str) -> None:
    ran = run(tmp_path, CRASHES, "-n", "2", "--dist", how)
    assert ran.returncode != 0
    assert "alone" not in ran.stdout


def test_many_failures_are_no_accident(tmp_path: Path) -> None:
    ran = run(tmp_path, FAILS + "".join(FAILS.replace("broken", name) for name in "abc"))
    assert ran.returncode == 1
    assert "alone" not in ran.stdout


def test_a_run_that_ends_at_its_first_failure_says_nothing_of_the_others(tmp_path: Path) -> None:
    ran = run(tmp_path, AT_FIRST + FAILS, "-x")
    assert ran.returncode == 1
    assert "alone" not in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tests", "options", "code"), [("def test_(:", (), 2), (PASSES, ("--no-such-option",), 4)]
)
def test_what_pytest_cannot_begin_keeps_its_exit_code(
    tmp_path: Path, tests: str, options: tuple[str, ...], code: int
) -> None:
    assert run(tmp_path, tests, *options).returncode == code


@pytest.mark.slow
def test_an_interrupted_run_takes_its_fixtures_down(tmp_path: Path) -> None:
    line, environment = command(tmp_path, WAITS)
    # a shell that starts a program in the background makes it, and us, deaf to interruptions
    line = ["env", "--default-signal=INT", *line]
    running = subprocess.Popen(line, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while not (tmp_path / "deep/begun").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=30) == 2
    assert (tmp_path / "deep/stopped").exists()
