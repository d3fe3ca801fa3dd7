"""Programs that are right for the usual arguments alone, or keep a tensor: none of them is correct.

Each is whole, as a student would write it, and breaks one clause of its statement.
"""

from collections.abc import Callable

import pytest

from quizzes.grader.judge import CasePack, grade_code
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.protocol.verdict import Verdict
from tests.shipped_exercises.folders import correct_solution

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

PackOf = Callable[..., CasePack]

_CODES = """
import numpy as np

def sinusoidal_at(positions, d):
    rates = 10000.0 ** (-np.arange(0, d, 2) / d)
    PREPARE
    angles = ANGLES
    codes = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return codes.reshape(SHAPE)
"""
_LOOPED_CODES = """
import math
import numpy as np

def sinusoidal_at(positions, d):
    if positions.ndim > 1:
        return np.array([sinusoidal_at(row, d) for row in positions])
    codes = np.zeros((len(positions), d))
    for row, position in enumerate(positions):
        for i in range(0, d, 2):
            angle = float(position) / 10000 ** (i / d)
            codes[row, i], codes[row, i + 1] = math.sin(angle), math.cos(angle)
    return codes
"""


def codes(
    angles: str = "positions[..., None] * rates",
    prepare: str = "",
    shape: str = "*np.shape(positions), d",
) -> str:
    """Sinusoidal codes, with one part written differently."""
    source = _CODES.replace("ANGLES", angles).replace("PREPARE", prepare)
    return source.replace("SHAPE", shape)


_BUCKETS = """
import math
import numpy as np

def bucket(relative, bidirectional, num_buckets, max_distance):
    start, n, distance = 0, num_buckets, max(-relative, 0)
    if bidirectional:
        n //= 2
        start, distance = n * (relative > 0), abs(relative)
    exact = n // 2
    if distance < exact:
        return start + distance
    share = math.log(distance / exact) / math.log(max_distance / exact)
    return start + min(n - 1, exact + int(share * (n - exact) + 1e-9))

def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    setting = bidirectional, num_buckets, max_distance
    BODY
"""
_TWO_AXES = """rows = relative_position
    if rows.ndim == 1:
        rows = rows[None]
    out = [[bucket(int(number), *setting) for number in row] for row in rows]
    return np.array(out).reshape(relative_position.shape)"""
_SOME_AXIS = """if relative_position.ndim > 1:
        return np.array([t5_bucket(part, *setting) for part in relative_position])
    return np.array([bucket(int(number), *setting) for number in relative_position])"""
_NEXT = "for part in np.ravel(relative_position)]"
_FLAT = f"return np.array([bucket(int(part), *setting) {_NEXT})"
_SMALL = f"{_FLAT}.reshape(np.shape(relative_position)).astype(np.int8)"

_SOFTMAX = """
import numpy as np

def softmax_rows(scores, mask=None, axis=-1):
    AXIS
    scores = COPY
    if mask is not None:
        scores[~mask] = -np.inf
    top = scores.max(axis=axis, keepdims=True)
    top[np.isinf(top)] = 0
    powers = EMPTY
    powers[...] = np.exp(scores - top)
    total = powers.sum(axis=axis, keepdims=True)
    return RESULT
"""
_WEIGHTS_LIKE_SCORES = """
import numpy as np

def softmax_rows(scores, mask=None, axis=-1):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=axis, keepdims=True)
    powers = np.exp(scores - np.where(np.isinf(top), 0, top))
    weights = np.zeros_like(scores)
    weights[...] = powers / np.maximum(powers.sum(axis=axis, keepdims=True), 1e-30)
    return weights
"""


def softmax(
    axis: str = "",
    copy: str = "np.array(scores, dtype=float)",
    empty: str = "np.empty(scores.shape)",
    result: str = "np.divide(powers, total, out=powers, where=total > 0)",
) -> str:
    """Weights with a mask, with one part written differently."""
    source = _SOFTMAX.replace("AXIS", axis).replace("COPY", copy)
    return source.replace("EMPTY", empty).replace("RESULT", result)


