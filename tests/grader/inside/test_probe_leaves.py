"""Results that a probe cannot look at are told as what they are, never as an error of the code."""

from typing import Any

import numpy as np
import pytest
import torch

from quizzes.grader.inside.describe import describe
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Stage, Verdict
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.protocol.property_measures import MOST_LONG, MOST_NUMBERS
from tests.grader.inside.probed import X, changed, seen
from tests.grader.judge.judged import body

pytestmark = pytest.mark.torch

pytestmark = pytest.mark.torch

ODD = {
    "a scalar": np.array(1.0),
    "no numbers": np.empty((0, 0)),
    "no keys": np.zeros((2, 3, 0)),
    "no queries": np.zeros((2, 0, 3)),
    "complex": np.eye(4) * (1 + 2j),
    "text": np.array([["a", "b"], ["c", "d"]]),
    "dates": np.array([["2020-01-01"] * 2] * 2, dtype="M8[D]"),
    "objects": np.array([[1, None], [2, 3]], dtype=object),
    "numbers as objects": np.eye(4).astype(object),
    "records": np.zeros((2, 2), dtype=[("a", "f4")]),
    "long": np.zeros((MOST_LONG + 1, MOST_LONG + 1)),
    "wide": np.zeros((MOST_NUMBERS, 2)).T,
    "a complex tensor": torch.eye(4) * (1 + 1j),
    "nothing": None,
    "text alone": "text",
}
TENSORS = {
    "sparse": torch.eye(4).to_sparse(),
    "meta": torch.eye(4, device="meta"),
    "nested": torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged),
}
PROBES = ("norm_change", "relative_scores", "causal", "rows_unique")
PAIR = {"q": X, "k": X}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("given", [{"n": 4}, {"x": X}, PAIR], ids=["none", "x", "q and k"])
@pytest.mark.parametrize("probe", PROBES)
def test_what_cannot_be_looked_at_is_described(probe: str, given: dict[str, Any]) -> None:
    for name, result in {**ODD, **TENSORS}.items():
        if probe == "causal" and given != {"n": 4} and name in ("long", "wide"):
            continue  # only compared with another of its own kind, number by number
        returned = (result, result) if given is PAIR and probe == "norm_change" else result
        got = seen(lambda out=returned, **_kwargs: out, probe, "numpy", kwargs=given)
        assert {key.split(".")[0] for key in got} == {"out"}, name


def test_odd_tensors_are_called_by_their_kind() -> None:
    for kind, tensor in TENSORS.items():
        ((entry, array),) = describe("out", tensor)
        assert array is None
        assert (entry["kind"], entry["type"].split()[0]) == ("object", kind)


def test_a_dropout_that_is_complex_is_described() -> None:
    twisted = changed(forward=lambda self, x: x * 1j)
    assert set(seen(twisted, "call_twice_train")) == {"out"}


class Lazy(torch.Tensor):
    """A tensor of the student's own that fails only when somebody looks."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise RuntimeError("lazy no more")


@pytest.mark.parametrize("probe", PROBES)
def test_exceptions_of_the_code_stay_its_own(probe: str) -> None:
    def lazy(n: int) -> Any:
        return torch.eye(n).as_subclass(Lazy)

    def wrong(n: int) -> Any:
        raise ZeroDivisionError(n)

    def hungry(n: int) -> Any:
        raise MemoryError

    for function, error in (
        (lazy, RuntimeError),
        (wrong, ZeroDivisionError),
        (hungry, MemoryError),
    ):
        with pytest.raises(error):
            seen(function, probe, "numpy", kwargs={"n": 4})


def test_the_future_is_measured_beside_the_largest_number() -> None:
    def leaking(x: Any) -> Any:
        return 1e4 * (x + 1e-6 * x.sum(axis=-2, keepdims=True))

    def small(x: Any) -> Any:
        return 1e-5 * (x + x.sum(axis=-2, keepdims=True))

    assert seen(leaking, "causal", "numpy")["fact.causal"] == 1
    assert seen(small, "causal", "numpy")["fact.causal"] == 0


@pytest.mark.sandbox
def test_the_report_tells_the_shape_or_the_kind(table_pack: CasePack, student: Sandbox) -> None:
    for returned, stage, said in (
        ("return np.zeros((n, 0))", Stage.SHAPE, "has shape (1, 0)"),
        ("return np.array([['a']])", Stage.SHAPE, "has shape (1, 1)"),
        ("return good(n, d, base) * 1j", Stage.DTYPE, "has dtype complex128"),
        ("return good(n, d, base).astype(str)", Stage.DTYPE, "dtype"),
    ):
        report = grade_code(table_pack, body(returned), student)
        assert report.verdict is Verdict.WRONG
        assert report.first_fault is not None
        assert report.first_fault.stage is stage
        assert said in report.first_fault.message
