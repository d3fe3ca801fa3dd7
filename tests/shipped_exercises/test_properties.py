"""The property card of each shipped exercise, and what it says of code that breaks a property."""

from collections.abc import Callable

import pytest

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Property
from quizzes.grader.protocol.job import Sandbox
from tests.shipped_exercises.folders import definition_of

pytestmark = pytest.mark.sandbox

ROTATION = "norm_kept offset_only distance_matters dtype_kept input_unchanged"
ON_THE_CARD = {
    "alibi-bias": "causal",
    "apply-rope": ROTATION,
    "apply-rope-half": ROTATION,
    "attention-with-hooks": "causal input_unchanged",
    "causal-attention": "causal input_unchanged",
    "learned-positions": """rows_unique trainable reached grad.parameters reaches_input grad.x
        moves dtype_kept input_unchanged raises""",
    "relative-position-bias": """bias_by_distance distance_matters trainable reached
        grad.parameters moves""",
    "rotary": ROTATION,
    "shift-matrix": "norm_kept",
    "sinusoidal-at": "rows_unique input_unchanged",
    "sinusoidal-module": """rows_unique trainable reaches_input grad.x buffers buffer_named
        buffer_saved buffer_read moves dtype_kept half_dtype input_unchanged raises""",
    "sinusoidal-table": "rows_unique",
}
BROKEN = {  # known mistakes, and what the card says of them
    ("alibi-bias", "no_mask"): ("causal", "changing later tokens changes earlier results by 0."),
    ("attention-with-hooks", "causal_ignored"): ("causal", "changes earlier results by"),
    ("causal-attention", "causal_ignored"): ("causal", "changes earlier results by"),
    ("learned-positions", "one_vector"): ("rows_unique", "the closest pair is 0 apart"),
    ("learned-positions", "detach"): ("grad.parameters", "in 40 of 96 numbers"),
    ("learned-positions", "not_buffer"): ("moves", "stay behind on .to(device): 1"),
    ("relative-position-bias", "not_buffer"): ("moves", "stay behind on .to(device): 1"),
    ("rotary", "mix_slice_cat"): ("offset_only", "scores at the same distance differ by"),
    ("shift-matrix", "no_minus"): ("norm_kept", "the largest change of a length is"),
    ("sinusoidal-at", "int_cast"): ("rows_unique", "the closest pair is 0 apart"),
    ("sinusoidal-module", "cast_up"): ("dtype_kept", "given float32, it returns float64"),
}

PackOf = Callable[..., CasePack]


@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.soak)])
@pytest.mark.parametrize("slug", ON_THE_CARD)
def test_the_card_has_what_matters_and_the_reference_has_it_all(
    slug: str, seed: int, pack_of: PackOf, student: Sandbox
) -> None:
    card = grade_code(pack_of(slug, seed), definition_of(slug).reference, student).properties
    assert {line.name for line in card} >= set(ON_THE_CARD[slug].split())
    assert all(line.holds and line.measured for line in card)


@pytest.mark.parametrize(("slug", "variant"), BROKEN)
def test_what_a_mistake_breaks_is_said_with_what_was_measured(
    slug: str, variant: str, pack_of: PackOf, student: Sandbox
) -> None:
    report = grade_code(pack_of(slug), definition_of(slug).wrong[variant].source, student)
    name, measured = BROKEN[slug, variant]
    line = _line(report.properties, name)
    assert not line.holds
    assert measured in line.measured


def test_a_dtype_that_is_not_kept_is_named(pack_of: PackOf, student: Sandbox) -> None:
    code = definition_of("apply-rope").reference
    wide = code.replace("np.empty_like(x)", "np.empty(x.shape)")
    assert wide != code
    report = grade_code(pack_of("apply-rope"), wide, student)
    kept = _line(report.properties, "dtype_kept")
    assert not kept.holds
    dtypes = ("float32", "float64", "float16")
    assert kept.measured == "; ".join(f"given {dtype}, it returns float64" for dtype in dtypes)
    assert kept.case == "position 0"


def _line(card: tuple[Property, ...], name: str) -> Property:
    return next(line for line in card if line.name == name)