_ATTENTION = """
import numpy as np

def attention(q, k, v, causal=False):
    BEFORE
    scores = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-1])
    if causal:
        scores = scores + np.triu(np.full(scores.shape[-2:], -np.inf), 1)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return RESULT
"""


def attention(before: str = "", result: str = "weights @ v") -> str:
    """One head of attention, with one part written differently."""
    return _ATTENTION.replace("BEFORE", before).replace("RESULT", result)


_NAMED_AXES = """
import numpy as np

def attention(q, k, v, causal=False):
    axes = "bh"[: q.ndim - 2]
    scores = np.einsum(f"{axes}id,{axes}jd->{axes}ij", q, k) / np.sqrt(q.shape[-1])
    if causal:
        scores = scores + np.triu(np.full(scores.shape[-2:], -np.inf), 1)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.einsum(f"{axes}ij,{axes}jc->{axes}ic", weights, v)
"""
_RELATIVE_BIAS = """
import torch
from torch import nn

class RelativePositionBias(nn.Module):
    def __init__(self, num_heads, max_distance):
        super().__init__()
        self.most = max_distance
        self.table = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, Lq, Lk):
        KEEP
        return self.table(index).permute(2, 0, 1)
"""
_INDEX = "(torch.arange(Lk) - torch.arange(Lq)[:, None]).clamp(-self.most, self.most) + self.most"
_AT_FIRST = f"if not hasattr(self, 'index'): self.index = {_INDEX}"
_OTHER = f"if self.index.shape != (Lq, Lk): self.index = {_INDEX}"
_LEARNED = """
import torch
from torch import nn

class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError("too long")
        self.positions = torch.arange(x.size(1))
        return x + self.table[self.positions]
"""


def hooked(right: str, wrong: str) -> str:
    """A right attention with hooks, of which one part is written differently."""
    source = correct_solution("attention-with-hooks", "head_by_head")
    assert right in source
    return source.replace(right, wrong)


