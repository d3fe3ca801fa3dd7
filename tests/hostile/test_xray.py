"""Every attack as an X-ray: no leak, a sentence or a result, and the fork server serves on."""

from pathlib import Path

import pytest

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.definitions.definition import read_definition
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.programs import look_inside
from quizzes.grader.protocol.job import Limits
from tests.hostile.test_attacks import (
    ATTACKS,
    FUNCTION,
    PRELUDE,
    Recording,
    canaries,
    kind_of,
    source,
    student,
)
from tests.shared_sandboxes import SECRET, shared_sandbox

__all__ = ["canaries", "student"]  # fixtures
pytestmark = pytest.mark.sandbox
OF_FUNCTIONS = [path for path in ATTACKS if kind_of(path) == "function"]


@pytest.fixture(scope="module")
def pack() -> CasePack:
    return build_case_pack(read_definition("attacked", FUNCTION), shared_sandbox("author"), seed=3)


@pytest.mark.covering(most=8)
@pytest.mark.parametrize("path", OF_FUNCTIONS, ids=lambda path: path.stem)
def test_attack_as_an_xray_leaks_nothing(
    path: Path, pack: CasePack, student: object, canaries: dict[str, str]
) -> None:
    sandbox = Recording(student)  # type: ignore[arg-type]
    limits = Limits(wall_seconds=2)
    xray = look_inside(source(path, canaries), 0, pack=pack, student=sandbox, limits=limits)
    assert b"LEAK" not in sandbox.stdout
    assert SECRET not in str(xray.as_json())
    right = look_inside(
        f"{PRELUDE}\npe = good\n", 0, pack=pack, student=sandbox, limits=pack.entry.limits
    )
    assert right.problem == ""
