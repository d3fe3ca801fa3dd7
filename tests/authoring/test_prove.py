"""`manage.py prove`: exercises prove themselves before anybody publishes them."""

import json
import shutil
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parents[2]
COURSE = ROOT / "quizzes/content/positional-encodings"

pytestmark = pytest.mark.sandbox


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course folder with one exercise that may be broken."""
    folder = tmp_path / "exercises/sinusoidal-table"
    shutil.copytree(COURSE / "exercises/sinusoidal-table", folder)
    return tmp_path


def test_a_good_exercise_is_told_so(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("prove", str(course))
    said = capsys.readouterr().out
    assert "sinusoidal-table: 19 of 19 known mistakes are caught, 19 have their own name" in said
    assert "The case “one position” alone lets 11 of 19 through." in said


def test_json_is_one_line_for_each(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("prove", str(course), "sinusoidal-table", "--json")
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["score"]["total"] == 19


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("statement.md", "0.5403", "0.5404", "statement.md:"),
        ("reference.py", "np.sin", "np.tan", "reference.py"),
        ("reference.py", "import numpy", "import nompy", "reference.py:3:"),
        ("cases.py", "identify=True", "identify=False", "cases.py:1:"),
        ("exercise.yaml", "kind: function", "kind: fun", "exercise.yaml:3:"),
    ],
)
def test_a_fault_has_its_file(
    course: Path, capsys: pytest.CaptureFixture[str], name: str, old: str, new: str, said: str
) -> None:
    file = course / "exercises/sinusoidal-table" / name
    file.write_text(file.read_text().replace(old, new))
    if (name, new) == ("reference.py", "np.tan"):  # right by itself; the example disagrees
        said = "statement.md:"
    with pytest.raises(CommandError, match="1 of 1 exercises fail"):
        call_command("prove", str(course))
    assert f"sinusoidal-table: {said}" in capsys.readouterr().err


def test_a_folder_without_exercises_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="holds no exercise"):
        call_command("prove", str(tmp_path))
