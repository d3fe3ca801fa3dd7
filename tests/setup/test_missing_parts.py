"""Where the machine lacks something, tests are skipped loudly; in CI they fail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
NEEDY = {
    "sandbox": "import pytest\n\n@pytest.mark.sandbox\ndef test_one(): pass\n",
    "browser": "def test_another(page): page.goto('about:blank')\n",
}


@pytest.fixture
def needy(tmp_path: Path) -> Path:
    for name, test in NEEDY.items():
        (tmp_path / f"test_{name}.py").write_text(test)
    return tmp_path


def run_pytest(tests: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "--rootdir", str(ROOT)]
    return subprocess.run(
        [*command, "-c", str(ROOT / "pyproject.toml"), str(tests)],
        cwd=ROOT,
        env=os.environ | {"CI": "", "PATH": "/nowhere", "HOME": "/nowhere"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.soak
def test_elsewhere_they_are_skipped_with_the_cures_in_the_summary(needy: Path) -> None:
    run = run_pytest(needy)
    assert run.returncode == 0, run.stdout
    assert "NOT TESTED" in run.stdout
    assert run.stdout.count("1 tests were skipped") == len(NEEDY)
    assert run.stdout.count("Cure: ") == 2 * len(NEEDY)  # where it is skipped and at the end
    assert "apt-get install" in run.stdout
    assert "2 skipped" in run.stdout.splitlines()[-1]


def test_in_ci_they_fail(needy: Path) -> None:
    run = run_pytest(needy, CI="true")
    assert run.returncode == 1
    assert run.stdout.count("CI must test this") >= len(NEEDY)
    assert "passed" not in run.stdout.splitlines()[-1]
