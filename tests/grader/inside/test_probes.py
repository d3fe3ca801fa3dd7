"""Each probe on code that is right and on code that is wrong in the one way it looks for."""

import time
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from quizzes.grader.inside.calling import NotAModuleError, SignatureMismatchError
from quizzes.grader.inside.module_probes import weights_of
from quizzes.grader.inside.probes import measure
from quizzes.grader.judge.property_messages import PROPERTY_MESSAGES
from quizzes.grader.protocol.case import FOR_MODULES, PROBES, Case
from quizzes.grader.protocol.property_measures import HALF_DTYPES
from tests.grader.conftest import ROOT
from tests.grader.inside.probed import TOKENS, Table, X, changed, seen
from tests.grader.shipped import definition

pytestmark = pytest.mark.torch

TIMED = Case("t", {"x": X}, probe="time")
NAMED = {"name": "fixed", "read": True, "x": TOKENS}
WEIGHTS = weights_of(torch.from_numpy(TOKENS)).numpy()


def test_every_fact_of_a_probe_has_its_words() -> None:
    names = set()
    x = {"x": TOKENS}
    for probe in (*FOR_MODULES, "grad_input", "norm_change", "relative_scores", "rows_unique"):
        kwargs = {**NAMED, "saved": True} if probe == "buffers_and_state" else x
        names |= {key for key in seen(Table, probe, kwargs=kwargs) if key.startswith("fact.")}
    names |= {key for key in seen(Table, "causal") if key.startswith("fact.")}
    bias = seen(lambda n: np.ones((n, n)), "relative_scores", kwargs={"n": 3})
    names |= {key for key in bias if key.startswith("fact.")}
    assert {name.removeprefix("fact.") for name in names} == set(PROPERTY_MESSAGES)


def test_every_probe_is_there_and_documented() -> None:
    text = (ROOT / "docs/authoring-exercises.md").read_text(encoding="utf-8")
    for probe in PROBES:
        assert f"`{probe}`" in text or f'probe="{probe}"' in text, probe


def test_chance_is_found_out() -> None:
    right = seen(Table, "call_eval")
    assert (right["fact.eval_repeats"], right["fact.modules_alike"]) == (1, 1)
    assert right["out"].shape == TOKENS.shape
    noisy = seen(changed(forward=lambda self, x: x + torch.rand(())), "call_eval")
    assert (noisy["fact.eval_repeats"], noisy["fact.modules_alike"]) == (0, 1)
    assert noisy["out"] is None
    made_anew = seen(changed(forward=lambda self, x: x + nn.Linear(4, 4)(x)), "call_eval")
    assert made_anew["fact.eval_repeats"] == 0
    unfilled = seen(Table, "call_eval", fill=False)
    assert (unfilled["fact.eval_repeats"], unfilled["fact.modules_alike"]) == (1, 0)
    assert unfilled["out"] is None


def test_fill_sets_sevenths_in_order() -> None:
    out = seen(Table, "call_eval", kwargs={"x": np.zeros((1, 2, 4), "f4")})["out"]
    np.testing.assert_allclose(out[0], np.arange(1, 9).reshape(2, 4) / 7 + [[0], [1]], rtol=1e-6)


def test_fill_draws_numbers_by_a_seed() -> None:
    x = {"kwargs": {"x": np.zeros((1, 2, 4), "f4")}}
    one, again, other = (seen(Table, "call_eval", fill_seed=s, **x)["out"] for s in (7, 7, 8))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other)
    drawn = np.random.default_rng(7).uniform(-3, 3, 32)[:8].reshape(2, 4)
    np.testing.assert_allclose(one[0] - drawn, np.repeat([[0], [1]], 4, axis=1), atol=1e-6)


def test_dtypes_are_looked_at() -> None:
    assert seen(Table, "call_eval")["fact.dtype_kept"] == 1
    double = changed(forward=lambda self, x: Table.forward(self, x).double())
    assert seen(double, "call_eval")["fact.dtype_kept"] == 0
    assert seen(Table, "call_half")["fact.half_dtype"] == HALF_DTYPES.index("float16")
    assert seen(double, "call_half")["fact.half_dtype"] == HALF_DTYPES.index("float64")
    whole = changed(forward=lambda self, x: x.long())
    assert seen(whole, "call_half")["fact.half_dtype"] == -1


