"""Numbers as other keyboards, phones and pages write them: read as a person reads them, or refused.

What a person reads is written down here by itself, and so is the rule that numbers were read by
before: nothing that it read may be read differently.
"""

import re
import sys
import unicodedata
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quizzes.assessment.number_parser import NotANumberError, read_number
from quizzes.assessment.numeric_answer import read_as

ALL: dict[str, list[str]] = {}  # by category
for sign in map(chr, range(sys.maxunicode + 1)):
    ALL.setdefault(unicodedata.category(sign), []).append(sign)
DASHES = [*ALL["Pd"], "−"]
UNSEEN = ALL["Cf"] + [chr(number) for number in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))]
NUMERALS = ALL["No"] + ALL["Nl"]
LETTERS = {"Lo", "Lu", "Ll", "So", "Mn", "Mc", "Cn", "Co", "Cs"}  # of these a sample is enough
SIGNS_OF_ALL = [
    char
    for category, chars in ALL.items()
    for char in chars
    if category not in LETTERS or ord(char) % 997 == 0
]
WIDE = {chr(ord(char) + 0xFEE0): char for char in "0123456789.,+-*/^()eEpisqrt%"}
AROUND = ["{}", "2{}", "{}2", "10{}", "0.{}", "-{}", "{}.5", "{}/4", "2^{}", "1e{}", "1{}e3"]

# The rule of before, for one number or two with a sign between them.
OLD_SIGNS = {"−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/", "∙": "/"}
OLD_NUMBER = r"[-+]*(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
OLD = re.compile(rf"({OLD_NUMBER})(?:([-+*/^])({OLD_NUMBER}))?")


def old_value(text: str) -> float | None:
    """Return what a text was read as before; None where it was refused or goes beyond the rule."""
    plain = "".join(OLD_SIGNS.get(char, char) for char in text.strip())
    found = OLD.fullmatch(plain)
    if found is None:
        return None
    first, sign, second = found[1], found[2], found[3]
    if sign is None:
        return signed(first)
    if sign == "^":
        minus = re.match("[-+]*", first)[0].count("-") % 2
        with suppress(ArithmeticError):
            power = float(first.lstrip("+-")) ** signed(second)
            return -power if minus else power
        return None
    with suppress(ZeroDivisionError):
        left, right = signed(first), signed(second)
        return {"+": left + right, "-": left - right, "*": left * right}.get(
            sign, left / right if sign == "/" else None
        )
    return None


def signed(text: str) -> float:
    bare = text.lstrip("+-")
    minus = text[: len(text) - len(bare)].count("-") % 2
    return -float(bare) if minus else float(bare)


def seen(text: str) -> str:
    """Return the plain signs that a person sees."""
    plain = [WIDE.get(char, char) for char in text if char not in UNSEEN]
    return "".join("-" if char in DASHES else char for char in plain)


def value(text: str, unit: str = "") -> float | None:
    try:
        return read_number(text, unit)
    except NotANumberError:
        return None


@pytest.mark.parametrize("around", ["{}0.5", " {} 0.5", "({}0.5)", "2*{}0.25", "2^{}1", "5e{}1"])
def test_every_dash_is_a_sign(around):
    exact = read_number(around.format("-"))
    assert {value(around.format(dash)) for dash in DASHES} == {exact}


@pytest.mark.parametrize("typed", ["0.5", "-0.5", "2*pi/3", "45 000", "1e-3", "sqrt(2)"])
def test_an_unseen_character_anywhere_changes_nothing(typed):
    exact = read_number(typed)
    for char in UNSEEN:
        for place in range(len(typed) + 1):
            assert value(typed[:place] + char + typed[place:]) == exact, hex(ord(char))


@pytest.mark.parametrize("around", AROUND)
def test_numerals_that_are_no_digits_are_refused(around):
    assert len(NUMERALS) > 1000
    assert [char for char in NUMERALS if value(around.format(char)) is not None] == []


def test_a_refused_numeral_is_answered_with_its_value():
    for char in NUMERALS:
        with pytest.raises(NotANumberError) as refused:
            read_number(char)
        if way := re.search(r"Write (.*)\.$", str(refused.value)):
            assert read_number(way[1]) == pytest.approx(unicodedata.numeric(char), rel=1e-12)


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("around", AROUND)
def test_each_character_is_read_as_seen_or_refused(around):
    """A character that was refused before is an unseen or a plain sign by now, or stays refused."""
    for char in SIGNS_OF_ALL:
        typed = around.format(char)
        number = value(typed)
        if number is None:
            assert old_value(typed) is None, typed
            continue
        was = old_value(typed)
        if was is not None:
            assert number == pytest.approx(was, rel=1e-15), typed
        elif char not in " ,()piπ√\t\n" and not char.isspace():
            assert char in UNSEEN or char in DASHES or char in WIDE or ignorable(char), typed
            assert number == pytest.approx(value(seen(typed)), rel=1e-15), typed


