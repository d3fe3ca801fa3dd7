"""One sandbox of each kind for the whole session, and the shipped exercise."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from quizzes.content_files.files import DiskFiles
from quizzes.grader.definitions.definition import ExerciseDefinition, read_definition, read_folder
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.sandbox.factory import RoutedSandbox
from quizzes.grader.sandbox.profiles import NUMPY
from quizzes.grader.sandbox.supervisor import Supervisor
from tests.grader.programs import never_recycled
from tests.shared_sandboxes import shared_pack, shared_sandbox, shared_torch

ROOT = Path(__file__).resolve().parents[2]
EXERCISE = ROOT / "quizzes/content/positional-encodings/exercises/sinusoidal-table"


@pytest.fixture(scope="session")
def student() -> Iterator[Supervisor]:
    with never_recycled(NUMPY) as supervisor:
        yield supervisor


@pytest.fixture(scope="session")
def torch_student() -> Supervisor:
    return shared_torch()


@pytest.fixture(scope="session")
def author() -> RoutedSandbox:
    return shared_sandbox("author")


@pytest.fixture(scope="session")
def table() -> ExerciseDefinition:
    return read_definition("sinusoidal-table", read_folder(DiskFiles(EXERCISE)))


@pytest.fixture(scope="session")
def table_pack() -> CasePack:
    return shared_pack("sinusoidal-table")