@pytest.mark.parametrize(
    ("forward", "share", "differ", "scaled"),
    [
        (Table.forward, 1, 1, 1),
        (lambda self, x: x + self.rows[: x.size(1)], 0, 0, 1),
        (lambda self, x: x + self.dropout(self.rows[: x.size(1)]), 0, 1, 0),
        (lambda self, x: Table.forward(self, x) * (0.5 if self.training else 1), 1, 1, 0),
        (lambda self, x: x * 0 if self.training else x, 2, 0, 0),
    ],
)
def test_dropout_is_looked_at(forward: Any, share: int, differ: int, scaled: int) -> None:
    got = seen(
        changed(forward=forward),
        "call_twice_train",
        kwargs={"x": np.ones((8, 8, 8), "f4")},
        init={"width": 8, "dropout": 0.5},
    )
    assert got["fact.dropout_share"] == share
    assert got["fact.calls_differ"] == differ
    assert got["fact.kept_scaled"] == scaled
    assert got["fact.drops_alone"] == 1


def unscaled(self: Any, x: torch.Tensor) -> torch.Tensor:
    return Table.forward(self, x) * (1 - self.dropout.p if self.training else 1)


def of_one_half(self: Any, x: torch.Tensor) -> torch.Tensor:
    return nn.functional.dropout(Table.forward(self.eval(), x), 0.5, self.train().training)


def inverted(self: Any, x: torch.Tensor) -> torch.Tensor:
    p, self.dropout.p = self.dropout.p, 0.0
    y = nn.functional.dropout(Table.forward(self, x), 1 - p, self.training)
    self.dropout.p = p
    return y


def whole_rows(self: Any, x: torch.Tensor) -> torch.Tensor:
    p, self.dropout.p = self.dropout.p, 0.0
    y = Table.forward(self, x) * nn.functional.dropout(torch.ones(x.shape[:2])[..., None], p)
    self.dropout.p = p
    return y


def alike_in_a_batch(self: Any, x: torch.Tensor) -> torch.Tensor:
    p, self.dropout.p = self.dropout.p, 0.0
    y = Table.forward(self, x) * nn.functional.dropout(torch.ones(x.shape[1:]), p)
    self.dropout.p = p
    return y


def by_the_input(self: Any, x: torch.Tensor) -> torch.Tensor:
    torch.manual_seed(int(x.sum()))
    return Table.forward(self, x)


def by_the_number_of_the_call(self: Any, x: torch.Tensor) -> torch.Tensor:
    self.calls = getattr(self, "calls", 0) + 1
    torch.manual_seed(self.calls)
    return Table.forward(self, x)


def in_the_first_call(self: Any, x: torch.Tensor) -> torch.Tensor:
    y = Table.forward(self, x)
    self.dropout.p = 0.0
    return y


@pytest.mark.parametrize(
    ("forward", "fact"),
    [
        (unscaled, "kept_scaled"),
        (of_one_half, "dropout_share"),
        (inverted, "dropout_share"),
        (in_the_first_call, "dropout_share"),
        (alike_in_a_batch, "drops_alone"),
        (by_the_input, "calls_differ"),
        (by_the_number_of_the_call, "calls_differ"),
    ],
)
def test_dropout_of_another_kind_is_found_at_a_drawn_rate(forward: Any, fact: str) -> None:
    case = {"kwargs": {"x": np.ones((8, 32, 16), "f4")}}
    case["init"] = {"width": 16, "length": 32, "dropout": 0.3}
    right = seen(Table, "call_twice_train", **case)
    assert all(right[key] == 1 for key in right if key.startswith("fact."))
    got = seen(changed(forward=forward), "call_twice_train", **case)
    assert got[f"fact.{fact}"] == (2 if fact == "dropout_share" else 0)


