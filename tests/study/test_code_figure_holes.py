"""Numbers of a learner that are NaN or infinite, on a figure that has infinite numbers itself."""

from collections.abc import Callable

import numpy as np
import pytest
from posenc.catalog.alibi.views import MASKED

from quizzes.exercises.runs.code_figure import selection_at
from quizzes.study.code_figures.pictures import (
    GREY,
    LAYERS,
    Numbers,
    Pictures,
    PlacePicture,
)
from tests.shipped_exercises.folders import definition_of


def penalties(change: Callable[[Numbers], Numbers]) -> PlacePicture:
    """Return the one place of ALiBi's figure, whose later keys are infinite, with other numbers."""
    definition = definition_of("alibi-bias")
    assert definition.figure is not None
    place = {**definition.figure.values, "n_heads": 2, "head": 1, "tokens": 8}
    view = selection_at(definition.figure, place).compute().values
    assert np.isnan(view).sum() == 28
    right = np.where(np.isnan(view), np.inf, view)
    return PlacePicture(place, definition, right.shape, change(right), right, "")


def test_infinite_numbers_count_as_such() -> None:
    """36 of 64 keys are no later ones; all others are infinite in the reference."""
    assert penalties(lambda right: right * np.nan).words == (
        "36 numbers are finite in only one of the two. "
        "28 numbers are finite in neither, but not the same."
    )


def test_pale_difference_names_its_scale() -> None:
    """The scale is that of all places, of which another has a far larger difference."""
    places = tuple(penalties(lambda right, by=by: right + by) for by in (0.015625, 0.0, 9.0))
    batch = Pictures("tokens", 0, tuple(LAYERS), places, "", "", None)
    pale, none, strong = (batch.words(place) for place in places)
    assert pale.endswith("The picture hardly shows it: the scale of all places ends at 10.")
    assert none == "No difference."
    assert "hardly" not in strong


@pytest.mark.parametrize(
    ("change", "label"),
    [
        (lambda right: right, MASKED),
        (lambda right: right + 1, MASKED),
        (lambda right: np.where(right == 0, np.inf, right), GREY),
        (lambda right: right * np.nan, GREY),
    ],
)
def test_only_later_keys_are_labelled_masked(
    change: Callable[[Numbers], Numbers], label: str
) -> None:
    batch = Pictures("tokens", 0, tuple(LAYERS), (penalties(change),), "", "", None)
    assert batch.dress("yours")["masked"] == label
    assert batch.dress("reference")["masked"] == MASKED
