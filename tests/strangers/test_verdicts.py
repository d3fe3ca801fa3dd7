"""What the grader says of programs whose writers had nothing but an exercise's statement."""

import pytest

from tests.strangers.programs import COLLECTIONS, Program, read_programs
from tools.verdict_table import (
    Graded,
    describe,
    grade,
    is_falsely_named,
    is_headline_false,
    is_missed,
    is_refused,
)

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]
EVERY = [program for collection in COLLECTIONS for program in read_programs(collection)]


@pytest.fixture(scope="module")
def graded(request: pytest.FixtureRequest) -> dict[Program, Graded]:
    """Each program that this run tests, graded as a submission."""
    here = [item for item in request.session.items if item.path == request.path]
    asked = [item.callspec.params["program"] for item in here]  # type: ignore[attr-defined]
    return {item.program: item for item in grade(asked)}


@pytest.mark.covering(most=80)
@pytest.mark.parametrize("program", EVERY, ids=lambda one: f"{one.exercise}/{one.name}")
def test_what_a_stranger_is_told_is_true(program: Program, graded: dict[Program, Graded]) -> None:
    item = graded[program]
    checks = (is_missed, is_refused, is_falsely_named, is_headline_false)
    assert [check.__name__ for check in checks if check(item)] == [], describe(item)
