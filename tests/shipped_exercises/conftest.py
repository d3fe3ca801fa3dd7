"""One sandbox of each kind for all shipped exercises, and a pack of each exercise."""

from collections.abc import Callable

import pytest

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.protocol.job import Sandbox
from tests.shared_sandboxes import shared_pack, shared_sandbox


@pytest.fixture(scope="session")
def author() -> Sandbox:
    return shared_sandbox("author")


@pytest.fixture(scope="session")
def student() -> Sandbox:
    return shared_sandbox("student")


@pytest.fixture(scope="session")
def pack_of() -> Callable[..., CasePack]:
    """Give a pack of an exercise by its slug and a seed, prepared once."""
    return shared_pack
