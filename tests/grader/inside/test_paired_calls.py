"""How many arrays are made to have the place of the last call's: few, and few bytes."""

import numpy as np
import pytest

from quizzes.grader.inside import paired_calls
from quizzes.grader.inside.calling import fresh_value
from quizzes.grader.inside.paired_calls import MOST_BYTES, MOST_MADE, calls_of_pair
from quizzes.grader.protocol.case import Case


@pytest.mark.parametrize(
    ("size", "most"),
    [(8, MOST_MADE), (MOST_BYTES // 8 // 4, 4), (MOST_BYTES // 8 + 1, 1)],
    ids=["small", "large", "larger than all that may be made"],
)
def test_code_that_keeps_its_arguments_is_not_given_arrays_without_end(
    size: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their places are taken for good, so that no array gets them."""
    made: list[int] = []

    def counted(value: object, library: str) -> object:
        made.append(1)
        return fresh_value(value, library)

    monkeypatch.setattr(paired_calls, "fresh_value", counted)
    kept: list[np.ndarray] = []
    cases = [Case("call", {"x": np.full(size, float(at))}, pair="x") for at in range(2)]
    counts = []
    for _, call in calls_of_pair(lambda x: kept.append(x) or 1.0, *cases, "numpy"):
        made.clear()
        call()
        counts.append(len(made))
    assert counts == [1, most, 0, most]  # nothing is called to look at the first result again