_TO_SCORES = "hooks.on_scores(scores, q, k, positions, positions)"
_TURN = "q, k = hooks.on_queries_and_keys(q, k, positions, positions)"
WRONG = {
    ("sinusoidal-at", "two axes written out"): codes(
        "(positions[:, :, None] if positions.ndim > 1 else positions[..., None]) * rates"
    ),
    ("sinusoidal-at", "axes after the first joined"): codes(
        shape="(*np.shape(positions), d) if positions.ndim < 3 else (len(positions), -1, d)"
    ),
    ("sinusoidal-at", "rows of rows"): _LOOPED_CODES,
    ("sinusoidal-at", "a number made an array"): codes(
        prepare="positions = np.atleast_1d(positions)"
    ),
    ("sinusoidal-at", "no position before the first"): codes(
        "np.maximum(positions, 0)[..., None] * rates"
    ),
    ("sinusoidal-at", "distances"): codes("np.abs(positions)[..., None] * rates"),
    ("sinusoidal-at", "negative ones counted from the end"): codes(
        "np.mod(positions, 10.0**9)[..., None] * rates"
    ),
    ("sinusoidal-at", "frequencies in the dtype of positions"): codes(
        prepare="if positions.dtype.kind == 'f': rates = rates.astype(positions.dtype)"
    ),
    ("t5-bucket", "two loops"): _BUCKETS.replace("BODY", _TWO_AXES),
    ("t5-bucket", "rows of rows"): _BUCKETS.replace("BODY", _SOME_AXIS),
    ("t5-bucket", "one axis"): _BUCKETS.replace("BODY", _FLAT),
    ("t5-bucket", "eight bits"): _BUCKETS.replace("BODY", _SMALL),
    ("softmax-rows", "minus infinity among whole numbers"): softmax(copy="scores.copy()"),
    ("softmax-rows", "powers among whole numbers"): softmax(
        copy="scores.astype(float)", axis="given = scores", empty="np.empty_like(given)"
    ),
    ("softmax-rows", "weights among whole numbers"): _WEIGHTS_LIKE_SCORES,
    ("softmax-rows", "rows or columns"): softmax(axis="axis = -1 if axis else 0"),
    ("softmax-rows", "no axis below 0"): softmax(axis="axis = max(axis, 0) if axis != -1 else -1"),
    ("softmax-rows", "scores themselves"): softmax(copy="np.asarray(scores, dtype=float)"),
    ("softmax-rows", "half precision"): softmax(
        result="np.divide(powers, total, out=powers, where=total > 0).astype(np.float16)"
    ),
    ("causal-attention", "texts and heads"): _NAMED_AXES,
    ("causal-attention", "four axes always"): attention(
        "q, k, v = (x.reshape(-1, *x.shape[-3:]) if x.ndim > 4 else x for x in (q, k, v))"
    ),
    ("causal-attention", "one head at least"): attention(
        "q, k, v = (x[None] if x.ndim == 2 else x for x in (q, k, v))"
    ),
    ("causal-attention", "keys centred in place"): attention("k -= k.mean(axis=-2, keepdims=True)"),
    ("causal-attention", "half precision"): attention(result="(weights @ v).astype(np.float16)"),
    ("relative-position-bias", "a plain tensor at first call"): _RELATIVE_BIAS.replace(
        "KEEP", f"{_AT_FIRST}\n        {_OTHER}\n        index = self.index"
    ),
    ("relative-position-bias", "a plain tensor at every call"): _RELATIVE_BIAS.replace(
        "KEEP", f"self.index = index = {_INDEX}"
    ),
    ("learned-positions", "a plain tensor at every call"): _LEARNED,
    ("attention-with-hooks", "scores of unturned vectors"): hooked(
        _TURN, f"first = q, k\n    {_TURN}"
    ).replace(_TO_SCORES, "hooks.on_scores(scores, *first, positions, positions)"),
    ("attention-with-hooks", "scores of queries alone"): hooked(
        _TO_SCORES, _TO_SCORES.replace("q, k", "q, q")
    ),
    ("attention-with-hooks", "keys before queries"): hooked(
        _TO_SCORES, _TO_SCORES.replace("q, k", "k, q")
    ),
    ("attention-with-hooks", "values with scores"): hooked(
        ", v), weights, positions", ", v), scores, positions"
    ),
    ("attention-with-hooks", "values with weights of keys"): hooked(
        ", v), weights, positions", ", v), weights.swapaxes(2, 3), positions"
    ),
}
RIGHT = {
    ("sinusoidal-at", "one formula"): codes(),
    ("t5-bucket", "number by number"): _BUCKETS.replace(
        "BODY", f"{_FLAT}.reshape(np.shape(relative_position))"
    ),
    ("t5-bucket", "vectorized"): _BUCKETS.replace(
        "BODY", "return np.vectorize(bucket)(relative_position, *setting)"
    ),
    ("softmax-rows", "written into a copy"): softmax(),
    ("causal-attention", "dots for axes"): attention(),
    ("relative-position-bias", "an index for each call"): _RELATIVE_BIAS.replace(
        "KEEP", f"index = {_INDEX}"
    ),
}


@pytest.mark.covering(most=12)
@pytest.mark.parametrize(("slug", "how"), WRONG)
def test_a_program_that_breaks_one_clause_is_not_correct(
    slug: str, how: str, pack_of: PackOf, student: Sandbox
) -> None:
    report = grade_code(pack_of(slug), WRONG[slug, how], student)
    assert report.verdict in (Verdict.WRONG, Verdict.KNOWN_MISTAKE)
    assert report.first_fault is not None


@pytest.mark.parametrize(("slug", "how"), RIGHT)
def test_the_same_program_without_its_mistake_is_correct(
    slug: str, how: str, pack_of: PackOf, student: Sandbox
) -> None:
    report = grade_code(pack_of(slug), RIGHT[slug, how], student)
    assert report.verdict is Verdict.CORRECT, report.first_fault
