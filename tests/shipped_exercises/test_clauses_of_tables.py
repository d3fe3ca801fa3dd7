"""Programs that break one clause of a table's or a bias's exercise: none of them is correct.

Each is whole, as a student would write it. The numbers of some are right: what is wrong shows in
the next call or in the dtype.
"""

from collections.abc import Callable

import pytest

from quizzes.grader.judge import CasePack, grade_code
from quizzes.grader.judge.built_in_mistakes import OVERWRITTEN_RESULT
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.protocol.verdict import Stage, Verdict
from tests.shipped_exercises.folders import definition_of, mistaken_solution

pytestmark = pytest.mark.sandbox

PackOf = Callable[..., CasePack]
NEXT_POWER_UP = mistaken_solution("alibi-bias", "next_power_up", "rounded_logarithm")

ONE_BUFFER = """
import numpy as np

buffer = np.empty(1_000_000)

def alibi_bias(n_heads, Lq, Lk):
    power = 2 ** (n_heads.bit_length() - 1)
    slopes = [2 ** (-8 * h / power) for h in range(1, power + 1)]
    slopes += [2 ** (-4 * h / power) for h in range(1, 2 * power, 2)][: n_heads - power]
    bias = buffer[: n_heads * Lq * Lk].reshape(n_heads, Lq, Lk)
    behind = np.arange(Lk) - np.arange(Lk - Lq, Lk)[:, None]
    bias[:] = np.array(slopes)[:, None, None] * behind
    bias[:, behind > 0] = -np.inf
    return bias
"""

ONE_SHIFT = """
import numpy as np

matrices = {}

def shift(k, d, base=10000.0):
    matrix = matrices.setdefault(d, np.zeros((d, d)))
    for i in range(0, d, 2):
        angle = k * base ** (-i / d)
        matrix[i, i] = matrix[i + 1, i + 1] = np.cos(angle)
        matrix[i, i + 1] = np.sin(angle)
        matrix[i + 1, i] = -np.sin(angle)
    return matrix
"""

HALF_SLOPES = """
import numpy as np

def alibi_slopes(n_heads):
    power = 2 ** (n_heads.bit_length() - 1)
    slopes = [2 ** (-8 * h / power) for h in range(1, power + 1)]
    slopes += [2 ** (-4 * h / power) for h in range(1, 2 * power, 2)][: n_heads - power]
    return np.array(slopes, dtype=np.float16)
"""


@pytest.mark.parametrize(
    ("slug", "source", "name"),
    [
        ("alibi-bias", NEXT_POWER_UP, "next_power_up"),
        ("alibi-bias", ONE_BUFFER, OVERWRITTEN_RESULT),
        ("shift-matrix", ONE_SHIFT, OVERWRITTEN_RESULT),
    ],
)
def test_a_broken_clause_is_named(
    slug: str, source: str, name: str, pack_of: PackOf, student: Sandbox
) -> None:
    report = grade_code(pack_of(slug), source, student)
    assert report.verdict is Verdict.KNOWN_MISTAKE, report.first_fault
    assert report.known_mistake is not None
    assert report.known_mistake.slug == name


def test_a_clause_with_a_reason_is_looked_at(pack_of: PackOf, student: Sandbox) -> None:
    """All numbers of float16 pass, so that no known mistake can stand for the clause of dtypes."""
    assert list(definition_of("alibi-slopes").no_mistake) == ["5"]
    report = grade_code(pack_of("alibi-slopes"), HALF_SLOPES, student)
    assert report.verdict is Verdict.WRONG
    assert report.first_fault is not None
    assert report.first_fault.stage is Stage.DTYPE
    assert all(not case.passed for case in report.cases)
