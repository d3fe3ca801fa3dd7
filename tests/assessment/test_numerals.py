"""Numbers as people type them, and what is said to those who type something else."""

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.assessment.numerals import MAX_LENGTH, NotANumberError, read_number


@pytest.mark.parametrize("text", ["1e-3", "0.001", ".001", "1/1000", "1E-3", "10^-3", "10**-3"])
def test_one_thousandth_in_every_way_of_writing_it(text):
    assert read_number(text) == pytest.approx(0.001, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("pi", math.pi),
        ("2*pi/3", 2 * math.pi / 3),
        ("2π", 2 * math.pi),
        ("2 pi", 2 * math.pi),
        ("PI/2", math.pi / 2),
        ("2pi*10000", 2 * math.pi * 1e4),
        ("−1.5", -1.5),
        ("- 1.5", -1.5),
        ("+3", 3),
        ("--3", 3),
        ("2^-8/12", 2**-8 / 12),
        ("2^(-8/12)", 2 ** (-8 / 12)),
        ("-2^2", -4),
        ("2^3^2", 512),
        ("1/2/2", 0.25),
        ("2*(3+4)", 14),
        ("3(1+1)", 6),
        ("sqrt(2)/2", math.sqrt(2) / 2),
        ("√2", math.sqrt(2)),
        ("3×4÷2", 6),
        ("45 000", 45_000),
        ("43\u2009469", 43_469),
        ("1 000 000.5", 1_000_000.5),
        ("5.", 5),
        ("1e308", 1e308),
        ("  7  ", 7),
    ],
)
def test_what_is_read(text, value):
    assert read_number(text) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Type a number first"),
        ("   ", "Type a number first"),
        ("0,5", "Write a decimal point, not a comma: 0.5."),
        ("-0,25", "-0.25"),
        ("43,469", "write 43469 or 43.469"),
        ("1,000,000", "write 1000000."),
        ("1,234.5", "write 1234.5."),
        ("1, 2", "holds a comma"),
        ("about 3", "“about” is not part of a number"),
        ("nan", "is not part of a number"),
        ("inf", "is not part of a number"),
        ("e", "is not part of a number"),
        ("3 4", "“4” is not part of a number"),
        ("50%", "“%” is not part of a number"),
        ("2*", "stops half-way"),
        ("(1+2", "does not close it"),
        ("1)", "“)” is not part"),
        ("1/0", "divides by zero"),
        ("0^-1", "divides by zero"),
        ("10^400", "too large"),
        ("1e999", "too large"),
        ("9^9^9^9^9", "too large"),
        ("(-8)^0.5", "no such power"),
        ("sqrt(-1)", "root of a negative"),
        ("(" * 60 + "1", "nested too deeply"),
        ("2^" * 49 + "1", "nested too deeply"),
        ("1" * (MAX_LENGTH + 1), "longer than"),
        ("__import__('os')", "is not part of a number"),
        ("[1]", "is not part of a number"),
        ("١٢", "is not part of a number"),
        ("0x10", "is not part of a number"),
    ],
)
def test_what_is_refused_and_how(text, words):
    with pytest.raises(NotANumberError) as refused:
        read_number(text)
    assert words in str(refused.value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_read_back(value):
    assert read_number(repr(value)) == value


@given(st.text(max_size=120))
def test_any_text_is_a_finite_number_or_is_refused(text):
    with suppress(NotANumberError):
        assert math.isfinite(read_number(text))
