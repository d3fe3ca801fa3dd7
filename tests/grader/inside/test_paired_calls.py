"""How many arrays are made to have the place of the last call's: few, and few bytes."""

from typing import Any

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
    assert counts == [1, most, most, 0], "the last only looks at a result"


@pytest.mark.torch
def test_a_second_filling_asks_the_module_for_nothing() -> None:
    """It writes into the parameters, as an optimizer does, so no count of questions tells of it."""
    import torch

    asked: list[str] = []

    class Table(torch.nn.Module):
        def __init__(self, n: int) -> None:
            super().__init__()
            self.row = torch.nn.Parameter(torch.zeros(n))

        def __getattr__(self, name: str) -> Any:
            asked.append(name)
            return super().__getattr__(name)

        def parameters(self, recurse: bool = True) -> Any:
            asked.append("parameters")
            return super().parameters(recurse)

        def forward(self, x: Any) -> Any:
            return x + self.row.detach()

    x = np.zeros(3, "f4")
    made = {"init": {"n": 3}, "probe": "call_eval", "fill": True, "pair": "x", "refill_seed": 5}
    cases = [Case("call", {"x": x + at}, **made) for at in range(2)]
    calls = [call for _, call in calls_of_pair(Table, *cases, "torch")]
    first, _, last = (calls[place]()[0][1] for place in range(3))
    np.testing.assert_allclose(first, last)
    assert calls[3]() is None, "what the second call returned is as it was"
    asked.clear()
    filled = calls[4]()[0][1]
    assert asked == ["row"]
    drawn = np.random.default_rng(5).uniform(-3, 3, 3)
    np.testing.assert_allclose(filled, drawn, rtol=1e-6)
