"""The exercise with rotations: both pairings, conventions and mixtures, honest styles."""

import numpy as np
import pytest

from quizzes.grader.definitions.verification import verify
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Verdict
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job, Sandbox
from quizzes.grader.protocol.read_results import read_run
from tests.grader.judge.judged import NAP
from tests.grader.shipped import (
    assert_correct,
    assert_named,
    assert_steps_exist,
    definition,
    named,
    variants,
)
from tests.parity.golden_data import load
from tests.shared_sandboxes import shared_pack

pytestmark = pytest.mark.sandbox

SLUG = "apply-rope"
FROM_THE_TABLE = {
    *("half", "sign_il", "sign_half", "mix_slice_cat", "mix_slice_rep", "mix_il_cat_angles"),
    *("mix_half_rep_angles", "mix_half_stack", "both_first_half", "no_minus", "noop", "out_concat"),
    *("head_axis", "additive", "cos_only", "reals_wrong", "dim_bug", "swapped_cs"),
}
CONVENTIONS = {"half", "out_concat", "half_out_adjacent", "sign_il", "sign_half"}
MIXTURES = [slug for slug in variants(SLUG) if slug.startswith("mix_")]
HEAD = "import math\nimport numpy as np\n"

HONEST = {
    "complex multiplication": """
def apply_rope(x, cos, sin):
    z = x.reshape(*x.shape[:-1], -1, 2)
    z = (z[..., 0] + 1j * z[..., 1]) * (cos + 1j * sin)
    return np.stack([z.real, z.imag], -1).reshape(x.shape).astype(x.dtype)
""",
    "einsum with a matrix for each pair": """
def apply_rope(x, cos, sin):
    turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
    pairs = x.reshape(*x.shape[:3], -1, 2)
    return np.einsum('lpij,bhlpj->bhlpi', turn, pairs).reshape(x.shape)
""",
    "rotate_half for neighbours, angles repeated": """
def rotate_half(x):
    x1, x2 = x[..., ::2], x[..., 1::2]
    return np.stack((-x2, x1), axis=-1).reshape(x.shape)
def apply_rope(x, cos, sin):
    cos, sin = cos.repeat(2, axis=-1)[None, None], sin.repeat(2, axis=-1)[None, None]
    return x * cos + rotate_half(x) * sin
""",
    "loops": """
def apply_rope(*, x, cos, sin):
    out = x.copy()
    for token in range(x.shape[2]):
        for i in range(0, x.shape[3], 2):
            c, s = cos[token, i // 2], sin[token, i // 2]
            out[:, :, token, i] = x[:, :, token, i] * c - x[:, :, token, i + 1] * s
            out[:, :, token, i + 1] = x[:, :, token, i] * s + x[:, :, token, i + 1] * c
    return out
""",
    "halves, put in order before and after": """
def apply_rope(x, cos, sin):
    size = x.shape[-1]
    order = np.r_[0:size:2, 1:size:2]
    a, b = np.split(x[..., order], 2, axis=-1)
    out = np.empty(x.shape, x.dtype, order='F')
    out[..., order] = np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)
    return out
""",
    "float64 in between": """
def apply_rope(x, cos, sin, **more):
    angle = np.arctan2(sin.astype(float), cos)
    z = np.ascontiguousarray(x, dtype=float).view(complex) * np.exp(1j * angle)
    return z.view(float).astype(x.dtype)
""",
    "float32 throughout": """
def apply_rope(x, cos, sin):
    given, (x, cos, sin) = x.dtype, [item.astype('f4') for item in (x, cos, sin)]
    a, b = x[..., 0::2], x[..., 1::2]
    out = np.empty_like(x)
    out[..., 0::2], out[..., 1::2] = a * cos - b * sin, a * sin + b * cos
    return out.astype(given)
""",
}
TORCH = """
import torch
def apply_rope(x, cos, sin):
    x, cos, sin = map(torch.from_numpy, (x, cos, sin))
    x_ = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(x_ * torch.complex(cos, sin)).flatten(3)
"""


@pytest.fixture(scope="module")
def pack() -> CasePack:
    return shared_pack(SLUG)


def test_all_the_known_mistakes_are_there() -> None:
    assert set(variants(SLUG)) >= FROM_THE_TABLE
    kinds = {slug for slug, wrong in definition(SLUG).wrong.items() if wrong.kind == "convention"}
    assert kinds == CONVENTIONS
    assert_steps_exist(SLUG)


@pytest.mark.soak  # in the gate the worker of a site verifies every shipped exercise
def test_it_proves_itself(author: Sandbox, student: Sandbox) -> None:
    assert verify(definition(SLUG), author, student).problems == ()


@pytest.mark.covering(most=4)  # of all exercises together: shipped_exercises/test_solutions.py
@pytest.mark.parametrize("slug", variants(SLUG))
def test_a_variant_gets_its_own_name(slug: str, pack: CasePack, student: Sandbox) -> None:
    assert_named(pack, slug, student)


@pytest.mark.covering
@pytest.mark.parametrize("how", HONEST)
@pytest.mark.parametrize("seed", [3, 4])
def test_other_ways_to_write_it_are_correct(how: str, seed: int, student: Sandbox) -> None:
    fresh = shared_pack(SLUG, seed)
    assert_correct(fresh, HEAD + HONEST[how], student)


