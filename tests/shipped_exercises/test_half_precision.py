"""Rotations of float16 numbers: code that is right in float32 alone is found, right code is not."""

from collections.abc import Callable

import pytest

from quizzes.grader.judge import CasePack, grade_code
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.protocol.verdict import Verdict
from tests.shipped_exercises.folders import definition_of

pytestmark = pytest.mark.sandbox

# What the reference says, and what a program says that is wrong in float16 alone.
WRONG = {
    ("rotary", "positions"): ("+ offset", "+ offset\n    positions = positions.to(q.dtype)"),
    ("rotary", "frequencies"): (
        "positions[:, None] * inv_freq",
        "positions[:, None] * inv_freq.to(q)",
    ),
    ("rotary", "angles"): ("* inv_freq\n", "* inv_freq\n    angles = angles.to(q.dtype)\n"),
    ("rotary", "everything"): ("torch.float64", "q.dtype"),
    ("rotary", "a result in float32"): (
        "first, second = x[..., :width]",
        "x = x.float() if x.dtype == torch.float16 else x\n    first, second = x[..., :width]",
    ),
    ("apply-rope-half", "angles of cos and sin"): (
        "dim=-1)\n",
        "dim=-1)\n    angles = torch.atan2(sin, cos)\n    cos, sin = angles.cos(), angles.sin()\n",
    ),
    ("apply-rope-half", "a result in float32"): (
        "x.chunk",
        "(x.float() if x.dtype == torch.float16 else x).chunk",
    ),
    ("apply-rope", "angles of cos and sin"): (
        "    turned =",
        "    angles = np.arctan2(sin, cos)\n"
        "    cos, sin = np.cos(angles), np.sin(angles)\n    turned =",
    ),
    ("apply-rope", "a result in float32"): (
        "np.empty_like(x)",
        "np.empty(x.shape, np.promote_types(x.dtype, np.float32))",
    ),
}
RIGHT = {
    ("rotary", "angles in float32"): ("torch.float64", "torch.float32"),
    ("rotary", "converted once more"): (
        "rest], dim=-1)",
        "rest], dim=-1).to(x.dtype)",
    ),
    ("apply-rope-half", "converted once more"): (
        "sin, first * sin + second * cos], dim=-1)",
        "sin, first * sin + second * cos], dim=-1).to(x.dtype)",
    ),
    ("apply-rope-half", "angles of cos and sin, in float64"): (
        "dim=-1)\n",
        "dim=-1)\n    angles = torch.atan2(sin.double(), cos.double())\n"
        "    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)\n",
    ),
}


def changed(slug: str, before: str, after: str) -> str:
    """Return the reference of an exercise with one change."""
    reference = definition_of(slug).reference
    assert before in reference, (slug, before)
    return reference.replace(before, after)


@pytest.mark.parametrize(("slug", "what"), WRONG)
def test_what_is_wrong_in_float16_alone_is_not_correct(
    slug: str, what: str, pack_of: Callable[..., CasePack], student: Sandbox
) -> None:
    report = grade_code(pack_of(slug), changed(slug, *WRONG[slug, what]), student)
    assert report.verdict in (Verdict.WRONG, Verdict.KNOWN_MISTAKE), report.verdict
    assert report.first_fault is not None
    assert "float16" in report.first_fault.case


@pytest.mark.parametrize(("slug", "what"), RIGHT)
def test_what_is_right_in_float16_is_correct(
    slug: str, what: str, pack_of: Callable[..., CasePack], student: Sandbox
) -> None:
    report = grade_code(pack_of(slug), changed(slug, *RIGHT[slug, what]), student)
    assert report.verdict is Verdict.CORRECT, report.first_fault
