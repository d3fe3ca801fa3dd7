"""What the grader says of programs whose writers had nothing but an exercise's statement."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from quizzes.grader.judge.report import Report, ReportedFinding, Verdict
from quizzes.grader.protocol.verdict import Stage
from tests.strangers.programs import COLLECTIONS, Program, read_programs
from tools.verdict_table import (
    FLAGS,
    Graded,
    describe,
    grade,
    is_headline_unlike_fault,
    rows,
)

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]
PAGE = Path(__file__).resolve().parents[2] / "docs/verdicts.md"
EVERY = [program for collection in COLLECTIONS for program in read_programs(collection)]


@pytest.fixture(scope="module")
def graded(request: pytest.FixtureRequest) -> dict[Program, Graded]:
    """Each program that this run tests, graded as a submission."""
    here = [item for item in request.session.items if item.path == request.path]
    params = [item.callspec.params for item in here if hasattr(item, "callspec")]
    asked = [given["program"] for given in params if "program" in given]
    return {item.program: item for item in grade(asked)}


@pytest.mark.covering(most=14)
@pytest.mark.parametrize("program", EVERY, ids=lambda one: f"{one.exercise}/{one.name}")
def test_what_a_stranger_is_told_is_true(program: Program, graded: dict[Program, Graded]) -> None:
    item = graded[program]
    assert [check.__name__ for check in FLAGS if check(item)] == [], describe(item)


def numbers_on_the_page(collection: str) -> list[tuple[str, str]]:
    """Return name and newest number of each row of the table that one command prints."""
    _, _, text = PAGE.read_text().partition(f"| `python tools/verdict_table.py {collection}` |")
    lines = text.partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [(row[0], row[-1]) for row in cells]


@pytest.mark.soak
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_the_page_says_what_the_grader_does(collection: str) -> None:
    """Every number of docs/verdicts.md, and that four of five covered mistakes are named."""
    found = rows(list(grade(read_programs(collection))))[1:]
    assert found == numbers_on_the_page(collection)
    (covered,) = [number for name, number in found if "known ones cover" in name]
    named, of = map(int, re.findall(r"\d+", covered))
    assert named >= 0.8 * of > 0


@pytest.mark.parametrize(
    ("headline", "stage", "is_unlike"),
    [
        ("Not yet: your code stopped with an IndexError in line 3", Stage.RETURNED, False),
        ("Not yet: your code stopped with an IndexError in line 4", Stage.RETURNED, True),
        ("Not yet: your code stopped with a KeyError in line 3", Stage.RETURNED, True),
        ("Not yet: the result contains NaN", Stage.RETURNED, True),
        ("Not yet: the result has shape (2, 3), not (3, 2)", Stage.SHAPE, True),
        ("Not yet: another convention, and the result differs", Stage.VALUES, False),
        ("Not yet: another convention, and the result differs", Stage.DTYPE, True),
        ("Not yet: the result differs", None, True),
        ("Correct", None, False),
    ],
)
def test_a_headline_of_another_fault_is_found(
    headline: str, stage: Stage | None, is_unlike: bool
) -> None:
    message = "Your code raised IndexError in line 3: too many."
    fault = ReportedFinding(stage=stage, case="", message=message) if stage else None
    report = Report(Verdict.WRONG, first_fault=fault, headline=headline)
    graded = Graded(replace(EVERY[0], truth="wrong"), report, covered=False)
    assert is_headline_unlike_fault(graded) == is_unlike
