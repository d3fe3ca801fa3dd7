"""Every exercise in the real sandbox: what is right passes, what is wrong gets its own name."""

from collections.abc import Callable

import numpy as np
import pytest

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.formatting import WHOLE
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Report, Verdict
from quizzes.grader.protocol.case import arguments
from quizzes.grader.protocol.job import Sandbox
from tests.shipped_exercises.folders import (
    SLUGS,
    correct_solution,
    correct_solutions,
    definition_of,
    mistaken_solution,
    mistaken_solutions,
    variants,
)

pytestmark = pytest.mark.sandbox

PackOf = Callable[..., CasePack]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_reference_passes_and_is_not_accused(
    slug: str, pack_of: PackOf, student: Sandbox
) -> None:
    """In the sandbox of students, where posenc cannot be imported."""
    report = grade_code(pack_of(slug), definition_of(slug).reference, student)
    assert report.first_fault is None
    assert report.known_mistake is None
    assert report.verdict is Verdict.CORRECT


@pytest.mark.parametrize("slug", SLUGS)
def test_the_starter_runs_fails_and_is_not_accused(
    slug: str, pack_of: PackOf, student: Sandbox
) -> None:
    report = grade_code(pack_of(slug), definition_of(slug).starter, student)
    assert report.verdict is Verdict.WRONG
    assert report.known_mistake is None


@pytest.mark.covering(most=28)  # a site grades them all before it takes a version
@pytest.mark.parametrize(("slug", "variant"), variants())
def test_a_known_mistake_gets_its_own_name(
    slug: str, variant: str, pack_of: PackOf, student: Sandbox
) -> None:
    wrong = definition_of(slug).wrong[variant]
    report = grade_code(pack_of(slug), wrong.source, student)
    assert report.known_mistake is not None, report.first_fault
    assert report.known_mistake.slug == variant
    assert report.known_mistake.sentence == wrong.sentence
    convention = wrong.kind == "convention"
    expected = Verdict.CORRECT_OTHER_CONVENTION if convention else Verdict.KNOWN_MISTAKE
    assert report.verdict is expected
    assert report.first_fault is not None
    assert report.cases_passed < report.cases_total
    assert_small(pack_of(slug), report)


@pytest.mark.covering(most=10)
@pytest.mark.parametrize(("slug", "variant", "how"), mistaken_solutions())
def test_a_mistake_written_in_another_way_keeps_its_name(
    slug: str, variant: str, how: str, pack_of: PackOf, student: Sandbox
) -> None:
    report = grade_code(pack_of(slug), mistaken_solution(slug, variant, how), student)
    assert report.known_mistake is not None, report.first_fault
    assert report.known_mistake.slug == variant


PADDED = """
import numpy as np
def sinusoidal_table(n, d, base=10000.0):
    half = d // 2
    angles = np.arange(n)[:, None] * base ** (-np.arange(half) / half)
    codes = np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
    return np.pad(codes, [(0, 0), (0, d % 2)])
"""


def test_a_convention_that_is_wrong_elsewhere_is_none(pack_of: PackOf, student: Sandbox) -> None:
    """Cosines first is a convention; a column of zeros for an odd size is not part of it."""
    report = grade_code(pack_of("sinusoidal-table"), PADDED, student)
    assert (report.verdict, report.known_mistake) == (Verdict.WRONG, None)


def assert_small(pack: CasePack, report: Report) -> None:
    """What is shown of the failure fits, and is less than what failed first where that is said."""
    assert report.first_fault is not None
    assert report.smallest_failing is not None
    results, numbers = _sizes(pack, report.smallest_failing.label)
    assert results <= WHOLE
    assert not report.shrunk or numbers < _sizes(pack, report.found_in)[1]


def _sizes(pack: CasePack, label: str | None) -> tuple[int, int]:
    """How many numbers the case's result has, and how many it has with its arguments."""
    place = [case.label for case in pack.cases].index(str(label))
    leaves = pack.expected[place].leaves.items()
    results = [np.size(leaf.values) for key, leaf in leaves if key.startswith(("out", "grad."))]
    given = [value.size for _, value in arguments(pack.cases[place]) if hasattr(value, "size")]
    return max(results, default=0), sum(results) + sum(given)


@pytest.mark.covering(most=28)
@pytest.mark.parametrize("seed", [3, 4])
@pytest.mark.parametrize(("slug", "how"), correct_solutions())
def test_another_way_to_write_it_is_correct(
    slug: str, how: str, seed: int, pack_of: PackOf, student: Sandbox
) -> None:
    pack = pack_of(slug, seed)
    report = grade_code(pack, correct_solution(slug, how), student)
    assert report.first_fault is None
    assert report.known_mistake is None
    assert report.verdict is Verdict.CORRECT
    assert report.cases_passed == report.cases_total == sum(case.graded for case in pack.cases)
