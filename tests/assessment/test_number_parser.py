"""Numbers as people type them, and what is said to those who type something else."""

import math
import re
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quizzes.assessment.number_parser import MAX_LENGTH, NotANumberError, read_number
from quizzes.assessment.numeric_answer import read_as
from quizzes.assessment.services import unreadable
from quizzes.content_files.typed_text import fold_number

WRITE_OR_SUCH_AS = re.compile(r"(?:Write|such as) (.*)\.$", re.DOTALL)


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
        ("0,5", 0.5),
        ("1,5", 1.5),
        ("12,25", 12.25),
        ("0,125", 0.125),
        ("00,5", 0.5),
        (",5", 0.5),
        (",500", 0.5),
        ("3,1415", 3.1415),
        ("1234,5", 1234.5),
        ("-0,25", -0.25),
        ("−0,5", -0.5),
        ("- 0,5", -0.5),
        (" 0,5 ", 0.5),
        ("1,5e-3", 0.0015),
        ("1,5E−3", 0.0015),
        ("1 000,5", 1000.5),
        ("1,5*2,25", 3.375),
        ("1,5 * 2.5", 3.75),
        ("sqrt(0,25)", 0.5),
        ("2,5pi", 2.5 * math.pi),
    ],
)
def test_what_is_read(text, value):
    assert read_number(text) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Type a number first"),
        ("   ", "Type a number first"),
        ("1,500", "“1,500” can mean two numbers"),
        ("1,500", "Write 1500 or 1.500."),
        ("43,469", "Write 43469 or 43.469."),
        ("-1,500", "Write -1500 or -1.500."),
        ("2*1,500", "“1,500” in “2*1,500” can mean two numbers"),
        ("2*1,500", "Write 2*1500 or 2*1.500."),
        ("1 234,500", "Write 1234500 or 1234.500."),
        ("1,000,000", "Write 1000000."),
        ("1,234.5", "Write 1234.5."),
        ("1.234,5", "“1.234,5” has a dot and a comma"),
        ("1.234,5", "Write 1234.5."),
        ("1.234.567,89", "Write 1234567.89."),
        ("1.5,5", "“1.5,5” is not a single number"),
        ("1,5,6", "“1,5,6” is not a single number"),
        ("5,", "“5,” ends with a comma"),
        (",", "“,” ends with a comma"),
        ("1, 2", "“1,” in “1, 2” ends with a comma"),
        ("1,٥", "“1,٥” cannot be read as a number, because of “٥”"),
        ("a,b", "“a,b” cannot be read as a number, because of “,”"),
        ("1e1,5", "“,5” does not belong after “1e1”"),
        ("abc", "“abc” cannot be read as a number. Type a number, such as"),
        ("½", "“½” cannot be read as a number. Write 1/2."),
        ("3½", "“3½” cannot be read as a number, because of “½”. Write 3+1/2."),
        ("-3½", "Write -(3+1/2)."),
        ("3 1/½", "because of “½”. Type a number, such as"),
        ("1⁄2", "because of “⁄”. Write 1/2."),
        ("2^1⁄2", "because of “⁄”. Type a number, such as"),
        ("٣", "“٣” cannot be read as a number. Write 3."),
        ("٠٫٥", "because of “٠”. Write 0.5."),
        ("10⁻³", "because of “³”. Write 10^-3."),
        ("2π²", "Write 2π^2."),
        ("⁵", "“⁵” cannot be read as a number. Type a number, such as"),
        ("x₂", "because of “₂”. Type a number, such as"),
        ("3〜5", "because of “〜”"),
        ("about 3", "“about 3” cannot be read as a number, because of “about”"),
        ("nan", "“nan” cannot be read as a number"),
        ("inf", "“inf” cannot be read as a number"),
        ("e", "“e” cannot be read as a number"),
        ("3 4", "“3 4” cannot be read as a number: “4” does not belong after “3”"),
        ("50%", "because of “%”. Write 0.5."),
        ("50 %", "“50 %” cannot be read as a number, because of “%”. Write 0.5."),
        ("１１０％", "because of “%”. Write 1.1."),
        ("5 ‰", "because of “‰”. Write 0.005."),
        ("12,5 percent", "because of “percent”. Write 0.125."),
        ("50%%", "because of “%”. Type a number, such as"),
        ("2*", "is incomplete: something must follow “*”"),
        ("2×", "is incomplete: something must follow “×”"),
        ("*3", "“*” does not belong at the start"),
        ("(1+2", "a bracket that is never closed"),
        ("1)", "“)” does not belong after “1”"),
        ("1/0", "divides by zero"),
        ("0^-1", "divides by zero"),
        ("10^400", "too large"),
        ("1e999", "too large"),
        ("9^9^9^9^9", "too large"),
        ("(-8)^0.5", "raises a negative number to a power"),
        ("sqrt(-1)", "root of a negative"),
        ("(" * 60 + "1", "nested too deeply"),
        ("2^" * 49 + "1", "nested too deeply"),
        ("1" * (MAX_LENGTH + 1), "longer than"),
        ("__import__('os')", "cannot be read as a number"),
        ("[1]", "cannot be read as a number"),
        ("١٢", "cannot be read as a number"),
        ("0x10", "because of “x”"),
    ],
)
def test_what_is_refused_and_how(text, words):
    with pytest.raises(NotANumberError) as refused:
        read_number(text)
    assert words in str(refused.value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_read_back(value):
    assert read_number(repr(value)) == value


def offered(sentence: str, typed: str) -> list[str]:
    """Return the numbers that a sentence tells to type, as a reader would find them in it."""
    found = WRITE_OR_SUCH_AS.search(sentence.replace(f"“{fold_number(typed).strip()}”", ""))
    return re.split(", | or ", found[1]) if found else []


DIGITS = st.text("0123456789", max_size=5)
NEARLY_NUMBERS = st.lists(
    st.one_of(
        DIGITS, st.sampled_from([",", ".", " ", "-", "−", "e", "*", "(", ")", "pi", "½", "1,500"])
    ),
    max_size=12,
).map("".join)


@pytest.mark.slow
@given(NEARLY_NUMBERS | st.text(max_size=120))
@example("1.234,5")
@example("1,500+2,500")
@example("1,500e400")
@example("1.234,5 apples")
def test_any_text_is_one_number_or_is_refused_with_numbers_that_are_read(text):
    sentence = unreadable(text)
    numbers = offered(sentence, text) if sentence else [text]
    assert all(math.isfinite(read_number(one)) for one in numbers)


@given(st.text("0123456789", min_size=1, max_size=8), st.text("0123456789", min_size=1, max_size=8))
def test_a_comma_is_a_point_unless_it_could_part_thousands(whole, decimals):
    typed = f"{whole},{decimals}"
    if len(decimals) != 3 or not whole.strip("0"):
        assert read_number(typed) == float(f"{whole}.{decimals}")
    else:
        with pytest.raises(NotANumberError) as refused:
            read_number(typed)
        assert offered(str(refused.value), typed) == [whole + decimals, f"{whole}.{decimals}"]


@given(NEARLY_NUMBERS | st.text(max_size=60))
def test_a_refusal_names_what_was_typed(text):
    sentence = unreadable(text)
    if sentence:
        # 1 000 is quoted as 1000, and what cannot be seen not at all
        assert "".join(fold_number(text).split()) in "".join(sentence.split())


@given(st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 10**15)))
def test_what_was_read_is_repeated_as_a_number_of_its_own(value):
    typed = repr(value).replace(".", ",")
    with suppress(NotANumberError):  # three digits after the comma
        number = read_number(typed)
        assert read_number(read_as(typed, number) or typed) == number


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("0,5", "0.5"),
        ("-0,5", "−0.5"),
        ("0,123456789", "0.123456789"),
        ("1,5e-3", "0.0015"),
        ("0.5", ""),
        ("-0.5", ""),
        ("2*pi/3", "2.0944"),
    ],
)
def test_how_a_number_is_repeated(typed, words):
    assert read_as(typed, read_number(typed)) == words
