"""Every attack as an X-ray: no leak, a sentence or a result, and the fork server serves on."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.programs import look_inside
from quizzes.grader.protocol.job import Limits, Sandbox
from tests.hostile.test_attacks import (
    ATTACKS,
    MODULE,
    PRELUDE,
    Recording,
    canaries,
    kind_of,
    packs,
    source,
    student,
    torch,
)
from tests.shared_sandboxes import SECRET

__all__ = ["canaries", "packs", "student", "torch"]  # fixtures
pytestmark = pytest.mark.sandbox
OF_FUNCTIONS = [path for path in ATTACKS if kind_of(path) == "function"]
OF_MODULES = [path for path in ATTACKS if kind_of(path) == "module"]


@pytest.mark.covering(most=8)
@pytest.mark.parametrize("path", OF_FUNCTIONS, ids=lambda path: path.stem)
def test_attack_as_an_xray_leaks_nothing(
    path: Path, packs: Mapping[str, CasePack], student: Sandbox, canaries: dict[str, str]
) -> None:
    leaks_nothing(source(path, canaries), f"{PRELUDE}\npe = good\n", packs["function"], student)


@pytest.mark.torch
@pytest.mark.covering(most=3)
@pytest.mark.parametrize("path", OF_MODULES, ids=lambda path: path.stem)
def test_module_attack_as_xray_leaks_nothing(
    path: Path, packs: Mapping[str, CasePack], torch: Sandbox, canaries: dict[str, str]
) -> None:
    leaks_nothing(source(path, canaries), MODULE["reference.py"], packs["module"], torch)


def leaks_nothing(attack: str, right: str, pack: CasePack, student: Sandbox) -> None:
    sandbox = Recording(student)  # type: ignore[arg-type]
    xray = look_inside(attack, 0, pack=pack, student=sandbox, limits=Limits(wall_seconds=2))
    assert b"LEAK" not in sandbox.stdout
    assert SECRET not in str(xray.as_json())
    after = look_inside(right, 0, pack=pack, student=sandbox, limits=pack.entry.limits)
    assert after.problem == ""
