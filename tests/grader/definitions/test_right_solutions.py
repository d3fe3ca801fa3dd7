"""Further right solutions of an exercise: read, counted in its version, verified, never shown."""

from dataclasses import replace
from pathlib import Path

import pytest

from quizzes.content_files.files import DiskFiles
from quizzes.grader.definitions.definition import (
    MOST_RIGHT,
    ExerciseDefinition,
    check_folder,
    hash_files,
    read_definition,
    read_folder,
)
from quizzes.grader.definitions.verification import verify
from quizzes.grader.errors import DefinitionError
from quizzes.grader.protocol.job import Sandbox
from tests.grader.definitions.test_definition import files

SOURCE = "def table(n):\n    return n\n"


def with_right(*names: str, source: str = SOURCE) -> dict[str, str]:
    return files() | {f"right/{name}.py": source for name in names}


def test_right_solutions_follow_the_reference() -> None:
    definition = read_definition("x", with_right("loops", "classes"))
    assert definition.right == {"classes": SOURCE, "loops": SOURCE}
    assert definition.right_sources == (definition.reference, SOURCE, SOURCE)
    assert read_definition("x", files()).right_sources == (definition.reference,)


def test_folder_has_right_solutions(tmp_path: Path) -> None:
    for name, text in {**with_right("loops"), "right/notes.txt": "x"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert read_folder(DiskFiles(tmp_path)) == with_right("loops")


def test_right_solution_makes_another_version() -> None:
    """And an exercise without one has the hash of before: its files and nothing else."""
    assert read_definition("x", files()).content_hash == hash_files(files())
    one, other = with_right("loops"), with_right("loops", source=f"{SOURCE}\n")
    hashes = {read_definition("x", texts).content_hash for texts in (files(), one, other)}
    assert len(hashes) == 3


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (with_right("With Loops"), "'With Loops': expected a lower-case name such as with_loops"),
        (with_right(*(f"way_{n}" for n in range(MOST_RIGHT + 1))), "has 7 files, expected at most"),
    ],
)
def test_names_and_number_are_checked(texts: dict[str, str], said: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        read_definition("x", texts)
    assert any(said in problem.message for problem in caught.value.problems)


@pytest.mark.parametrize("source", ["def table(n) return n", "x = 1\n"])
def test_unusable_right_solution_is_named(source: str, tmp_path: Path) -> None:
    for name, text in with_right("loops", source=source).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    _, problems = check_folder(DiskFiles(tmp_path))
    assert "right/loops.py" in {problem.path for problem in problems}


@pytest.mark.sandbox
@pytest.mark.slow
def test_verification_refuses_a_wrong_right_solution(
    table: ExerciseDefinition, author: Sandbox, student: Sandbox
) -> None:
    swapped = table.wrong["swap"].source
    claimed = replace(table, right={"loops": swapped}, wrong={})
    verification = verify(claimed, author, student, was_published=True)
    assert not verification.ok
    assert any(line.startswith("right/loops.py: was graded") for line in verification.problems)
    assert not any(line.startswith("reference.py") for line in verification.problems)