@pytest.mark.parametrize("seed", range(10))
def test_whole_rows_are_not_dropped_by_chance(seed: int) -> None:
    """Few draws decide on many numbers, so their share may be off as well."""
    torch.manual_seed(seed)
    case = {"kwargs": {"x": np.ones((8, 32, 16), "f4")}}
    case["init"] = {"width": 16, "length": 32, "dropout": 0.3}
    got = seen(changed(forward=whole_rows), "call_twice_train", **case)
    assert got["fact.drops_alone"] == 0 or got["fact.dropout_share"] == 2


def test_what_dropout_leaves_alone_is_sent_to_be_compared() -> None:
    x = np.ones((2, 3, 4), "f4")
    got = seen(Table, "call_twice_train", kwargs={"x": x}, init={"width": 4, "dropout": 0.5})
    plain = seen(Table, "call_eval", kwargs={"x": x})["out"]
    np.testing.assert_array_equal(got["look.3"], plain)
    assert "look.0" not in got
    half = seen(Table, "call_half")["look.0"]
    assert half.dtype == np.float16
    np.testing.assert_allclose(half, seen(Table, "call_eval")["out"], atol=1e-2)


@pytest.mark.soak  # a minute; the gate looks at the bound itself, in protocol/test_drop_count.py
def test_right_dropout_is_right_10_000_times() -> None:
    """The reference of the shipped module, at two rates: no run may be refused."""
    source = definition("sinusoidal-module").reference
    names: dict[str, Any] = {}
    exec(compile(source, "reference.py", "exec"), names)
    module, rng = names["SinusoidalPositionalEncoding"], np.random.default_rng(6)
    for seed in range(10_000):
        torch.manual_seed(seed)
        shape = (4, 10, 8) if seed % 2 else (8, 32, 16)
        rate = 0.5 if seed % 2 else round(float(rng.uniform(0.1, 0.4)), 3)
        got = seen(
            module,
            "call_twice_train",
            kwargs={"x": np.ones(shape, "f4")},
            init={"d_model": shape[-1], "max_len": 64, "dropout": rate},
            fill=False,
        )
        assert all(got[key] == 1 for key in got if key.startswith("fact.")), (seed, rate)


def test_parameters_and_buffers_are_counted() -> None:
    assert seen(Table, "parameters") == {"fact.trainable": 32, "fact.frozen": 0}

    def frozen(self: Any, width: int) -> None:
        Table.__init__(self, width)
        self.rows.requires_grad_(False)
        self.left = [torch.ones(1), {"a": torch.ones(1)}]
        self.late = {"b": torch.ones(2)}

    odd = changed(__init__=frozen)
    assert seen(odd, "parameters") == {"fact.trainable": 0, "fact.frozen": 32}
    named = {"kwargs": {"name": "fixed"}}
    right = seen(Table, "buffers_and_state", **named)
    assert right == {"fact.buffers": 1, "fact.buffer_named": 1, "fact.moves": 1, "seen.moves": 0}
    assert seen(Table, "moves") == {"fact.moves": 1, "seen.moves": 0}
    saved = {"kwargs": {"name": "fixed", "saved": True}}
    assert seen(Table, "buffers_and_state", **saved) == {**right, "fact.buffer_saved": 1}

    def unsaved(self: Any, width: int) -> None:
        Table.__init__(self, width)
        self.register_buffer("fixed", self.fixed.clone(), persistent=False)

    lost = seen(changed(__init__=unsaved), "buffers_and_state", **saved)
    assert lost == {**right, "fact.buffer_saved": 0}
    assert seen(odd, "moves") == {"fact.moves": 0, "seen.moves": 3}
    wrong = seen(odd, "buffers_and_state", kwargs={"name": "pe"})
    assert (wrong["fact.buffer_named"], wrong["fact.moves"], wrong["seen.moves"]) == (0, 0, 3)


def without_the_buffer(self: Any, x: torch.Tensor) -> torch.Tensor:
    return x + self.rows[: x.size(1)] + torch.arange(float(x.size(1)))[:, None]


def with_a_new_buffer(self: Any, x: torch.Tensor) -> torch.Tensor:
    self.fixed = torch.arange(8.0)[:, None]
    return Table.forward(self, x)


