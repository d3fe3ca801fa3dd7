"""One sandbox of each kind for all shipped exercises, and a pack of each exercise."""

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from quizzes.grader.case_pack import CasePack
from quizzes.grader.job import Sandbox
from quizzes.grader.preparing import prepare
from quizzes.grader.sandbox import open_sandbox
from tests.shipped_exercises.folders import definition_of


@pytest.fixture(scope="session")
def author() -> Iterator[Sandbox]:
    with open_sandbox("author") as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def student() -> Iterator[Sandbox]:
    with open_sandbox("student") as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def pack_of(author: Sandbox) -> Callable[[str], CasePack]:
    """Give the pack of an exercise by its slug, prepared once."""

    @cache
    def prepared(slug: str) -> CasePack:
        return prepare(definition_of(slug), author, seed=11)

    return prepared
