"""`manage.py verify_exercise`: exercises are verified before anybody publishes them."""

import json
import re
import shutil
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.authoring.conftest import _open_sandboxes  # noqa: F401  (autouse: they stay open)
from tests.authoring.test_check_and_load import run
from tests.lessons.course import write_course

ROOT = Path(__file__).resolve().parents[2]
COURSE = ROOT / "quizzes/content/positional-encodings"
KEPT = {"base_default_1000", "concat", "degrees", "exp_half", "sin_only", "transposed"}
KEPT |= {"base_fixed", "cos_own_exponent", "fp16", "odd_crash", "pos_one"}  # each clause has one

pytestmark = pytest.mark.sandbox


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course folder with one exercise that may be broken, and has a few of its mistakes."""
    folder = tmp_path / "exercises/sinusoidal-table"
    shutil.copytree(COURSE / "exercises/sinusoidal-table", folder)
    for file in folder.glob("wrong/*.py"):
        if file.stem not in KEPT:
            file.unlink()
    return tmp_path


def test_a_good_exercise_is_told_so(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_exercise", str(course))
    said = capsys.readouterr().out
    total = len(list(course.glob("exercises/*/wrong/*.py")))
    caught = f"{total} of {total} known mistakes are caught, and {total} are named correctly"
    assert f"sinusoidal-table: {caught}" in said
    assert re.search(rf"through: “one position” \(\d+ of {total}\), “one pair” \(\d+ of", said)


def test_json_is_one_line_for_each(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the older name, which authors' scripts still have."""
    call_command("prove", str(course), "sinusoidal-table", "--json")
    (line,) = capsys.readouterr().out.splitlines()
    total = len(list(course.glob("exercises/*/wrong/*.py")))
    assert json.loads(line)["score"]["total"] == total > 0


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
        call_command("verify_exercise", str(course))
    assert f"sinusoidal-table: {said}" in capsys.readouterr().err


def test_a_folder_without_exercises_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="holds no exercise"):
        call_command("verify_exercise", str(tmp_path))


@pytest.fixture
def whole_course(tmp_path: Path) -> Path:
    """A course that holds together, with one exercise."""
    course = write_course(tmp_path, {"one": "Words."})
    folder = course / "exercises/inv-freq"
    shutil.copytree(COURSE / "exercises/inv-freq", folder)
    for file in (folder / "exercise.yaml", *folder.glob("wrong/*.py")):
        text = re.sub(r"(?im)^(step: *).*", r"\1first/one", file.read_text())
        file.write_text(text)
    return course


def test_check_content_runs_exercises_and_warns(whole_course: Path) -> None:
    with (whole_course / "exercises/inv-freq/statement.md").open("a") as statement:
        statement.write("\nIt may be bfloat16.\n")
    code, said = run("check_content", whole_course)
    assert code == 0, said
    assert "1 exercise, 0 plots, 1 lesson" in said
    assert "warning: exercises/inv-freq: On its own, each of these cases lets" in said
    assert "“one pair” (" in said
    assert "warning: exercises/inv-freq: The statement names bfloat16, but no case" in said


def test_blame_lands_where_the_fault_is_and_not_on_what_calls_it(whole_course: Path) -> None:
    reference = whole_course / "exercises/inv-freq/reference.py"
    reference.write_text(reference.read_text().replace("    return ", "    1 / 0; return "))
    line = reference.read_text().split("1 / 0")[0].count("\n") + 1
    for slug, exercise, body in (
        ("calls-it", "exercise: inv-freq\n", "exercise.reference(d=4)"),
        ("own-fault", "", "1 / 0"),
    ):
        folder = whole_course / "questions" / slug
        folder.mkdir(parents=True)
        about = "kind: single\nstep: first/one\nprompt: Other numbers every time.\n"
        (folder / "question.yaml").write_text(about + exercise)
        (folder / "generate.py").write_text(f"def generate(rng, exercise):\n    {body}\n")
    code, said = run("check_content", whole_course)
    assert code == 1
    of_reference, own, *end = said.splitlines()
    assert of_reference.startswith(f"exercises/inv-freq/reference.py:{line}: ")
    assert own == "questions/own-fault/generate.py:2: seed 0: ZeroDivisionError: division by zero"
    assert end == [
        f"1 of the exercises in {whole_course} fail verification;"
        f" 1 of the generators in {whole_course} fail"
    ]


@pytest.mark.covering(most=2)
@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("reference.py", "import numpy", "import nompy", "exercises/inv-freq/reference.py:"),
        ("statement.md", "0.01", "0.02", "exercises/inv-freq/statement.md:"),
        ("starter.py", None, "reference.py", "exercises/inv-freq/starter.py: is graded correct"),
        (
            "starter.py",
            "import numpy as np\n",
            "import numpy as np\nall_memory = bytearray(10**12)\n",
            "exercises/inv-freq/starter.py: was graded limit_reached: ",
        ),
    ],
)
def test_check_content_tells_what_only_running_shows(
    whole_course: Path, name: str, old: str | None, new: str, words: str
) -> None:
    file = whole_course / "exercises/inv-freq" / name
    text = file.read_text()
    file.write_text(file.with_name(new).read_text() if old is None else text.replace(old, new))
    code, said = run("check_content", whole_course)
    assert code == 1
    assert words in said
    assert run("check_content", whole_course, "--without-proofs")[0] == 0
