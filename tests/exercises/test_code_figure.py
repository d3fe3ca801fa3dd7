"""`figure:` of exercise.yaml: every fault with its file and line, and what its sliders are."""

import shutil
from pathlib import Path

import pytest

from quizzes.content_files.files import DiskFiles
from quizzes.content_files.problems import ContentProblem
from quizzes.exercises.files import read_exercises
from quizzes.exercises.runs.code_figure import (
    batch,
    initial_selection,
    moved,
    place_of,
    selection_at,
    slider_parameters,
    slider_values,
)
from quizzes.grader.definitions import Choices, FigureCall, SliderRange
from tests.shipped_exercises.folders import FOLDERS

START = """\
figure:
  encoding: sinusoidal
  view: heatmap
  set: {d_model: 8, positions: 4}
  sliders:
    positions: [2, 8]
    base: [10, 1000]
    layout: [interleaved, concatenated]
  call: sinusoidal_table(n=positions, d=d_model, base=base)
"""
# What is changed of it, the line of the fault within it, and a part of the sentence.
FAULTS = {
    "no such encoding": ("sinusoidal\n", "sinus\n", 2, "no encoding 'sinus'"),
    "no such view": ("heatmap", "heat", 3, "'heat': must be a view that a page draws by itself"),
    "a view of the server": ("heatmap", "similarity", 3, "must be a view that a page draws"),
    "an unknown value": ("d_model: 8", "width: 8", 4, "figure.set"),
    "a value that is too large": ("d_model: 8", "d_model: 9999", 4, "figure.set: d_model=9999"),
    "an unknown slider": ("positions: [", "rows: [", 6, "'rows': must be one of"),
    "a slider that falls": ("[2, 8]", "[8, 2]", 6, "must be [least, most]"),
    "a slider of texts": ("[2, 8]", "[few, many]", 6, "positions: must be"),
    "a slider without a step": ("[2, 8]", "[2, 8, 0]", 6, "must be [least, most]"),
    "a step above the range": ("[2, 8]", "[2, 8, 7]", 6, "must be [least, most]"),
    "a step between numbers": ("[2, 8]", "[2, 8, 0.5]", 6, "2.5: must be"),
    "an end beyond floats": ("[2, 8]", f"[2, 1{'0' * 400}]", 6, "must be [least, most]"),
    "a range beyond floats": ("[2, 8]", "[-1.0e+308, 1.0e+308]", 6, "must be [least, most]"),
    "a step of almost nothing": ("[2, 8]", "[2, 8, 1.0e-320]", 6, "must be [least, most]"),
    "a slider beyond the view": ("[2, 8]", "[2, 9999, 500]", 6, "9999: must be"),
    "a slider between numbers": ("[2, 8]", "[2, 8.5]", 6, "8.5: must be"),
    "too many places": ("[2, 8]", "[2, 200]", 6, "has 199 places, at most 64"),
    "too many numbers": ("[2, 8]\n", "[2, 65]\n    d_model: [2, 65]\n", 6, "at most 131072"),
    "a choice of numbers": ("[interleaved, concatenated]", "[1, 2]", 8, "layout: must be"),
    "an unknown choice": ("concatenated]", "other]", 8, "layout=other"),
    "a call that is none": ("base=base)", "base=", 9, "must be a Python expression"),
    "an unknown name": ("d=d_model", "d=width", 9, "'width': must be sinusoidal_table or"),
    "another function": ("sinusoidal_table(", "max(", 9, "must call sinusoidal_table"),
    "arguments by place": ("n=positions", "positions", 9, "must name the arguments"),
    "an unknown field": ("call:", "calls:", 9, "unknown field"),
}


def problems_of(tmp_path: Path, figure: str) -> tuple[list[ContentProblem], int]:
    """Return what is wrong with an exercise that has this figure, and the line before it."""
    folder = tmp_path / "exercises" / "sinusoidal-table"
    shutil.copytree(FOLDERS["sinusoidal-table"], folder)
    file = folder / "exercise.yaml"
    before, _, rest = file.read_text().partition("figure:\n")
    after = rest[rest.index("step:") :]
    file.write_text(before + figure + after)
    return read_exercises(DiskFiles(tmp_path))[1], before.count("\n")


def test_whole_figure_has_no_fault(tmp_path: Path) -> None:
    assert problems_of(tmp_path, START)[0] == []


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_named_with_its_line(tmp_path: Path, name: str) -> None:
    old, new, line, words = FAULTS[name]
    assert old in START
    problems, before = problems_of(tmp_path, START.replace(old, new, 1))
    messages = [
        (problem.path, problem.line, problem.message)
        for problem in problems
        if words in problem.message
    ]
    path = "exercises/sinusoidal-table/exercise.yaml"
    assert [(file, at) for file, at, _ in messages][:1] == [(path, before + line)], problems


def test_exercise_without_a_figure_has_none(tmp_path: Path) -> None:
    assert problems_of(tmp_path, "")[0] == []


FIGURE = FigureCall(
    "sinusoidal",
    "heatmap",
    {"d_model": "8", "positions": "4"},
    {
        "positions": SliderRange(2, 8),
        "base": SliderRange(10, 1000),
        "layout": Choices(("concatenated", "interleaved")),
    },
    "f()",
)


def test_places_go_outward_from_the_hand() -> None:
    start = moved(FIGURE, {"positions": "6"})
    assert [
        place_of(selection)["positions"] for selection in batch(FIGURE, start, "positions")
    ] == [*(6, 5, 7, 4, 8, 3, 2)]
    layouts = [place_of(selection)["layout"] for selection in batch(FIGURE, start, "layout")]
    assert layouts == ["interleaved", "concatenated"]


def test_logarithmic_slider_has_even_places() -> None:
    parameter = slider_parameters(initial_selection(FIGURE))["base"]
    values = slider_values(parameter, SliderRange(10, 1000))
    assert (values[0], values[16], values[-1], len(values)) == (10, 100, 1000, 33)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({"positions": "500"}, {"positions": 8}),
        ({"positions": "0"}, None),
        ({"base": "1000000"}, {"base": 1000}),
        ({"base": "101"}, {"base": 100}),
        ({"layout": "concatenated"}, {"layout": "concatenated"}),
        ({"d_model": "50"}, {"d_model": 8}),
    ],
)
def test_sliders_stay_within_their_range(
    texts: dict[str, str], expected: dict[str, object] | None
) -> None:
    if expected is None:
        with pytest.raises(Exception, match="positions"):
            moved(FIGURE, texts)
        return
    place = place_of(moved(FIGURE, texts))
    assert place | expected == place
    assert place_of(selection_at(FIGURE, place)) == place
