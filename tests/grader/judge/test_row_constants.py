"""A bias that is off by one number per row is right by another convention, and nothing else is."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.grader.judge.built_in_mistakes import ROW_CONSTANT
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Verdict
from quizzes.grader.judge.row_constants import differs_by_rows
from quizzes.grader.protocol.job import Sandbox
from tests.grader.shipped import definition, named
from tests.shared_sandboxes import shared_pack

TOLERANCE = Tolerance(atol=1e-6, rtol=1e-5)
BIAS = -np.abs(np.arange(4)[:, None] - np.arange(6)[None, :]) * np.array([0.5, 0.25])[:, None, None]
MASKED = np.where(np.arange(6)[None, :] > np.arange(4)[:, None] + 2, -np.inf, BIAS)
PackOf = Callable[[str], CasePack]


@pytest.mark.slow
@given(
    st.lists(st.floats(-50, 50), min_size=8, max_size=8),
    st.sampled_from([BIAS, MASKED]),
    st.sampled_from(["f4", "f8"]),
)
def test_one_number_per_row_is_taken_off(
    numbers: list[float], bias: np.ndarray, dtype: str
) -> None:
    constant = np.reshape(numbers, (2, 4, 1))
    assert differs_by_rows(bias, (bias + constant).astype(dtype), TOLERANCE)


@pytest.mark.parametrize(
    "got",
    [
        BIAS + np.arange(6),
        BIAS * 2,
        np.where(np.arange(6) == 3, BIAS + 1e-3, BIAS),
        MASKED,
        np.where(np.isinf(MASKED), np.nan, MASKED),
        BIAS + 1j,
    ],
)
def test_other_differences_are_no_number_per_row(got: np.ndarray) -> None:
    assert not differs_by_rows(BIAS, got, TOLERANCE)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_beside_a_constant_that_leaves_nothing_of_it_there_is_no_bias(dtype: str) -> None:
    """Full of 1e30: off by one number per row, up to the rounding of that number."""
    assert not differs_by_rows(BIAS, np.full(BIAS.shape, 1e30, dtype), TOLERANCE)
    assert not differs_by_rows(MASKED, np.where(np.isinf(MASKED), MASKED, 1e30), TOLERANCE)


@pytest.mark.parametrize("place", [(0, 0), (1, 3), (0,), (1,)])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_a_huge_constant_loosens_its_own_rows_alone(place: tuple[int, ...], dtype: str) -> None:
    """In one row or one head, as large as may stand beside a bias; the other rows are off."""
    largest = 0.25 * 0.05 / (4 * float(np.finfo(dtype).eps))
    for constant in (0.9 * largest, -0.9 * largest):
        shifted = BIAS.copy()
        shifted[place] += constant
        assert differs_by_rows(BIAS, shifted.astype(dtype), TOLERANCE)
        noise = np.random.default_rng(1).uniform(-0.01, 0.01, BIAS.shape)
        noise[place] = 0.0
        assert not differs_by_rows(BIAS, (shifted + noise).astype(dtype), TOLERANCE)


def test_a_huge_number_in_a_row_loosens_none_of_its_neighbours() -> None:
    """Expected, and got as well; got alone it is no number per row."""
    huge = BIAS.copy()
    huge[0, 1, 2] = -1e11
    assert differs_by_rows(huge, huge + 3.0, TOLERANCE)
    assert differs_by_rows(huge, (huge + 3.0).astype("f4"), TOLERANCE)
    off = huge.copy()
    off[0, 1, 3] += 1e-3
    assert not differs_by_rows(huge, off, TOLERANCE)
    assert not differs_by_rows(huge, off + 3.0, TOLERANCE)
    assert not differs_by_rows(BIAS, huge, TOLERANCE)


def test_noise_beside_a_constant_in_every_row_is_no_rounding() -> None:
    noise = np.random.default_rng(2).uniform(-1.7e-4, 1.7e-4, BIAS.shape)
    assert not differs_by_rows(BIAS, BIAS + 1.05e11 + noise, TOLERANCE)


def test_a_mask_of_large_numbers_is_not_minus_infinity() -> None:
    assert not differs_by_rows(MASKED, np.where(np.isinf(MASKED), -1e9, MASKED) + 1, TOLERANCE)
    assert differs_by_rows(MASKED, MASKED + 1, TOLERANCE)


def test_a_row_without_a_finite_number_hides_nothing() -> None:
    gone = np.full((2, 3), -np.inf)
    assert differs_by_rows(gone, gone, TOLERANCE)
    gone[1] = 0.0
    assert not differs_by_rows(gone, gone + [[0.0], [1.0]] * np.arange(3), TOLERANCE)


@pytest.fixture(scope="module")
def pack_of() -> PackOf:
    return shared_pack


RETURNS = {
    "alibi-bias": "    return np.where(keys > queries, -np.inf, bias)",
    "relative-position-bias": "        return self.table[rows].permute(2, 0, 1)",
}
ROWS = {"alibi-bias": "queries", "relative-position-bias": "torch.arange(Lq)[:, None]"}


def changed(slug: str, text: str) -> str:
    """The reference with something added to what it returns."""
    source = definition(slug).reference
    assert RETURNS[slug] in source
    return source.replace(RETURNS[slug], f"{RETURNS[slug]} {text}")


@pytest.mark.sandbox
@pytest.mark.parametrize("slug", RETURNS)
@pytest.mark.parametrize("constant", ["3", "0.25 * {rows} - 7"])
def test_a_row_constant_is_another_convention(
    slug: str, constant: str, pack_of: PackOf, student: Sandbox, torch_student: Sandbox
) -> None:
    code = changed(slug, "+ " + constant.format(rows=ROWS[slug]))
    sandbox = student if slug == "alibi-bias" else torch_student
    report = grade_code(pack_of(slug), code, sandbox)
    assert report.verdict is Verdict.CORRECT_OTHER_CONVENTION
    assert report.known_mistake == ROW_CONSTANT
    assert report.headline == report.verdict.label


@pytest.mark.sandbox
@pytest.mark.parametrize("slug", RETURNS)
@pytest.mark.parametrize("text", ["* (1 + (Lk > 5))", "* 2"])
def test_what_differs_otherwise_in_some_case_is_wrong(
    slug: str, text: str, pack_of: PackOf, student: Sandbox, torch_student: Sandbox
) -> None:
    sandbox = student if slug == "alibi-bias" else torch_student
    report = grade_code(pack_of(slug), changed(slug, text), sandbox)
    assert report.verdict in (Verdict.WRONG, Verdict.KNOWN_MISTAKE)
    assert report.known_mistake != ROW_CONSTANT


@pytest.mark.sandbox
def test_a_variant_that_is_off_by_rows_keeps_its_name(pack_of: PackOf, student: Sandbox) -> None:
    """Among them a mistake: the distances begin at 1."""
    for slug in ("key_pos", "plus_one"):
        source = definition("alibi-bias").wrong[slug].source
        assert named(grade_code(pack_of("alibi-bias"), source, student)) == slug


@pytest.mark.sandbox
def test_where_the_result_is_no_bias_it_is_a_mistake(pack_of: PackOf, student: Sandbox) -> None:
    pack = pack_of("alibi-bias")
    other = replace(pack, entry=replace(pack.entry, scores=""))
    report = grade_code(other, changed("alibi-bias", "+ 3"), student)
    assert (report.verdict, report.known_mistake) == (Verdict.WRONG, None)
