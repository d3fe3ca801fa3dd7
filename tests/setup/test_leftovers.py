"""Whatever ends a run of the tests, what it started ends as well."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.settled_site import settled_site
from tests.whole_site import ROOT, descendants_of, is_running

# The gate names what any of its own tests leaves.
pytestmark = [pytest.mark.sandbox, pytest.mark.soak, pytest.mark.races]

STARTS_A_SITE = """
import time
from pathlib import Path
from tests.settled_site import settled_site
from tests.whole_site import Site
def test_site(tmp_path):
    site = Site(tmp_path, like=Path(SETTLED))
    site.start(graded=False)
    Path(__file__).with_name("serves").touch()
    time.sleep(300)
"""


@pytest.mark.parametrize("processes", [1, 0])
def test_a_killed_pytest_leaves_no_site(
    tmp_path: Path, shared_folder: Path, processes: int
) -> None:
    settled = settled_site(shared_folder)
    (tmp_path / "test_it.py").write_text(f"SETTLED = {str(settled)!r}\n{STARTS_A_SITE}")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest"]
    run = subprocess.Popen(
        [*command, "-n", str(processes), str(tmp_path / "test_it.py")],
        cwd=ROOT,
        env=os.environ | {"WARM_TORCH": "0"},
        stdout=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 120
    while not (tmp_path / "serves").exists():
        assert run.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)
    family = descendants_of(run.pid)
    assert len(family) > 4
    run.send_signal(signal.SIGKILL)
    run.wait()
    ends_by = time.monotonic() + 30
    while any(is_running(pid) for pid in family):
        assert time.monotonic() < ends_by, [pid for pid in family if is_running(pid)]
