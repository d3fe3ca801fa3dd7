"""What a listing prints beside what its page says."""

from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.lessons.listing_output import MOST_LINES, Difference, compared_lines, first_difference

AGREE = [
    ("0.5403", "0.54030231"),
    ("0.540302305868140", "0.5403023058681398"),
    ("[[0.8415 0.5403]\n [0.9093 -0.4161]]", "[[0.841471 0.540302]\n [0.909297 -0.416147]]"),
    ("a = 1.0e-10", "a = 1.04e-10"),
    ("-0.0", "0.0"),
    ("one \n\ntwo\n", "one\n\ntwo"),
    ("", "\n"),
    ("[ 0.12  10. ]", "[0.1234 10.]"),
    ("[ 0.12  10. ]", "[0.1234 10.004]"),
    ("[0. 1.]", "[-0. 1.]"),
    ("[1.e+05]", "[1.e+5]"),
]
DIFFER = [
    ("0.5404", "0.54030231", Difference(0, "0.5404", "0.54030231")),
    ("0.54030231", "0.5403", Difference(0, "0.54030231", "0.5403")),
    ("3", "3.4", Difference(0, "3", "3.4")),
    ("3", "4", Difference(0, "3", "4")),
    ("12", "12.0", Difference(0, "12", "12.0")),
    ("v1.20", "v1.2", Difference(0, "v1.20", "v1.2")),
    ("float32", "float64", Difference(0, "float32", "float64")),
    ("1.0", "nan", Difference(0, "1.0", "nan")),
    ("a 1.0", "b 1.0", Difference(0, "a 1.0", "b 1.0")),
    ("[1.0 2.0]", "[1.0, 2.0]", Difference(0, "[1.0 2.0]", "[1.0, 2.0]")),
    ("a\nb", "a", Difference(1, "b", None)),
    ("a", "a\nb", Difference(1, None, "b")),
    ("", "a", Difference(0, None, "a")),
    ("1.0", "-1.0", Difference(0, "1.0", "-1.0")),
    ("  a", "a", Difference(0, "  a", "a")),
    ("[1. 2.]", "[1.4 2. ]", Difference(0, "[1. 2.]", "[1.4 2. ]")),
    ("0.", "0.49", Difference(0, "0.", "0.49")),
    ("[1.   0.24]", "[1.31 0.24]", Difference(0, "[1.   0.24]", "[1.31 0.24]")),
    ("[1.e+05]", "[1.4e+05]", Difference(0, "[1.e+05]", "[1.4e+05]")),
    ("1.0e5", "1.0e999999999", Difference(0, "1.0e5", "1.0e999999999")),
    ("1.0", f"1.0e{'9' * 20}", Difference(0, "1.0", f"1.0e{'9' * 20}")),
]


@pytest.mark.parametrize(("said", "printed"), AGREE)
def test_numbers_are_equal_to_their_printed_digits(said: str, printed: str) -> None:
    assert first_difference(said, printed) is None


@pytest.mark.parametrize(("said", "printed", "difference"), DIFFER)
def test_anything_else_differs(said: str, printed: str, difference: Difference) -> None:
    assert first_difference(said, printed) == difference


def test_compared_lines_mark_only_differences() -> None:
    """A line that agrees to its printed digits is the same, wherever it stands."""
    lines = compared_lines("a\n0.54\nend", "more\na\n0.5403\nfin")
    assert lines == [
        ("more", "more"),
        ("same", "a"),
        ("same", "0.5403"),
        ("less", "end"),
        ("more", "fin"),
    ]
    assert compared_lines("", "a") == [("more", "a")]
    assert len(compared_lines("", "a\n" * 5000)) == MOST_LINES


@given(st.floats(-1e6, 1e6).filter(lambda number: abs(number) > 1e-9), st.integers(1, 8))
def test_a_rounded_number_agrees_and_its_neighbour_does_not(number: float, digits: int) -> None:
    unit = Decimal(1).scaleb(-digits)
    rounded = Decimal(repr(number)).quantize(unit, rounding=ROUND_HALF_EVEN)
    printed = f"{Decimal(repr(number)):f}"
    printed = printed if "." in printed else f"{printed}.0"
    assert first_difference(f"{rounded:f}", printed) is None
    assert first_difference(f"{rounded + 2 * unit:f}", printed) is not None
