"""What authors import: the example in the documentation is an exercise, typed and verified."""

import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import ordinal_exercise
from quizzes.content_files.files import DiskFiles
from quizzes.grader.definitions.case_pack_builder import draw_cases
from quizzes.grader.definitions.definition import ExerciseDefinition, read_definition, read_folder
from quizzes.grader.definitions.verification import verify
from quizzes.grader.errors import AuthorError
from quizzes.grader.judge.case_pack import digest_of_call
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Sandbox
from tests.grader.conftest import ROOT

EXAMPLE = ROOT / "docs/example-exercise"
GUIDE = ROOT / "docs/authoring-exercises.md"
NEW, OLD = "from ordinal_exercise import Case", "from quizzes.grader.case import Case"
FILES = read_folder(DiskFiles(EXAMPLE))


def example(**changed: str) -> ExerciseDefinition:
    return read_definition("causal-mask", {**FILES, **changed})


def cases_with(line: str) -> str:
    assert FILES["cases.py"].count(NEW) == 1
    return FILES["cases.py"].replace(NEW, line)


def mypy(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """What the types of a file say, strictly, where an author works: in no package of ours."""
    file = folder / "cases.py"
    file.write_text(text)
    command = [sys.executable, "-m", "mypy", "--strict", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_it_is_the_case_of_the_grader_and_nothing_more() -> None:
    assert ordinal_exercise.__all__ == ["Case"]
    assert ordinal_exercise.Case is Case


def test_the_guide_shows_the_name_and_every_field_of_a_case() -> None:
    text = GUIDE.read_text()
    assert NEW in text
    assert "docs/example-exercise" in text or "(example-exercise/)" in text
    for field in fields(Case):
        if field.name not in ("label", "kwargs"):  # these two are given by place
            assert f"`{field.name}" in text or f"{field.name}=" in text, field.name


@pytest.mark.sandbox
def test_the_example_is_verified(author: Sandbox, student: Sandbox) -> None:
    verification = verify(example(), author, student)
    assert verification.problems == ()
    assert verification.proof.remarks == ()
    assert all(variant.told_apart for variant in verification.proof.variants)
    assert len(verification.proof.variants) == 5
    assert [shown.ok for shown in verification.proof.examples] == [True]


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "line", [NEW, OLD, "import ordinal_exercise\nCase = ordinal_exercise.Case"]
)
def test_both_names_give_the_same_cases(line: str, author: Sandbox) -> None:
    drawn = draw_cases(example(**{"cases.py": cases_with(line)}), author, seed=3)
    digests = [digest_of_call(case) for case in draw_cases(example(), author, seed=3)]
    assert [digest_of_call(case) for case in drawn] == digests
    assert len(digests) == 9


@pytest.mark.sandbox
@pytest.mark.parametrize("file", ["reference.py", "wrong/future.py"])
def test_no_other_file_of_an_exercise_can_import_it(
    file: str, author: Sandbox, student: Sandbox
) -> None:
    code = FILES[file].replace("import numpy as np", f"import numpy as np\n{NEW}")
    with pytest.raises(AuthorError, match="No module named 'ordinal_exercise'") as raised:
        verify(example(**{file: code}), author, student)
    assert raised.value.path == file


@pytest.mark.slow
def test_types_name_a_misspelt_field_alone(tmp_path: Path) -> None:
    checked = mypy(tmp_path, FILES["cases.py"].replace("spare=True", "sparse=True"))
    assert checked.returncode == 1
    assert checked.stdout.count(" error: ") == 1, checked.stdout
    assert 'Unexpected keyword argument "sparse" for "Case"' in checked.stdout