def ignorable(char: str) -> bool:
    """Say whether a character without a picture is none of the format characters."""
    return unicodedata.category(char) in {"Cc", "Cs", "Cn"} or unicodedata.name(char, "") in {
        "COMBINING GRAPHEME JOINER",
        "HANGUL CHOSEONG FILLER",
        "HANGUL JUNGSEONG FILLER",
        "HANGUL FILLER",
        "HALFWIDTH HANGUL FILLER",
        "KHMER VOWEL INHERENT AQ",
        "KHMER VOWEL INHERENT AA",
        *(f"MONGOLIAN FREE VARIATION SELECTOR {word}" for word in ("ONE", "TWO", "THREE", "FOUR")),
    }


SIGNS = st.sampled_from([*"0123456789..,,eE--++**//^() %", "−", "–", "×", "·", *WIDE, *"½²⁻٣"])


@given(st.text(st.one_of(SIGNS, st.sampled_from([*DASHES, *UNSEEN])), max_size=14))
@example("3–5")
@example("1，500")
def test_a_text_keeps_its_former_value(text):
    was = old_value(text)
    if was is not None and abs(was) < 1e300:
        assert value(text) == pytest.approx(was, rel=1e-15)


@given(st.floats(-1e6, 1e6), st.data())
def test_a_number_in_other_signs_is_the_same(number, data):
    plain = f"{number:.6g}"
    back = {char: other for other, char in WIDE.items()}
    typed = "".join(
        data.draw(st.sampled_from(DASHES if char == "-" else [char, back.get(char, char)]))
        for char in plain
    )
    assert value(typed) == float(plain)


@pytest.mark.parametrize("dash", "〜〰⹀゠᐀⸗︱︲")
def test_a_wave_between_numbers_is_no_minus(dash):
    assert value(f"3{dash}5") is None
    assert value(f"3 {dash} 5") is None


@pytest.mark.parametrize("filler", ["\u3164", "\uffa0"])
def test_a_blank_filler_is_read_as_a_space(filler):
    for around in ("5{}", "{}5", "5{}3", "1{}500", "5e{}3", "2{}pi", "- {} 5", "5{}+{}3"):
        assert value(around.format(filler, filler)) == value(around.format(" ", " ")), around


# ---- units


@pytest.mark.parametrize(
    ("typed", "unit", "number"),
    [
        ("18.97 positions", "positions", 18.97),
        ("18.97positions", "positions", 18.97),
        ("18.97 Positions", "positions", 18.97),
        ("18,97\u00a0posi\u00adtions", "positions", 18.97),
        ("‑0.5 °C", "°C", -0.5),
        ("-0.5 ℃", "°C", -0.5),
        ("2*pi/3 rad", "rad", read_number("2*pi/3")),
        ("45 000 positions", "positions", 45_000),
        ("50 %", "%", 50),
        ("50 ％", "%", 50),
        ("10 m²", "m²", 10),
        ("10 m2", "m²", 10),
        ("2π", "π", read_number("2π")),  # as it was read before
        ("5 1/s", "1/s", 5),
    ],
)
def test_a_number_is_read_with_its_unit(typed, unit, number):
    assert value(typed, unit) == pytest.approx(number, rel=1e-15)


@pytest.mark.parametrize(
    ("typed", "unit"),
    [
        ("18.97 rows", "positions"),
        ("positions", "positions"),
        ("5 ms", "s"),  # another unit
        ("5 mW", "MW"),
        ("51/s", "1/s"),
        ("10³ m²", "m²"),
        ("18.97 positions", ""),
        ("5 positions positions", "positions"),
    ],
)
def test_another_unit_is_refused(typed, unit):
    assert value(typed, unit) is None


def test_a_unit_is_left_out_of_a_refusal():
    with pytest.raises(NotANumberError, match=r"^“1,500” can mean .* Write 1500 or 1\.500\.$"):
        read_number("1,500 positions", "positions")


@given(st.text(max_size=30), st.sampled_from(["positions", "%", "m²", "1/s", "°C", "e3", "pi"]))
def test_a_unit_changes_no_number(text, unit):
    if (number := value(text)) is not None:
        assert value(text, unit) == number


@pytest.mark.parametrize(
    ("typed", "unit", "words"),
    [
        ("‑0.5", "", ""),
        ("\u200b0.5", "", ""),
        ("18.97 positions", "positions", ""),
        ("18,97 positions", "positions", "18.97"),
        ("１．５", "", ""),
    ],
)
def test_a_number_is_repeated_only_where_it_reads_differently(typed, unit, words):
    assert read_as(typed, read_number(typed, unit), unit) == words
