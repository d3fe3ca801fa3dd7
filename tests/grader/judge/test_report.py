"""Reports as JSON and back; pictures as bytes and back."""

import json

import numpy as np
import pytest

from quizzes.grader.judge.picture import SIDE, Picture, crop_around_worst
from quizzes.grader.judge.report import (
    CaseResult,
    KnownMistake,
    Report,
    ReportedFinding,
    Stage,
    Verdict,
)
from quizzes.grader.protocol.wire import BadFrame

CASE = CaseResult(
    label="odd d",
    shown=True,
    passed=False,
    message="The result has shape (5, 8), expected (5, 7).",
    call="f(n=5, d=7)",
    max_error=0.5,
    worst_index=(3, 1),
    stage=Stage.SHAPE,
)
FULL = Report(
    verdict=Verdict.KNOWN_MISTAKE,
    first_fault=ReportedFinding(Stage.SHAPE, "odd d", "wrong shape"),
    known_mistake=KnownMistake("transposed", "convention", "Rows and columns.", "a/b", "1."),
    smallest_failing=CASE,
    cases=(CASE, CaseResult("hidden", shown=False, passed=True)),
    cases_passed=1,
    cases_total=2,
    seconds=0.0123,
    stdout="hello\n",
    traceback="  line 3\n",
    limit="time",
)


def test_stored_reports_call_a_stage_a_rung() -> None:
    """As rows have it since the first version: a stage was called so."""
    plain = FULL.as_json()
    for case in (plain["first_fault"], plain["smallest_failing"], *plain["cases"]):
        assert "rung" in case
        assert "stage" not in case


@pytest.mark.parametrize("report", [FULL, Report(Verdict.CORRECT)])
def test_a_report_survives_json(report: Report) -> None:
    assert Report.from_json(json.loads(json.dumps(report.as_json()))) == report


@pytest.mark.parametrize("verdict", Verdict)
def test_a_report_from_before_headlines_is_headed_by_its_verdict(verdict: Verdict) -> None:
    stored = Report(verdict, headline="Not yet: the result contains NaN").as_json()
    assert Report.from_json(stored).headline == "Not yet: the result contains NaN"
    assert Report.from_json({**stored, "headline": " "}).headline == verdict.label
    del stored["headline"]
    assert Report.from_json(stored).headline == verdict.label


@pytest.mark.parametrize("headline", [None, 3, ["Correct"], {"text": "Correct"}, "x" * 300_000])
def test_a_stored_headline_that_is_no_text_is_refused(headline: object) -> None:
    with pytest.raises(ValueError, match="headline: expected text"):
        Report.from_json({**FULL.as_json(), "headline": headline})


def test_another_schema_is_refused() -> None:
    with pytest.raises(ValueError, match="schema"):
        Report.from_json({**FULL.as_json(), "schema": 0})


def test_every_word_has_words_for_people() -> None:
    for word in [*Verdict, *Stage]:
        assert word.label
        assert word.label != word.value


def test_only_correct_solves() -> None:
    assert [verdict for verdict in Verdict if verdict.solves] == [Verdict.CORRECT]


def test_the_stages_have_their_order() -> None:
    ladder = "imports name signature returned structure shape dtype finite values raises "
    assert [stage.value for stage in Stage] == [
        *(ladder + "side_effects properties gradients time limit").split()
    ]
    assert [stage.order for stage in Stage] == list(range(15))


def test_a_picture_survives_bytes() -> None:
    rng = np.random.default_rng(0)
    picture = crop_around_worst(rng.normal(size=(7, 5)), rng.normal(size=(7, 5)))
    assert picture is not None
    again = Picture.from_bytes(picture.to_bytes())
    for layer in ("reference", "yours", "difference"):
        np.testing.assert_array_equal(getattr(again, layer), getattr(picture, layer))
    assert (again.row0, again.column0, again.worst) == (0, 0, picture.worst)
    assert again.plane == picture.plane == ()


@pytest.mark.parametrize("worst", [(0, 0), (99, 70), (199, 127), (31, 127)])
def test_the_crop_holds_the_worst_cell(worst: tuple[int, int]) -> None:
    expected = np.zeros((200, 128))
    got = expected.copy()
    got[worst] = 1.0
    picture = crop_around_worst(expected, got)
    assert picture is not None
    assert picture.worst == worst
    assert picture.difference.shape == (SIDE, SIDE)
    row, column = worst[0] - picture.row0, worst[1] - picture.column0
    assert picture.difference[row, column] == 1.0
    assert picture.yours.sum() == 1.0


def test_a_missing_number_is_the_worst_one() -> None:
    got = np.array([[0.0, 5.0], [np.nan, 0.0]])
    picture = crop_around_worst(np.zeros((2, 2)), got)
    assert picture is not None
    assert picture.worst == (1, 0)


def test_the_same_infinity_is_no_difference() -> None:
    expected, got = np.full((2, 2), -np.inf), np.full((2, 2), -np.inf)
    got[1, 1] = -1e9
    picture = crop_around_worst(expected, got)
    assert picture is not None
    assert picture.worst == (1, 1)
    assert picture.difference.tolist() == [[0, 0], [0, np.inf]]


def test_a_stack_shows_its_worst_plane() -> None:
    got = np.zeros((3, 4, 5))
    got[2, 1, 3] = 9
    picture = crop_around_worst(np.zeros((3, 4, 5)), got)
    assert picture is not None
    assert picture.worst == (1, 3)
    assert picture.yours[1, 3] == 9
    assert picture.plane == Picture.from_bytes(picture.to_bytes()).plane == (2,)


def test_nothing_has_no_picture() -> None:
    assert crop_around_worst(np.zeros((0, 3)), np.zeros((0, 3))) is None


@pytest.mark.parametrize("data", [b"", b"nonsense", b"PEQ1" + bytes(12)])
def test_other_bytes_are_no_picture(data: bytes) -> None:
    with pytest.raises(BadFrame):
        Picture.from_bytes(data)
