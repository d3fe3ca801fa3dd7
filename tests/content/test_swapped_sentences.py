"""The sentences of sine and cosine swapped say what the code does and what it should do."""

import runpy

import numpy as np
import pytest

from quizzes.grader.definitions.definition import read_wrong
from tests.content.lesson_text import COURSE

SWAPPED = {
    "sinusoidal-table": "swap",
    "sinusoidal-module": "swap",
    "sinusoidal-at": "swap",
    "shift-matrix": "swapped",
    "rope-angles": "swapped",
}


def path_of(exercise):
    return COURSE / "exercises" / exercise / "wrong" / f"{SWAPPED[exercise]}.py"


def sentence_of(exercise):
    path = path_of(exercise)
    return read_wrong(str(path), path.read_text(encoding="utf-8")).sentence


def function(exercise, name):
    return runpy.run_path(str(path_of(exercise)))[name]


@pytest.mark.parametrize("exercise", SWAPPED)
def test_it_speaks_of_your_code_first_and_of_what_it_should_do_then(exercise):
    did, _, should = sentence_of(exercise).partition(". ")
    assert did.startswith(("Your ", "You "))
    assert "should" not in did
    assert "should" in should


@pytest.mark.parametrize(
    "exercise",
    [
        "sinusoidal-table",
        pytest.param("sinusoidal-module", marks=pytest.mark.torch),
        "sinusoidal-at",
    ],
)
def test_the_tables_are_accused_of_what_they_do(exercise):
    if exercise == "sinusoidal-module":
        made = function(exercise, "SinusoidalPositionalEncoding")(d_model=6, max_len=4)
        table = made.pe.numpy()
    elif exercise == "sinusoidal-at":
        table = function(exercise, "sinusoidal_at")(np.arange(4), 6)
    else:
        table = function(exercise, "sinusoidal_table")(4, 6)
    said = "Your even columns hold the cosine and your odd columns the sine."
    assert sentence_of(exercise).startswith(said)
    assert np.allclose(table[:, 0], np.cos(np.arange(4)))
    assert np.allclose(table[:, 1], np.sin(np.arange(4)))


def test_the_shift_is_accused_of_what_it_does():
    assert sentence_of("shift-matrix").startswith("Your diagonal holds the sine")
    shift = function("shift-matrix", "shift")(k=3, d=4)
    assert np.allclose(shift.diagonal(), np.sin([3, 3, 0.03, 0.03]))
    assert np.allclose(np.abs(shift[[0, 1], [1, 0]]), abs(np.cos(3)))


def test_the_angles_are_accused_of_what_they_do():
    assert sentence_of("rope-angles").startswith("You return the sines first")
    first, second = function("rope-angles", "rope_cos_sin")(n=5, head_dim=4)
    assert np.allclose(first[:, 0], np.sin(np.arange(5)))
    assert np.allclose(second[:, 0], np.cos(np.arange(5)))