def storing(self: Any, x: torch.Tensor) -> torch.Tensor:
    self.last = x if self.training else None
    self.now = None if self.training else x
    return Table.forward(self, x)


@pytest.mark.parametrize(
    ("forward", "read", "left"),
    [
        (Table.forward, 1, 0),
        (with_a_new_buffer, 1, 0),
        (without_the_buffer, 0, 0),
        (storing, 1, 1),
        (lambda self, x: "text", 0, 0),
    ],
)
def test_buffer_is_read_or_not(forward: Any, read: int, left: int) -> None:
    got = seen(changed(forward=forward), "buffers_and_state", kwargs=NAMED)
    assert (got["fact.buffer_named"], got["fact.buffer_read"]) == (1, read)
    assert got["seen.moves"] == left


def test_buffer_that_is_missing_is_not_read() -> None:
    got = seen(Table, "buffers_and_state", kwargs={**NAMED, "name": "pe"})
    assert (got["fact.buffer_named"], got["fact.buffer_read"]) == (0, 0)


def test_gradients_of_parameters() -> None:
    right = seen(Table, "grad_parameters")
    assert right["fact.reached"] == 24
    np.testing.assert_array_equal(right["grad.parameters"][:6], WEIGHTS.sum(axis=0))
    np.testing.assert_array_equal(right["grad.parameters"][6:], 0)
    cut = changed(forward=lambda self, x: x + self.rows[: x.size(1)].detach())
    assert seen(cut, "grad_parameters")["fact.reached"] == 0

    class Sparse(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.rows = nn.Embedding(8, width, sparse=True)
            self.scale = nn.Parameter(torch.ones(1))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.scale * self.rows(torch.arange(x.size(1)))

    both = seen(Sparse, "grad_parameters")
    assert both["grad.parameters"].shape == (33,)
    assert both["fact.reached"] == 25


def test_gradients_of_the_input() -> None:
    right = seen(Table, "grad_input")
    assert right["fact.reaches_input"] == 1
    np.testing.assert_array_equal(right["grad.x"], WEIGHTS)
    cut = seen(changed(forward=lambda self, x: x.detach() + 1), "grad_input")
    assert cut["fact.reaches_input"] == 0
    np.testing.assert_array_equal(cut["grad.x"], np.zeros_like(TOKENS))
    assert seen(lambda x: x * x, "grad_input", kwargs={"x": TOKENS})["grad.x"].shape == TOKENS.shape


def test_weights_of_a_gradient_add_up_exactly() -> None:
    weights = weights_of(torch.empty(2**17))
    assert (weights.min(), weights.max()) == (1, 3)
    assert weights.flip(0).sum() == weights.sum() == weights.double().sum()


def with_gradient_of(values: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
    return values.detach() + source - source.detach()


def rows_exchanged(self: Any, x: torch.Tensor) -> torch.Tensor:
    rows = self.rows[: x.size(1)]
    return x + self.fixed[: x.size(1)] + with_gradient_of(rows, rows.flip(0))


def columns_exchanged(self: Any, x: torch.Tensor) -> torch.Tensor:
    rows = self.rows[: x.size(1)]
    return x + self.fixed[: x.size(1)] + with_gradient_of(rows, rows.flip(1))


def tokens_exchanged(self: Any, x: torch.Tensor) -> torch.Tensor:
    return Table.forward(self, with_gradient_of(x, x.flip(1)))


class Ones(torch.autograd.Function):
    """Gives ones back, whatever gradient arrives."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
        return torch.ones_like(gradient)


def of_its_own(self: Any, x: torch.Tensor) -> torch.Tensor:
    return Table.forward(self, Ones.apply(x))


def detached_in_training(self: Any, x: torch.Tensor) -> torch.Tensor:
    y = Table.forward(self, x)
    return y.detach() if self.training else y


@pytest.mark.parametrize(
    ("forward", "probe"),
    [
        (rows_exchanged, "grad_parameters"),
        (columns_exchanged, "grad_parameters"),
        (tokens_exchanged, "grad_input"),
        (of_its_own, "grad_input"),
        (detached_in_training, "grad_parameters"),
        (detached_in_training, "grad_input"),
    ],
)
def test_gradient_of_another_number_shows(forward: Any, probe: str) -> None:
    key = "grad.x" if probe == "grad_input" else "grad.parameters"
    right, wrong = seen(Table, probe)[key], seen(changed(forward=forward), probe)[key]
    assert right.shape == wrong.shape
    assert not np.allclose(right, wrong)


@pytest.mark.parametrize("probe", ["grad_parameters", "grad_input"])
def test_gradients_have_no_dropout(probe: str) -> None:
    plain = seen(Table, probe)
    dropping = seen(Table, probe, init={"width": 4, "dropout": 0.5})
    for key, value in plain.items():
        np.testing.assert_array_equal(dropping[key], value)


@pytest.mark.parametrize("probe", [p for p in PROBES if p not in ("time", "parameters")])
def test_what_returns_something_else_is_described(probe: str) -> None:
    got = seen(changed(forward=lambda self, x: "text"), probe)
    expected = {
        "input_unchanged": "changed.x",
        "buffers_and_state": "fact.moves",
        "moves": "fact.moves",
    }
    assert expected.get(probe, "out") in got


def test_odd_targets_have_errors_of_their_own() -> None:
    with pytest.raises(NotAModuleError, match="int"):
        seen(type("Seven", (), {"__new__": lambda cls, width: 7}), "call_eval")
    with pytest.raises(SignatureMismatchError, match=r"\(y"):
        seen(changed(forward=lambda self, y: y), "call")
    with pytest.raises(SignatureMismatchError):
        seen(changed(__init__=lambda self: None), "call")
    with pytest.raises(ValueError, match="is for modules"):
        Case("case", probe="call_eval")
    with pytest.raises(ValueError, match="cannot identify"):
        Case("case", probe="time", identify=True)
    with pytest.raises(ValueError, match="needs an array"):
        seen(lambda n: n, "grad_input", kwargs={"n": 3})


def test_a_module_that_is_called_by_its_own_call_is_called() -> None:
    class Called(Table):
        def __call__(self, x: torch.Tensor) -> torch.Tensor:
            return x + 1

    np.testing.assert_allclose(seen(Called, "call")["out"], TOKENS + 1)


def test_time_is_the_fastest_of_some_calls() -> None:
    calls: list[int] = []
    timed = measure(lambda x: calls.append(1), TIMED, "numpy")
    assert timed is not None
    assert 0 < timed[0] < 0.01
    assert 2 <= len(calls) <= 6
    assert measure(lambda x: 1 / 0, TIMED, "numpy") is None


@pytest.mark.parametrize(
    ("lasting", "fastest"),
    [
        ([0.0003, 0.0001, 0.0002], 0.0001),
        ([0.0001, 0.0003, 0.0002], 0.0002),
        ([0.06], 0.06),
    ],
    ids=["second of three", "the first is cold", "the only one"],
)
def test_timed_result_is_of_fastest_call(
    lasting: list[float], fastest: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of this very call, as it was then: code may write into the same array again."""
    now, left, result = [0.0], list(lasting), np.zeros(2)

    def other_each_time(x: Any) -> Any:
        seconds = left.pop(0)
        now[0] += seconds
        result[:] = seconds
        return result

    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(time, "thread_time", lambda: now[0])
    timed = measure(other_each_time, TIMED, "numpy")
    assert timed is not None
    assert timed[0] == pytest.approx(fastest)
    ((entry, array),) = timed[1]
    assert entry["key"] == "out"
    np.testing.assert_array_equal(array, [fastest] * 2)


@pytest.mark.parametrize(
    ("seconds", "runs"), [(0.06, 1), (0.02, 2), (0.0003, 2), (0.0002, 3), (0.00005, 6)]
)
def test_the_slower_code_is_the_less_often_it_is_timed(
    seconds: float, runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock of its own: on a busy machine a short sleep is a long one."""
    now, calls = [0.0], []

    def slow(x: Any) -> None:
        calls.append(1)
        now[0] += seconds

    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    measure(slow, TIMED, "numpy")
    assert len(calls) == runs
