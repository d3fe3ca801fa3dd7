"""One sandbox of each kind for the whole session, and the shipped exercise."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from quizzes.grader.case_pack import CasePack
from quizzes.grader.definition import ExerciseDefinition, read_definition, read_folder
from quizzes.grader.job import Sandbox
from quizzes.grader.preparing import prepare
from quizzes.grader.profiles import NUMPY, TORCH
from quizzes.grader.routing import RoutedSandbox, author_sandbox
from quizzes.grader.supervisor import Supervisor
from tests.grader.programs import never_recycled

ROOT = Path(__file__).resolve().parents[2]
EXERCISE = ROOT / "quizzes/content/positional-encodings/exercises/sinusoidal-table"


@pytest.fixture(scope="session")
def student() -> Iterator[Supervisor]:
    with never_recycled(NUMPY) as supervisor:
        yield supervisor


@pytest.fixture(scope="session")
def torch_student() -> Iterator[Supervisor]:
    with never_recycled(TORCH) as supervisor:
        yield supervisor


@pytest.fixture(scope="session")
def author() -> Iterator[RoutedSandbox]:
    sandbox = author_sandbox()
    sandbox.start()
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def table() -> ExerciseDefinition:
    return read_definition("sinusoidal-table", read_folder(EXERCISE))


@pytest.fixture(scope="session")
def table_pack(table: ExerciseDefinition, author: Sandbox) -> CasePack:
    return prepare(table, author, seed=11)
