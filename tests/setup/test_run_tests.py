"""tools/run_tests.py: what fails beside others is tried once more alone, and never hidden."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.whole_site import ROOT
from tools.run_tests import ONE_THREAD

# Where libraries of numbers may start no thread; a process for this alone would take a second.
PASSES = f"import os\ndef test_sound(): assert {ONE_THREAD}.items() <= os.environ.items()\n"
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


def at_night(value: object) -> Any:
    return pytest.param(value, marks=pytest.mark.soak)


BY_OPTIONS = pytest.mark.parametrize(
    "options", [(), at_night(("-n", "2", "--dist", "loadfile"))], ids=["alone", "xdist"]
)


def command(folder: Path, tests: str, *options: str) -> tuple[list[str], dict[str, str]]:
    (folder / "pytest.ini").write_text("[pytest]\n")
    deep = folder / "deep"  # a conftest.py that not all folders have: pytest compares its plugins
    deep.mkdir()
    (deep / "conftest.py").touch()
    (deep / "test_it.py").write_text(tests)
    plain = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    program = str(ROOT / "tools/run_tests.py")
    others = {name: value for name, value in os.environ.items() if name not in ONE_THREAD}
    return [sys.executable, program, "-p", "xdist.plugin", *options], others | plain


def run(folder: Path, tests: str, *options: str) -> subprocess.CompletedProcess[str]:
    line, environment = command(folder, tests, *options)
    return subprocess.run(
        line, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@BY_OPTIONS
def test_what_passes_alone_is_named(tmp_path: Path, options: tuple[str, ...]) -> None:
    ran = run(tmp_path, PASSES + AT_FIRST, *options)
    assert ran.returncode == 0
    last = ran.stdout.splitlines()[-2:]
    assert "PASSED ALONE" in last[0]
    assert last[1].endswith("test_it.py::test_shaky")
    assert "1 failed, 1 passed" in ran.stdout
    assert "2 passed" not in ran.stdout, "the sound one was run again"


@pytest.mark.slow
@pytest.mark.parametrize("tests", [PASSES + FAILS + AT_FIRST, at_night(UNSTABLE), at_night(SKIPS)])
def test_what_does_not_pass_alone_fails(tmp_path: Path, tests: str) -> None:
    ran = run(tmp_path, tests)
    assert ran.returncode != 0
    assert "now running them alone" in ran.stdout
    assert "PASSED ALONE" not in ran.stdout


@pytest.mark.slow
@BY_OPTIONS
@pytest.mark.parametrize("tests", [LEAVES, at_night(UNREADABLE)])
def test_what_is_found_beyond_the_tests_is_not_tried_again(
    tmp_path: Path, tests: str, options: tuple[str, ...]
) -> None:
    ran = run(tmp_path, tests, *options)
    assert ran.returncode != 0
    assert "alone" not in ran.stdout


@pytest.mark.soak
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
