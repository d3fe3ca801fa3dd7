"""The exercise with a module: every variant its own name, every honest way to write it correct."""

import pytest

from quizzes.grader.definitions.verification import verify
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Stage, Verdict
from quizzes.grader.protocol.job import Sandbox
from tests.grader.shipped import (
    assert_correct,
    assert_named,
    assert_steps_exist,
    definition,
    named,
    variants,
)
from tests.shared_sandboxes import shared_pack

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

SLUG = "sinusoidal-module"
FROM_THE_TABLE = {
    *("seq_first", "no_slice", "returns_pe", "inplace", "scale_sqrt_d", "param", "not_buffer"),
    *("odd_crash", "dropout_always", "no_dropout", "dropout_on_pe_only", "cast_up", "exp_double"),
    *("concat", "concat_feat", "multiply", "silent_trunc", "wrap"),
    *("tutorial", "seq_first_no_check", "odd_crash_no_check"),
}
CONVENTIONS = {"concat", "cosines_first", "t2t_concat", "t2t_interleaved", "pos_one"}
HEAD = "import math, torch\nimport torch.nn.functional as F\nfrom torch import nn, Tensor\n"

HONEST = {
    "as in the tutorial, batch first": """
class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(1, max_len, d_model)
        pe[0, :, 0::2] = torch.sin(position * div_term)
        pe[0, :, 1::2] = torch.cos(position * div_term)[:, :d_model // 2]
        self.register_buffer('pe', pe)
    def forward(self, x: Tensor) -> Tensor:
        assert x.shape[1] <= self.pe.shape[1]
        return self.dropout((x + self.pe[:, :x.shape[1]]).to(x.dtype))
""",
    "complex numbers, an index, other errors, more arguments": """
class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0, *, base=10000.0, **unused):
        nn.Module.__init__(self)
        self.p = dropout
        rates = base ** (-torch.arange(0, d_model, 2).double() / d_model)
        turned = torch.polar(torch.ones(1).double(), torch.outer(torch.arange(max_len), rates))
        both = torch.stack([turned.imag, turned.real], -1).flatten(1)[:, :d_model]
        self.register_buffer('pe', both.float(), persistent=True)
    def forward(self, x, positions=None):
        batch, length, width = x.shape
        if length > len(self.pe):
            raise IndexError('too long')
        rows = F.embedding(torch.arange(length, device=x.device), self.pe)
        return F.dropout(x + rows.type_as(x), self.p, self.training)
""",
    "nn.Buffer, numpy inside, where": """
import numpy as np
class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        column = np.arange(d_model)
        angle = np.arange(max_len)[:, None] / 10000 ** (column // 2 * 2 / d_model)
        table = np.where(column % 2, np.cos(angle), np.sin(angle)).astype(np.float32)
        self.pe = nn.Buffer(torch.from_numpy(table))
        self.layers = nn.Sequential(nn.Identity(), nn.Dropout(dropout))
    def forward(self, x):
        if x.shape[-2] > self.pe.shape[0]: raise RuntimeError
        return self.layers(torch.add(x, self.pe.narrow(0, 0, x.shape[-2]).to(x)))
""",
    "a buffer more, a dropout of its own": """
class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        self.keep = 1 - dropout
        self.register_buffer('rates', 10000.0 ** (-torch.arange(0, d_model, 2) / d_model))
        angles = torch.einsum('p,i->pi', torch.arange(max_len).float(), self.rates)
        pe = angles.repeat_interleave(2, dim=1)[:, :d_model].clone()
        pe[:, ::2].sin_()
        pe[:, 1::2].cos_()
        self.register_buffer('pe', pe)
    def forward(self, x):
        if x.size(1) > self.pe.size(0):
            raise ValueError(x.size(1))
        out = x + self.pe[None, :x.size(1)].to(x.dtype)
        if self.training and self.keep < 1:
            out = out * torch.bernoulli(torch.full_like(out, self.keep)) / self.keep
        return out
""",
}
SUM, TABLE = "self.dropout(x + self.pe[:length])", 'self.register_buffer("pe", table)'
OTHER_STYLES = {
    "seq_first": [("self.pe[:length]", "self.pe.unsqueeze(1)[: x.size(0)]")],
    "param": [
        (TABLE, "self.pe = nn.Parameter(table[None])"),
        ("self.pe.size(0)", "self.pe.size(1)"),
        ("self.pe[:length]", "self.pe[:, :length]"),
    ],
    "not_buffer": [(TABLE, "self.tables = [table]"), ("self.pe", "self.tables[0]")],
    "inplace": [(SUM, "self.dropout(x.add_(self.pe[:length]))")],
    "no_dropout": [(SUM, "x + self.pe[None, :length]")],
    "exp_double": [
        (
            "10000.0 ** (-torch.arange(0, d_model, 2) / d_model)",
            "torch.exp(torch.arange(0, d_model, 2) * -2 * math.log(1e4) / d_model)",
        )
    ],
    "multiply": [("x + self.pe[:length]", "torch.mul(x, self.pe[:length])")],
}


@pytest.fixture(scope="module")
def pack() -> CasePack:
    return shared_pack(SLUG)


def test_all_the_known_mistakes_are_there() -> None:
    assert set(variants(SLUG)) >= FROM_THE_TABLE
    kinds = {slug for slug, wrong in definition(SLUG).wrong.items() if wrong.kind == "convention"}
    assert kinds == CONVENTIONS
    assert_steps_exist(SLUG)


