"""One sandbox of each kind for the whole session, and the shipped exercise."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.definitions.definition import ExerciseDefinition, read_definition, read_folder
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.sandbox.factory import RoutedSandbox, author_sandbox
from quizzes.grader.sandbox.profiles import NUMPY, TORCH
from quizzes.grader.sandbox.supervisor import Supervisor
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
    return build_case_pack(table, author, seed=11)
