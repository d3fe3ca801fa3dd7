"""One sandbox of each kind for all shipped exercises, and a pack of each exercise."""

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.sandbox.factory import open_sandbox
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
def pack_of(author: Sandbox) -> Callable[..., CasePack]:
    """Give a pack of an exercise by its slug and a seed, prepared once."""

    @cache
    def prepared(slug: str, seed: int = 3) -> CasePack:
        known = prepared(slug).fingerprints if seed != 3 else None
        return build_case_pack(definition_of(slug), author, seed=seed, fingerprints=known)

    return prepared
