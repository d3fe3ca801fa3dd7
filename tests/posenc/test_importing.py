"""What importing costs, and the one file that must never exist."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS_MATPLOTLIB = """
import sys
sys.modules["matplotlib"] = None  # any import of it raises
import posenc.catalog
from posenc.figures.card import gauge, value_card
from posenc.figures.live import draw_live
from posenc.registry import REGISTRY
for entry in REGISTRY.values():
    for view in entry.views.values():
        draw_live(view.compute(entry.encoding()))
gauge(0.5)
assert "torch" not in sys.modules
"""


def run(program, *options):
    return subprocess.run(
        [sys.executable, *options, "-c", program], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "module",
    [
        "posenc",
        "posenc.catalog",
        "posenc.attention",
        "posenc.analysis",
        "posenc.rotation",
    ],
)
def test_importing_brings_nothing_heavy(module):
    heavy = {"torch", "matplotlib"}
    program = f"import sys, {module}; print(*({heavy} & set(sys.modules)))"
    result = run(program)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == []


def import_seconds(module):
    """Return the least processor time of three imports: what others do meanwhile says nothing."""
    program = (
        f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    )
    return min(float(run(program).stdout) for _ in range(3))


@pytest.mark.soak
def test_importing_takes_less_than_a_third_of_a_second():
    """Less than 0.3 s; on a slow machine at most as much again as NumPy, which is most of it."""
    assert import_seconds("posenc.catalog") < max(0.3, 2 * import_seconds("numpy"))


@pytest.mark.slow
def test_live_pictures_need_no_matplotlib():
    result = run(BLOCKS_MATPLOTLIB)
    assert result.returncode == 0, result.stderr


def test_the_folder_encodings_is_no_package():
    assert not (ROOT / "encodings" / "__init__.py").exists(), (
        "`encodings` is a package of Python's standard library, loaded before any of our code. With"
        " encodings/__init__.py and PYTHONPATH=. the interpreter does not start. The folder is a"
        " distribution; what it installs is called posenc."
    )


def test_the_interpreter_starts_with_the_project_on_its_path():
    result = subprocess.run(
        [sys.executable, "-c", "import encodings; print(encodings.__file__)"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert str(ROOT) not in result.stdout


def test_the_version_is_that_of_the_distribution():
    from importlib.metadata import version

    import posenc

    assert posenc.__version__ == version("posenc")


def test_the_examples_in_the_docstrings_run():
    import doctest

    import posenc

    assert doctest.testmod(posenc).attempted > 0
    assert doctest.testmod(posenc).failed == 0


def test_the_lines_of_the_readme_run():
    import doctest

    readme = ROOT / "encodings" / "README.md"
    result = doctest.testfile(str(readme), module_relative=False)
    assert result.attempted >= 4
    assert result.failed == 0
