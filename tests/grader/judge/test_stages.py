"""Comparison, tolerance and diagnosis on observations, without a sandbox."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.grader.judge.case_pack import CasePack, EntryPoint, FingerprintSet, Variant
from quizzes.grader.judge.comparison import Tolerance, difference, same_observation
from quizzes.grader.judge.diagnosis import name_mistake
from quizzes.grader.judge.report import KnownMistake, Stage
from quizzes.grader.judge.stages import check_case
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Limits
from quizzes.grader.protocol.observation import Failure, Leaf, Observation

TOLERANCE = Tolerance(atol=1e-3)
ENTRY = EntryPoint("f", "function", "numpy", ("float64",), TOLERANCE, Limits())
RAISED = Observation(failure=Failure(Stage.RETURNED, "ValueError"))
OTHER_RAISED = Observation(failure=Failure(Stage.RETURNED, "IndexError"))


def seen(**values: object) -> Observation:
    leaves = {}
    for key, value in values.items():
        array = np.asarray(value)
        name = key.replace("__", ".")
        leaves[name] = Leaf("array", "ndarray", str(array.dtype), array.shape, values=array)
    return Observation(leaves)


@pytest.mark.parametrize(
    ("expected", "got", "stage"),
    [
        (seen(out=[1.0]), seen(out=[1.0]), None),
        (seen(out=[1.0]), seen(out=[1.0009]), None),
        (seen(out=[1.0]), seen(out=[1.0011]), Stage.VALUES),
        (seen(out=[1.0]), RAISED, Stage.RETURNED),
        (RAISED, OTHER_RAISED, None),
        (RAISED, seen(out=[1.0]), Stage.RAISES),
        (seen(out=[1.0]), seen(out__0=[1.0], out__1=[1.0]), Stage.STRUCTURE),
        (seen(out__0=[1.0], out__1=[2.0]), seen(out__0=[1.0], out__1=[2.0]), None),
        (seen(out__0=[1.0], out__1=[2.0]), seen(out__0=[9.0], out__1=[[2.0]]), Stage.SHAPE),
        (seen(out=[1.0]), seen(out=[1]), Stage.DTYPE),
        (seen(out=[-np.inf]), seen(out=[-np.inf]), None),
        (seen(out=[-np.inf]), seen(out=[-1e9]), Stage.VALUES),
        (seen(out=[1.0]), seen(out=[np.inf]), Stage.FINITE),
        (seen(out=[np.nan]), seen(out=[np.nan]), None),
        (seen(out=[1.0], changed__x=False), seen(out=[1.0], changed__x=True), Stage.SIDE_EFFECTS),
        (seen(out=[1.0], changed__x=False), seen(out=[2.0], changed__x=True), Stage.VALUES),
        (seen(changed__x=False), seen(changed__x=True), Stage.SIDE_EFFECTS),
        (seen(out=np.zeros((0, 3))), seen(out=np.zeros((0, 3))), None),
        (seen(out=5.0), seen(out=[5.0]), Stage.SHAPE),
    ],
)
def test_the_first_stage_that_fails(
    expected: Observation, got: Observation, stage: Stage | None
) -> None:
    fault = check_case(expected, got, ENTRY, lambda: "f()")
    assert (fault.stage if fault else None) is stage


@pytest.mark.slow
@given(st.floats(1e-8, 1e8), st.floats(0.1, 0.999))
def test_each_kind_of_tolerance_ends_where_it_says(size: float, share: float) -> None:
    expected = np.array([size, size / 1000])
    for tolerance, allowed in (
        (Tolerance(atol=0.01), 0.01),
        (Tolerance(rtol=1e-3), size * 1e-6),
        (Tolerance(relative_to_max=1e-3), size * 1e-3),
        (Tolerance(atol=0.01, rtol=1e-3), 0.01 + size * 1e-6),
    ):
        inside, outside = expected.copy(), expected.copy()
        inside[1] += allowed * share * 0.99
        outside[1] += allowed * 1.01 + size * 1e-12
        assert difference(expected, inside, tolerance) is None
        found = difference(expected, outside, tolerance)
        assert found is not None
        assert found.worst == (1,)
        assert (found.failing, found.total) == (1, 2)


def test_a_number_returned_as_zero_is_not_within_a_relative_tolerance() -> None:
    assert difference(np.array([1e-5]), np.array([0.0]), Tolerance(rtol=1e-5)) is not None


def test_the_worst_cell_is_the_one_farthest_outside() -> None:
    expected, got = np.array([100.0, 1.0]), np.array([100.5, 1.2])
    found = difference(expected, got, Tolerance(rtol=0.01))
    assert found is not None
    assert found.worst == (1,)


def test_raising_is_one_outcome() -> None:
    assert same_observation(RAISED, OTHER_RAISED, TOLERANCE)
    assert not same_observation(RAISED, seen(out=[1.0]), TOLERANCE)


def test_a_dtype_is_no_difference_between_results() -> None:
    single = seen(out=np.ones(2, np.float32))
    assert same_observation(single, seen(out=np.ones(2)), TOLERANCE)
    assert not same_observation(single, seen(out=np.ones((2, 1))), TOLERANCE)


CASES = (
    Case("a", {"n": 1}, identify=True),
    Case("v", {"n": 2}),
    Case("b", {"n": 3}, identify=True),
)


def pack(**variants: tuple[Observation, Observation]) -> CasePack:
    made = tuple(
        Variant(KnownMistake(slug, "mistake", "Sentence.", None, "1."), observations)
        for slug, observations in variants.items()
    )
    expected = (seen(out=[1.0]), seen(out=[2.0]), seen(out=[3.0]))
    identify = FingerprintSet((CASES[0], CASES[2]), made, frozenset())
    return CasePack("x", "h", 0, ENTRY, CASES, expected, identify)


def named(a_pack: CasePack, *got: Observation | None) -> str | None:
    mistake = name_mistake(a_pack, got)
    return mistake.slug if mistake else None


def test_a_match_on_every_identify_case_is_named() -> None:
    double = pack(double=(seen(out=[2.0]), seen(out=[6.0])), zero=(seen(out=[0.0]),) * 2)
    assert named(double, seen(out=[2.0]), seen(out=[99.0]), seen(out=[6.0])) == "double"
    assert named(double, seen(out=[2.0]), seen(out=[4.0]), seen(out=[6.1])) is None
    assert named(double, seen(out=[2.0]), seen(out=[4.0]), None) is None
    assert named(double, seen(out=[0.0]), None, seen(out=[0.0])) == "zero"


def test_what_two_variants_give_is_not_named() -> None:
    twins = pack(one=(seen(out=[0.0]),) * 2, other=(seen(out=[0.0]),) * 2)
    assert named(twins, seen(out=[0.0]), None, seen(out=[0.0])) is None


def test_a_variant_that_gives_the_right_numbers_accuses_nobody() -> None:
    vain = pack(vain=(seen(out=[1.0]), seen(out=[3.0])))
    assert named(vain, seen(out=[1.0]), seen(out=[9.0]), seen(out=[3.0])) is None


def test_raising_alone_proves_nothing() -> None:
    raises = pack(raises=(RAISED, RAISED), half=(seen(out=[7.0]), RAISED))
    assert named(raises, RAISED, RAISED, RAISED) is None
    assert named(raises, seen(out=[7.0]), RAISED, RAISED) is None


def test_a_raise_among_values_belongs_to_the_pattern() -> None:
    third = Case("c", {"n": 4}, identify=True)
    values = (seen(out=[7.0]), seen(out=[8.0]), RAISED)
    mistake = KnownMistake("crash", "mistake", "S.", None, "1.")
    base = pack()
    wide = replace(
        base,
        cases=(CASES[0], CASES[2], third),
        expected=(seen(out=[1.0]), seen(out=[3.0]), seen(out=[4.0])),
        fingerprints=FingerprintSet(
            (CASES[0], CASES[2], third), (Variant(mistake, values),), frozenset()
        ),
    )
    assert named(wide, values[0], values[1], OTHER_RAISED) == "crash"
    assert named(wide, values[0], values[1], seen(out=[4.0])) is None
