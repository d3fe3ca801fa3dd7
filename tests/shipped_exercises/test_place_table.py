"""The places of docs/verdicts.md: their numbers, and that no right program has one."""

import pytest

from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Verdict
from tests.grader.conftest import ROOT
from tests.shared_sandboxes import shared_pack, shared_sandbox
from tests.shipped_exercises.folders import SLUGS, definition_of
from tests.shipped_exercises.programs import right_codes
from tools.place_table import (
    IN_REFERENCE,
    TITLES,
    counts,
    is_in_reference,
    place_of_right,
    place_of_wrong,
)

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]
PAGE = ROOT / "docs/verdicts.md"
FURTHER = [(slug, name) for slug in SLUGS for name in sorted(definition_of(slug).right)]
MOST_ALIKE = 0.1  # of all places: right values from elsewhere, a step left out


@pytest.mark.soak  # verification of the shipped exercises says so, too
@pytest.mark.parametrize(("slug", "name"), FURTHER)
def test_further_right_solutions_are_correct(slug: str, name: str) -> None:
    source = definition_of(slug).right[name]
    report = grade_code(shared_pack(slug), source, shared_sandbox("student"))
    assert report.verdict is Verdict.CORRECT


def test_right_programs_of_one_exercise_have_no_place() -> None:
    """Of all others, a test in the nightly run says so."""
    codes = dict(right_codes("relative-index"))
    assert "shift_first" in codes
    assert len(codes) >= 8
    assert not any(place_of_right("relative-index", code) for code in codes.values())


@pytest.mark.parametrize(
    ("slug", "mistake", "line"),
    [("relative-index", "plus_one", "return relative.clip(-k, k) + k + 1")],
)
def test_place_of_a_known_mistake_is_its_line(slug: str, mistake: str, line: str) -> None:
    source = definition_of(slug).wrong[mistake].source
    difference = place_of_wrong(slug, source)
    assert difference is not None
    assert source.splitlines()[difference.place[0] - 1].strip() == line
    assert not is_in_reference(slug, source, difference)


def test_right_value_from_elsewhere_is_no_place() -> None:
    """The einsum of the reference takes the vectors of the other table."""
    source = definition_of("shaw-attention").wrong["tables_swapped"].source
    assert place_of_wrong("shaw-attention", source) is None


@pytest.mark.soak  # every known mistake and every right program is run on all shown cases
def test_the_page_counts_places(capsys: pytest.CaptureFixture[str]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = counts(SLUGS)
    for title, (count, every) in zip(TITLES, rows, strict=True):
        assert f"| {title} | {count} of {every} |" in text
    _, _, (alike, places), (named, _) = rows
    assert named == 0
    assert alike == len(IN_REFERENCE) <= MOST_ALIKE * places
    assert "IN_REFERENCE" not in capsys.readouterr().err
