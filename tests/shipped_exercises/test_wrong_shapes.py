"""A result in the wrong shape, in each exercise: told as that, in numbers, on a small input."""

from collections.abc import Callable

import pytest

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Stage
from quizzes.grader.protocol.job import Sandbox
from tests.shipped_exercises.folders import SLUGS, definition_of
from tests.shipped_exercises.test_solutions import assert_small

pytestmark = pytest.mark.sandbox

PackOf = Callable[..., CasePack]

FLAT = """


def _flat(result):
    if isinstance(result, tuple):
        return tuple(map(_flat, result))
    return result[None] if result.ndim == 1 else result.reshape(-1)
"""
FUNCTION = """
_right = {name}


def {name}(**given):
    return _flat(_right(**given))
"""
MODULE = """
_right = {name}


class {name}(_right):
    def forward(self, **given):
        return _flat(super().forward(**given))
"""


@pytest.mark.covering(most=8)
@pytest.mark.parametrize("slug", SLUGS)
def test_a_wrong_shape_is_told_as_one(slug: str, pack_of: PackOf, student: Sandbox) -> None:
    pack = pack_of(slug)
    wrapper = MODULE if any(case.init is not None for case in pack.cases) else FUNCTION
    code = definition_of(slug).reference + FLAT + wrapper.format(name=pack.entry.name)
    report = grade_code(pack, code, student)
    assert report.first_fault is not None
    assert report.first_fault.stage is Stage.SHAPE, report.first_fault
    assert " has shape (" in report.first_fault.message
    failing = report.smallest_failing
    assert failing is not None
    assert failing.stage is Stage.SHAPE
    assert_small(pack, report)
