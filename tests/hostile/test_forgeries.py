"""No forgery solves an exercise: `correct` takes numbers, and no forgery computes any.

Each file of `forgeries/` knows all that could be known of a pack but the numbers of its drawn
cases (see forger.py). While the judge still believed what a child says of itself, 23 of the first
40 were correct in all eighteen exercises, one was the other convention wherever an exercise has
one, and one made the judge raise TypeError; `python -m tests.hostile.forging --table` prints what
each ends as now.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Verdict
from quizzes.grader.protocol.job import Sandbox
from tests.hostile.forging import FORGERIES, PRELUDE, Target, aim_at, both_sandboxes, graded, tags
from tests.shipped_exercises.folders import SLUGS, definition_of

pytestmark = pytest.mark.sandbox

AimAt = Callable[[str], Target]
SOLVED = (Verdict.CORRECT, Verdict.CORRECT_OTHER_CONVENTION)


@pytest.fixture(scope="module")
def sandboxes() -> tuple[Sandbox, Sandbox]:
    return both_sandboxes()


@pytest.fixture(scope="module")
def target_of(sandboxes: tuple[Sandbox, Sandbox]) -> AimAt:
    return cache(lambda slug: aim_at(slug, *sandboxes))


@pytest.mark.covering
@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("path", FORGERIES, ids=lambda path: path.stem)
def test_no_forgery_solves_an_exercise(
    path: Path, slug: str, target_of: AimAt, sandboxes: tuple[Sandbox, Sandbox]
) -> None:
    report, printed = graded(path, target_of(slug), sandboxes[1])
    assert "FORGED" in printed, f"the forgery did not take place: {report.first_fault}"
    assert report.verdict not in SOLVED
    assert report.verdict is not Verdict.NOT_GRADED


@pytest.mark.parametrize("slug", SLUGS)
def test_what_forgeries_are_made_of_refuses_nobody(
    slug: str, target_of: AimAt, sandboxes: tuple[Sandbox, Sandbox]
) -> None:
    """The same prelude before a right program: it is the forging alone that is refused."""
    prelude = PRELUDE.replace("@EXERCISE@", '{"name": "_", "kind": "", "library": "", "cases": []}')
    code = f"{prelude}\n{definition_of(slug).reference}"
    assert grade_code(target_of(slug).pack, code, sandboxes[1]).verdict is Verdict.CORRECT


def test_every_forgery_says_what_it_does() -> None:
    assert len(FORGERIES) > 30
    for path in FORGERIES:
        assert tags(path).keys() >= {"FAMILY", "NOTE"}, path.stem


def test_a_forgery_knows_no_number_of_a_drawn_case(target_of: AimAt) -> None:
    """Else it would not be one: every exercise has a hidden drawn case with results."""
    for slug in SLUGS:
        target = target_of(slug)
        hidden = [
            case.label
            for case, expected in zip(target.pack.cases, target.pack.expected, strict=True)
            if case.graded and not case.shown and case.label in target.drawn
            if any(key.startswith("out") for key in expected.leaves)
        ]
        assert hidden, slug