@pytest.mark.soak  # in the gate the worker of a site verifies every shipped exercise
def test_it_proves_itself(author: Sandbox, torch_student: Sandbox) -> None:
    assert verify(definition(SLUG), author, torch_student).problems == ()


@pytest.mark.covering(most=4)  # of all exercises together: shipped_exercises/test_solutions.py
@pytest.mark.parametrize("slug", variants(SLUG))
def test_a_variant_gets_its_own_name(slug: str, pack: CasePack, torch_student: Sandbox) -> None:
    assert_named(pack, slug, torch_student)


@pytest.mark.covering
@pytest.mark.parametrize("how", HONEST)
@pytest.mark.parametrize("seed", [3, 4])
def test_other_ways_to_write_it_are_correct(how: str, seed: int, torch_student: Sandbox) -> None:
    fresh = shared_pack(SLUG, seed)
    report = assert_correct(fresh, HEAD + HONEST[how], torch_student)
    assert report.speed is not None
    assert report.speed.seconds > 0


@pytest.mark.parametrize("slug", OTHER_STYLES)
def test_a_mistake_in_another_style_has_the_same_name(
    slug: str, pack: CasePack, torch_student: Sandbox
) -> None:
    source = definition(SLUG).wrong["seq_first"].source
    source = source.replace("self.pe[: x.size(0), None]", "self.pe[:length]")  # now it is right
    for old, new in OTHER_STYLES[slug]:
        assert old in source
        source = source.replace(old, new)
    assert named(grade_code(pack, HEAD + source, torch_student)) == slug


@pytest.mark.parametrize(
    ("code", "verdict", "stage", "says"),
    [
        ("def SinusoidalPositionalEncoding(d_model, max_len=9, dropout=0.0): return 7",
         Verdict.COULD_NOT_RUN, Stage.STRUCTURE, "makes a int, expected a torch.nn.Module"),
        ("class SinusoidalPositionalEncoding(nn.Module):\n  pass",
         Verdict.COULD_NOT_RUN, Stage.RETURNED, "unexpected keyword argument 'd_model'"),
        ("class SinusoidalPositionalEncoding(nn.Module):\n  def __init__(self, width): 1",
         Verdict.COULD_NOT_RUN, Stage.SIGNATURE, "missing a required argument"),
        ("class SinusoidalPositionalEncoding(nn.Module):\n"
         "  def __init__(self, d_model, max_len=1, dropout=0.): super().__init__()\n"
         "  def forward(self, x): return x.undefined", Verdict.WRONG, Stage.RETURNED, "undefined"),
        ("class SinusoidalPositionalEncoding(nn.Module):\n"
         "  def __init__(self, d_model, max_len=1, dropout=0.): super().__init__()\n"
         "  def forward(self, x): pass", Verdict.WRONG, Stage.RETURNED, "returned None"),
    ],
)  # fmt: skip
def test_code_that_is_no_such_module_is_told_so_and_not_accused(
    code: str, verdict: Verdict, stage: Stage, says: str, pack: CasePack, torch_student: Sandbox
) -> None:
    report = grade_code(pack, HEAD + code, torch_student)
    assert (report.verdict, named(report)) == (verdict, None)
    assert report.first_fault is not None
    assert report.first_fault.stage is stage
    assert says in report.first_fault.message


def test_code_that_always_raises_is_no_known_mistake(
    pack: CasePack, torch_student: Sandbox
) -> None:
    source = definition(SLUG).reference.replace("length, most =", "raise KeyError(1)\n        a =")
    report = grade_code(pack, source, torch_student)
    assert named(report) is None
    assert report.verdict is Verdict.WRONG


def test_the_card_says_what_was_measured(pack: CasePack, torch_student: Sandbox) -> None:
    report = assert_named(pack, "not_buffer", torch_student)
    card = {item.name: item for item in report.properties}
    assert not card["moves"].holds
    assert card["moves"].measured == "tensors that stay behind on .to(device): 1"
    assert not card["half_dtype"].holds
    assert "float32" in card["half_dtype"].measured
    assert card["eval_repeats"].holds
    assert card["raises"].holds
    assert "% of the numbers are 0" in card["dropout_share"].measured


def test_only_what_no_array_shows_is_claimed(pack: CasePack, torch_student: Sandbox) -> None:
    """As docs/security.md says; half precision, dropout and rows are compared."""
    card = grade_code(pack, definition(SLUG).reference, torch_student).properties
    assert {item.name for item in card if item.claimed} == {
        *("eval_repeats", "modules_alike", "raises", "input_unchanged"),
        *("trainable", "buffers", "buffer_named", "buffer_saved", "buffer_read", "moves"),
        *("reaches_input", "grad.x"),
    }
    assert {item.name for item in card if not item.claimed} == {
        *("dropout_share", "calls_differ", "kept_scaled", "drops_alone"),
        *("half_dtype", "rows_unique", "dtype_kept"),
    }


def test_the_example_is_shown_where_it_fails(pack: CasePack, torch_student: Sandbox) -> None:
    report = assert_named(pack, "exp_double", torch_student)
    assert not report.shrunk
    assert report.smallest_failing is not None
    assert report.smallest_failing.label == "the example"
    assert report.smallest_failing in report.cases
