"""What a report shows of numbers that differ: NaN, infinities, the worst cells. No sandbox."""

from dataclasses import replace

import numpy as np
import pytest

from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.judge.formatting import observation_texts
from quizzes.grader.judge.report import Stage
from quizzes.grader.judge.stages import Finding, check_case
from quizzes.grader.protocol.observation import Leaf, Observation
from tests.grader.judge.test_stages import ENTRY, seen

TABLE = np.arange(200.0).reshape(20, 10)


def fault_of(expected: Observation, got: Observation) -> Finding:
    fault = check_case(expected, got, ENTRY, lambda: "f()")
    assert fault is not None
    return fault


def texts_of(expected: Observation, got: Observation, fault: Finding) -> tuple[str, str]:
    return observation_texts(expected, got, fault, ENTRY.tolerance)


def with_cells(**cells: float) -> Observation:
    """The table with some cells set: `r4c2=np.nan`."""
    table = TABLE.copy()
    for name, value in cells.items():
        row, column = name.removeprefix("r").split("c")
        table[int(row), int(column)] = value
    return seen(out=table)


def test_the_first_numbers_that_are_not_finite_are_shown_with_their_places() -> None:
    expected, got = seen(out=TABLE), with_cells(r4c2=np.nan, r0c3=5.0, r7c9=-np.inf)
    fault = fault_of(expected, got)
    assert fault.stage is Stage.FINITE
    assert fault.message == (
        "the result has nan at [4, 2], expected a finite number; "
        "2 of 200 numbers are NaN or infinite"
    )
    assert texts_of(expected, got, fault) == (
        "where numbers are NaN or infinite:\n[4, 2]  42.0000\n[7, 9]  79.0000",
        "where numbers are NaN or infinite:\n[4, 2]  nan\n[7, 9]  -inf",
    )


def test_of_many_that_are_not_finite_the_first_are_shown_and_all_are_counted() -> None:
    expected, got = seen(out=TABLE), seen(out=np.where(TABLE >= 30, np.inf, TABLE))
    fault = fault_of(expected, got)
    assert fault.message.endswith("has inf at [3, 0], expected a finite number; 170 of 200 numbers"
                                  " are NaN or infinite")  # fmt: skip
    wanted, given = (text.splitlines() for text in texts_of(expected, got, fault))
    assert wanted[0] == given[0] == "the first 8 of 170 numbers that are NaN or infinite:"
    assert given[1:] == [f"[3, {column}]  inf" for column in range(8)]
    assert wanted[8] == "[3, 7]  37.0000"


def test_a_small_array_with_nan_is_shown_whole_and_without_exponents() -> None:
    expected, got = seen(out=[0.00012, 0.5]), seen(out=[np.nan, 0.5])
    fault = fault_of(expected, got)
    assert texts_of(expected, got, fault) == ("[0.0001, 0.5000]", "[   nan, 0.5000]")


def test_a_single_number_has_no_place() -> None:
    expected, got = seen(out=1.0), seen(out=np.nan)
    assert fault_of(expected, got).message == "the result has nan, expected a finite number"


@pytest.mark.parametrize("mask", [-np.inf, np.inf, np.nan])
def test_an_infinity_that_is_right_is_not_among_the_worst(mask: float) -> None:
    expected = np.where(TABLE >= 100, mask, TABLE)
    got = expected.copy()
    got[3, 3] += 7
    got[15, 5] = 0.0
    fault = fault_of(seen(out=expected), seen(out=got))
    assert fault.stage is Stage.VALUES
    shown = texts_of(seen(out=expected), seen(out=got), fault)[1].splitlines()
    assert shown == ["where numbers differ:", "[3, 3]  40.0000", "[15, 5]  0.0000"]


def test_the_worst_are_those_farthest_outside_of_what_is_allowed() -> None:
    """An error of 0.3 in 1000 passes where one in a thousand may; of 0.01 in 1 does not."""
    tolerance = Tolerance(rtol=1e-3)
    expected = np.where(TABLE < 100, 1.0, 1000.0)
    got = expected + np.where(TABLE < 100, 0.01, 0.3)
    entry = replace(ENTRY, tolerance=tolerance)
    fault = check_case(seen(out=expected), seen(out=got), entry, str)
    assert fault is not None
    shown = observation_texts(seen(out=expected), seen(out=got), fault, tolerance)[1].splitlines()
    assert shown[0] == "the 8 worst of 100 numbers that differ:"
    assert shown[1:] == [f"[0, {column}]  1.0100" for column in range(8)]


def test_more_numbers_than_can_be_compared_are_described() -> None:
    leaf = Leaf("array", "ndarray", "float64", (20, 10))
    expected, got = seen(out=TABLE), Observation({"out": leaf})
    fault = fault_of(expected, got)
    assert fault.stage is Stage.LIMIT
    assert texts_of(expected, got, fault)[1] == "an array of shape (20, 10)"


def named_parts(*names: str) -> Observation:
    return seen(**{f"out__{name}": [1.0] for name in names})


@pytest.mark.parametrize(
    ("expected", "got", "sides"),
    [
        (
            seen(out=[1.0], changed__x=False),
            seen(out=[1.0], changed__x=True),
            ("x unchanged", "x changed"),
        ),
        (seen(out=[1.0]), seen(out=np.float32([1.0])), ("dtype float64", "dtype float32")),
        (
            named_parts("0", "1"),
            named_parts("cos", "sin"),
            (
                "a tuple or list of 2 (an array of shape (1,), an array of shape (1,))",
                "a dict with cos, sin (an array of shape (1,), an array of shape (1,))",
            ),
        ),
        (
            seen(fact__norm_kept=1),
            seen(out=[1.0, 2.0]),
            ("Lengths are kept", "an array of shape (2,)"),
        ),
    ],
)
def test_the_two_sides_never_look_the_same(
    expected: Observation, got: Observation, sides: tuple[str, str]
) -> None:
    assert texts_of(expected, got, fault_of(expected, got)) == sides


def test_many_parts_are_counted_and_some_named() -> None:
    fault = fault_of(named_parts("0", "1"), named_parts(*"abcdef"))
    assert fault.message.startswith("your code returned a dict with a, b, c, d, ... (an array")
    assert ", ...), expected a tuple or list of 2 (" in fault.message


def test_what_cannot_be_measured_is_no_fault_of_kind_or_shape() -> None:
    fault = fault_of(seen(fact__norm_kept=1), seen(out=[1.0]))
    assert fault.stage is Stage.PROPERTIES
    assert fault.message == (
        "“Lengths are kept” cannot be checked: your code returned an array of shape (1,)"
    )
    nothing = Observation({"out": Leaf("none", "NoneType")})
    assert fault_of(seen(fact__norm_kept=1), nothing).stage is Stage.RETURNED