@pytest.mark.slow
def test_a_torch_tensor_is_accepted(pack: CasePack, torch_student: Sandbox) -> None:
    assert_correct(pack, TORCH, torch_student)


@pytest.mark.parametrize("slug", sorted(CONVENTIONS))
def test_a_convention_keeps_what_a_rotation_keeps(
    slug: str, pack: CasePack, student: Sandbox
) -> None:
    report = assert_named(pack, slug, student)
    assert all(item.holds for item in report.properties)
    assert {"norm_kept", "offset_only", "distance_matters"} <= {p.name for p in report.properties}


@pytest.mark.parametrize("slug", MIXTURES)
def test_a_mixture_is_a_mistake_and_its_scores_show_it(
    slug: str, pack: CasePack, student: Sandbox
) -> None:
    report = assert_named(pack, slug, student)
    assert report.verdict is Verdict.KNOWN_MISTAKE
    card = {item.name: item for item in report.properties}
    assert not card["offset_only"].holds
    assert "%" in card["offset_only"].measured


def test_an_unknown_layout_whose_scores_are_right_is_told_so(
    pack: CasePack, student: Sandbox
) -> None:
    source = definition(SLUG).reference.replace("return turned", "return turned[..., ::-1].copy()")
    report = grade_code(pack, source, student)
    assert (report.verdict, named(report)) == (Verdict.WRONG, None)
    assert report.first_fault is not None
    assert "in a different layout" in report.first_fault.message


def test_an_unknown_mixture_is_not_called_a_layout(pack: CasePack, student: Sandbox) -> None:
    source = definition(SLUG).reference.replace("a * sin + b", "a * sin + b[..., ::-1]")
    report = grade_code(pack, source, student)
    assert (report.verdict, named(report)) == (Verdict.WRONG, None)
    assert report.first_fault is not None
    assert "in a different layout" not in report.first_fault.message
    assert "two conventions are mixed" in report.first_fault.message


def test_code_that_raises_is_not_taken_for_the_one_that_does_not_broadcast(
    pack: CasePack, student: Sandbox
) -> None:
    always = "def apply_rope(x, cos, sin):\n    raise ValueError('operands could not be broadcast')"
    assert named(grade_code(pack, always, student)) is None
    right_for_two = (
        f"{definition(SLUG).reference}\nright = apply_rope\n"
        "def apply_rope(x, cos, sin):\n"
        "    if x.shape[-1] > 2: raise ValueError\n"
        "    return right(x, cos, sin)"
    )
    assert named(grade_code(pack, right_for_two, student)) is None


def test_a_loop_per_number_is_told_what_it_costs(pack: CasePack, student: Sandbox) -> None:
    slow = (
        HEAD
        + """
def apply_rope(x, cos, sin):
    out = np.empty_like(x)
    for b, h, l, i in np.ndindex(*x.shape[:3], x.shape[3] // 2):
        p, q, c, s = x[b, h, l, 2 * i], x[b, h, l, 2 * i + 1], cos[l, i], sin[l, i]
        out[b, h, l, 2 * i], out[b, h, l, 2 * i + 1] = p * c - q * s, p * s + q * c
    return out
"""
    )
    report = grade_code(pack, slow, student)
    assert report.verdict is Verdict.CORRECT
    assert report.speed is not None
    assert report.speed.ratio > 5
    assert "If your code loops over elements" in report.speed.sentence
    assert "tokens" not in report.speed.call
    quick = grade_code(pack, HEAD + HONEST["float32 throughout"], student).speed
    assert quick is not None
    assert quick.ratio < report.speed.ratio / 3
    assert quick.sentence != report.speed.sentence


def test_no_time_is_taken_for_a_check(pack: CasePack, student: Sandbox) -> None:
    assert grade_code(pack, definition(SLUG).reference, student, shown_only=True).speed is None


@pytest.mark.parametrize(
    "slow",
    [
        f"while x.shape[1] == 1 and x.shape[2] == 16 and x.shape[3] == 64: {NAP}",
        "if x.shape[3] == 64 and x.shape[2] != 40: raise MemoryError",
        "import os\n    if x.shape[3] == 64 and x.shape[2] != 40: os._exit(1)",
    ],
)
def test_what_happens_while_time_is_taken_decides_nothing(
    slow: str, pack: CasePack, student: Sandbox
) -> None:
    source = definition(SLUG).reference.replace("    a, b =", f"    {slow}\n    a, b =")
    report = grade_code(pack, source, student)
    assert report.first_fault is None
    assert report.verdict is Verdict.CORRECT
    assert report.limit is None
    assert report.speed is None


def test_the_reference_agrees_with_published_code(author: Sandbox) -> None:
    """Independent oracle: rotary vectors of RoFormer's own code, see the golden manifest."""
    golden = load("rope_roformer_interleaved")
    x = golden["q"]
    angles = np.arange(x.shape[2])[:, None] * 10000.0 ** (-np.arange(0, x.shape[3], 2) / x.shape[3])
    cos, sin = (turn(angles).astype(x.dtype) for turn in (np.cos, np.sin))
    case = Case("golden", {"x": x, "cos": cos, "sin": sin})
    observed = read_run(
        author.run(Job(definition(SLUG).reference, "apply_rope", (case,))), [case]
    ).observations[0]
    assert observed is not None
    np.testing.assert_allclose(observed.leaves["out"].values, golden["q_out"], rtol=0, atol=1e-5)
