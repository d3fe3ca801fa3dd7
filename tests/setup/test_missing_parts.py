"""Where the machine lacks something, tests are skipped loudly; in CI they fail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDY = {
    "sandbox": "import pytest\n\n@pytest.mark.sandbox\ndef test_it(): pass\n",
    "browser": "def test_it(page): page.goto('about:blank')\n",
}


def run_pytest(test: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "--rootdir", str(ROOT)]
    return subprocess.run(
        [*command, "-c", str(ROOT / "pyproject.toml"), str(test)],
        cwd=ROOT,
        env=os.environ | {"CI": "", "PATH": "/nowhere", "HOME": "/nowhere"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(params=[pytest.param(need, marks=getattr(pytest.mark, need)) for need in NEEDY])
def needy(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    test = tmp_path / f"test_{request.param}.py"
    test.write_text(NEEDY[request.param])
    return test


def test_elsewhere_it_is_skipped_with_the_cure_in_the_summary(needy: Path) -> None:
    run = run_pytest(needy)
    assert run.returncode == 0, run.stdout
    assert "NOT TESTED" in run.stdout
    assert "1 tests were skipped" in run.stdout
    assert "Cure: " in run.stdout
    assert "apt-get install" in run.stdout
    assert "1 skipped" in run.stdout.splitlines()[-1]


def test_in_ci_it_fails(needy: Path) -> None:
    run = run_pytest(needy, CI="true")
    assert run.returncode == 1
    assert "CI must test this" in run.stdout


def test_with_everything_there_it_runs(needy: Path) -> None:
    run = run_pytest(needy, PATH=os.environ["PATH"], HOME=os.environ.get("HOME", "/"))
    assert run.returncode == 0, run.stdout
    assert "1 passed" in run.stdout.splitlines()[-1]
