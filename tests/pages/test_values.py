"""Numbers in a text: how they are asked for, how they are written, and what is said of mistakes."""

import contextlib
import math
import time
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Literal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quizzes.pages import values
from quizzes.pages.markdown import markdown_problems, render_inline, render_markdown
from quizzes.pages.values import ValueTextError, evaluate, format_value, register_value, value_text
from tests.examples import examples


def twice(*, number: float, unit: Literal["m", "km"] = "m", exact: bool = False) -> float:
    """Return two times a number; refuse what is over a thousand."""
    if number > 1000:
        raise ValueError("number: must be at most 1000")
    return 2 * number if exact or unit == "m" else 2000 * number


def named(*, number: int) -> str:
    """Return a word."""
    return ["zero", "one"][number]


def in_numpy(*, kind: str) -> float:
    """Return a number as NumPy and the rules of floats make them, an array, or an error."""
    made = {
        "int": lambda: np.int64(2**62),
        "float": lambda: np.float32(0.5),
        "array": lambda: np.ones(2),
        "nan": lambda: math.nan,
        "inf": lambda: math.inf,
        "bool": lambda: True,
        "overflow": lambda: math.exp(1000),
        "division": lambda: 1 / 0,
    }
    return made[kind]()


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    monkeypatch.setattr(values, "_FUNCTIONS", {})
    for function in (twice, named, in_numpy):
        register_value(function)
    values.evaluate.cache_clear()
    yield
    values.evaluate.cache_clear()


@pytest.mark.parametrize(
    ("value", "how", "text", "tex"),
    [
        (62831.853, ".0f", "62\u202f832", r"62\,832"),
        (6283.1853, ".1f", "6283.2", "6283.2"),
        (-0.5, ".2f", "−0.50", "-0.50"),
        (-0.0004, ".2f", "0.00", "0.00"),
        (7, "", "7", "7"),
        (45_000, "", "45\u202f000", r"45\,000"),
        (3.0, "", "3", "3"),
        (4e-14, ".0e", "4\u00a0×\u00a010⁻¹⁴", r"4\times 10^{-14}"),
        (0.44, ".0%", "44\u202f%", r"44\,\%"),
        (0.012345, ".3g", "0.0123", "0.0123"),
        ("sine", "", "sine", "sine"),
        (2**64 + 1, "", "18 446 744 073 709 551 617".replace(" ", "\u202f"), None),
        (2.0**53, "", "9 007 199 254 740 992".replace(" ", "\u202f"), None),
    ],
)
def test_numbers_are_written_as_people_write_them(value, how, text, tex):
    assert format_value(value, how) == text
    assert format_value(value, how, tex=True) == tex or tex is None


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("twice(number=3) :.1f", "6.0"),
        ("  twice( number = -3 )  : .1f ", "−6.0"),
        ("twice(number=3, unit='km')", "6000"),
        ("twice(number=3, unit='km', exact=true)", "6"),
        ("7", "7"),
        ("2 * 3", "6"),
        ("3/4 :.2f", "0.75"),
        ("(1 + 2) * 4", "12"),
        ("(1 + 2) * 4 :.1f", "12.0"),
        ("6 / 2", "3"),
        ("10 - 2 - 3", "5"),
        ("64 / 4 / 2", "8"),
        ("2 + 3 * 4", "14"),
        ("-2 ** 2", "−4"),
        ("2 ** -1 :.1f", "0.5"),
        ("2 ** 3 ** 2", "512"),
        ("- - 3", "3"),
        ("+3 - -2", "5"),
        ("1_000 * 2.5", "2500"),
        ("sqrt(64)", "8"),
        ("1 / sqrt(64) :.3f", "0.125"),
        ("log(1)", "0"),
        ("log(10) :.3f", "2.303"),
        ("sqrt(twice(number=8))", "4"),
        ("100 * twice(number=3, unit='km') / 4", "150\u202f000"),
        ("twice(number=3) / twice(number=4) :.0%", "75\u202f%"),
        ("(named(number=1))", "one"),
        ("in_numpy(kind='int') * 4", "18 446 744 073 709 551 616".replace(" ", "\u202f")),
        ("in_numpy(kind='float') * 4", "2"),
        ("2 ** 200 - (2 ** 200 - 1)", "1"),
        ("1 ** (10 ** 300)", "1"),
        ("(" * 140 + "5" + ")" * 140, "5"),
        ("+".join(["1"] * 51), "51"),
    ],
)
def test_an_expression_has_its_value(expression, said):
    assert value_text(expression) == said


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("thrice(number=3)", "thrice: must be one of in_numpy, named, twice, sqrt or log"),
        ("twice(3)", "every argument needs its name"),
        ("twice(**{})", "every argument needs its name"),
        ("twice", "must be a call such as"),
        ("twice(number=", "must be a call such as"),
        ("twice.real(number=3)", "must be a call such as"),
        ("twice()", "twice: number: missing"),
        ("twice(number=3, size=2)", "twice: size: must be one of number, unit, exact"),
        ("twice(number='3')", "number='3': must be a number"),
        ("twice(number=true)", "number=True: must be a number"),
        ("twice(number=3, unit='mile')", "unit='mile': must be one of 'm', 'km'"),
        ("twice(number=3, exact=1)", "exact=1: must be true or false"),
        ("twice(number=[1])", "number: must be a number, a word in quotes, true or false"),
        ("twice(number=2+3)", "number: must be a number, a word in quotes, true or false"),
        ("twice(number=5000)", "twice: number: must be at most 1000"),
        ("twice(number=0.3)", "0.6: a format such as :.2f must say how to round it"),
        ("twice(number=3) :d", ":d: must be one of"),
        ("twice(number=3) :>9999.1f", "must be one of"),
        ("twice(number=1e999) :.1f", "must be at most 1000"),
        ("twice(number=" + "1" * 400 + ")", "at most 300 are allowed"),
        ("1 + thrice(number=3)", "thrice: must be one of in_numpy"),
        ("1 + width", "'width': must be a call such as"),
        ("1 + twice", "'twice': must be a call such as"),
        ("3 *", "must be a call such as wavelength(d_model=50, pair=3), or arithmetic such as"),
        ("", "must be a call such as"),
        ("True + 1", "'True': must be a call such as"),
        ("2j", "'2j': must be a call such as"),
        ("[1, 2]", "'[1, 2]': must be a call such as"),
        ("'word'", "\"'word'\": must be a call such as"),
        ("1 < 2", "'1 < 2': must be a call such as"),
        ("(lambda: 1)()", "must be a call such as"),
        ("__import__('os')", "__import__: must be one of"),
        ("7 % 3", "'7 % 3': the operators are + - * / and **"),
        ("7 // 3", "'7 // 3': the operators are + - * / and **"),
        ("1 << 9999", "'1 << 9999': the operators are + - * / and **"),
        ("~1", "'~1': must be a call such as"),
        ("sqrt(1, 2)", "must be sqrt of one number, as in sqrt(64)"),
        ("log()", "must be log of one number"),
        ("log(x=2)", "must be log of one number"),
        ("sqrt(*1)", "'*1': must be a call such as"),
        ("1 / (2 - 2)", "1 / (2 - 2): divides by zero"),
        ("1 / 0.0", "1 / 0.0: divides by zero"),
        ("0 ** -1", "0 ** -1: divides by zero"),
        ("2 + sqrt(1 - 3)", "sqrt(1 - 3): -2 is negative and has no square root"),
        ("log(0)", "log(0): 0 has no logarithm, which needs a number above 0"),
        ("log(-0.5)", "log(-0.5): -0.5 has no logarithm"),
        ("(-8) ** (1 / 3)", "(-8) ** (1 / 3): -8 has no power of 0.333333, which is not whole"),
        ("1e999", "1e999: is too large: numbers go up to 1.79e308"),
        ("1e308 * 10", "1e308 * 10: is too large"),
        ("1 - -1e308 * 10", "-1e308 * 10: is too large"),
        ("10 ** 308 * 10", "10 ** 308 * 10: is too large"),
        ("9 ** 9 ** 9", "9 ** 9 ** 9: is too large"),
        ("9 ** (9 ** 9) ** 9", "is too large"),
        ("0.1 ** -400", "is too large"),
        ("2 * named(number=1)", "named(number=1): is the word 'one', not a number to compute"),
        ("sqrt(named(number=1))", "named(number=1): is the word 'one', not a number to compute"),
        ("in_numpy(kind='array') + 1", "in_numpy(kind='array'): is not a number to compute with"),
        ("in_numpy(kind='bool') + 1", "in_numpy(kind='bool'): is not a number to compute with"),
        ("in_numpy(kind='nan') + 1", "in_numpy(kind='nan'): is not a number (nan)"),
        ("1 / in_numpy(kind='inf')", "in_numpy(kind='inf'): is too large"),
        ("in_numpy(kind='overflow')", "in_numpy: math range error"),
        ("in_numpy(kind='division')", "in_numpy: division by zero"),
        ("1 / 3", "0.333333: a format such as :.2f must say how to round it"),
        ("10 / 3 * 1e20", "3.33333e+20: a format such as :.2f must say how to round it"),
        ("1 + 2 :d", ":d: must be one of"),
        ("-" * 60 + "1", "60 operations, at most 50 are allowed"),
        ("-" * 10_000 + "1", "10001 characters, at most 300 are allowed"),
        ("(" * 10_000 + "1" + ")" * 10_000, "20001 characters, at most 300 are allowed"),
        ("+".join(["1"] * 52), "51 operations, at most 50 are allowed"),
    ],
)
def test_a_mistake_is_named_with_what_was_expected(expression, complaint):
    started = time.monotonic()
    with pytest.raises(ValueTextError) as raised:
        value_text(expression)
    assert complaint in str(raised.value)
    assert time.monotonic() - started < 2, "it was tried"


@dataclass(frozen=True)
class Term:
    """Arithmetic as text; the exact value, and by how much floats may be off.

    `binds`: 1 a sum, 2 a product, 3 a sign, 4 a number or a bracket. `whole`: only whole numbers
    were added and multiplied, so that nothing is rounded.
    """

    text: str
    exact: Fraction | None  # None: somewhere it divides by zero
    error: Fraction
    binds: int
    whole: bool = True

    def within(self, binds: int) -> str:
        """Return the text as an operand, in brackets only where it needs them."""
        return self.text if self.binds >= binds else f"({self.text})"


EPSILON = Fraction(1, 2**52)


def combined(first: Term, sign: str, second: Term) -> Term:
    """Return `first sign second`, computed with fractions."""
    binds = 1 if sign in "+-" else 2
    text = f"{first.within(binds)} {sign} {second.within(binds + 1)}"
    a, b = first.exact, second.exact
    whole = sign != "/" and first.whole and second.whole
    if a is None or b is None or (sign == "/" and second.whole and b == 0):
        return Term(text, None, Fraction(0), binds)
    if sign == "/":
        assume(abs(b) > 2 * second.error)  # else nobody knows whether floats divide by zero
        exact = a / b
        error = (first.error + abs(exact) * second.error) / (abs(b) - second.error)
    elif sign == "*":
        exact = a * b
        error = abs(a) * second.error + abs(b) * first.error + first.error * second.error
    else:
        exact = a + b if sign == "+" else a - b
        error = first.error + second.error
    rounding = 0 if whole else EPSILON * (abs(exact) + error)
    return Term(text, exact, error + rounding, binds, whole)


def negated(term: Term) -> Term:
    """Return -term."""
    exact = None if term.exact is None else -term.exact
    return Term(f"-{term.within(3)}", exact, term.error, 3, term.whole)


def bracketed(term: Term) -> Term:
    """Return (term), where brackets may say nothing."""
    return Term(f"( {term.text} )", term.exact, term.error, 4, term.whole)


terms = st.recursive(
    st.integers(0, 10**6).map(lambda number: Term(str(number), Fraction(number), Fraction(0), 4)),
    lambda inner: st.one_of(
        st.builds(combined, inner, st.sampled_from("+-*/"), inner),
        inner.map(negated),
        inner.map(bracketed),
    ),
    max_leaves=12,
)


@examples(60)
@given(terms)
def test_arithmetic_agrees_with_fractions(term):
    assume(len(term.text) <= values.MAX_EXPRESSION)
    if term.exact is None:
        with pytest.raises(ValueTextError, match="divides by zero"):
            evaluate(term.text)
        return
    found = evaluate(term.text)
    assert abs(Fraction(found) - term.exact) <= term.error
    if term.whole:
        assert isinstance(found, int)
        assert value_text(term.text).replace("\u202f", "").replace("−", "-") == str(term.exact)


@examples(60)
@given(st.integers(1, 10**15), st.integers(1, 10**6), st.integers(-40, 40))
def test_roots_logarithms_and_powers_agree_with_decimals(top, bottom, exponent):
    with localcontext() as context:
        context.prec = 50
        number = Decimal(top) / Decimal(bottom)
        others = {
            f"sqrt({top} / {bottom})": number.sqrt(),
            f"log({top} / {bottom}) + 100": number.ln() + 100,
            f"({bottom} / {top}) ** {exponent}": number**-exponent,
            f"{bottom} ** 0.5": Decimal(bottom).sqrt(),
        }
        for expression, other in others.items():
            if abs(other) < Decimal("1e300"):
                assert evaluate(expression) == pytest.approx(float(other), rel=1e-12, abs=1e-300)


@given(st.text(alphabet="0123456789.+-*/() e_,'sqrtlog=", max_size=40))
def test_any_text_has_a_value_or_a_fault(text):
    with contextlib.suppress(ValueTextError):
        assert math.isfinite(evaluate(text))


def test_a_value_stands_in_prose_tables_formulas_and_labels():
    page = render_markdown(
        "About {{ value twice(number=3.2) :.1f }} *m*.\n\n"
        "| a |\n|--|\n| {{ value twice(number=4) }} |\n\n$x = {{ value twice(number=-5) }}$\n\n"
        "Here {{ value 2 * 3 * 4 }} and *{{ value 5 * 6 }}* and $y_{{ value 40 - 2 * 3 }}$."
    )
    assert "About 6.4 <em>m</em>." in page
    assert "<td>8</td>" in page
    assert "−</mo><mn>10</mn>" in page
    assert "Here 24 and <em>30</em> and " in page
    assert "<mn>34</mn>" in page
    assert render_inline("{{ value twice(number=3) }} m") == "6 m"


def test_code_shows_how_it_is_written():
    source = "{{ value twice(number=3) }}"
    assert source in render_markdown(f"`{source}`")
    assert markdown_problems(f"```text\n{source}\n```", path="a.md") == []


def test_underscores_of_names_are_no_emphasis():
    assert markdown_problems("{{ value no_such_thing(d_model=_) }} and _x_", path="a.md")
    assert "<em>" not in render_markdown("{{ value no_such_thing(d_model=3) }}")


def test_every_fault_has_its_line():
    text = "One.\n\nTwo {{ value twice() }}\nand {{ valeu }}.\n\n$$\nx = {{ value gone() }}\n$$\n"
    found = [(problem.line, problem.message) for problem in markdown_problems(text, path="a.md")]
    assert [line for line, _ in found] == [3, 4, 6]
    assert "twice: number: missing" in found[0][1]
    assert "{{ must begin a value" in found[1][1]
    assert "gone: must be one of " in found[2][1]


def test_a_fault_of_arithmetic_has_its_line():
    text = "One.\n\nTwo {{ value 1 / 0 }}\nand {{ value 9**9**9 :.1f }},\n\n- {{ value 2 * }}.\n"
    text += f"\n$$\nx = {{{{ value {'(' * 10_000}1{')' * 10_000} }}}}\n$$\n"
    found = [(problem.line, problem.message) for problem in markdown_problems(text, path="a.md")]
    assert [line for line, _ in found] == [3, 4, 6, 8]
    for (_, message), words in zip(found, ("1 / 0: divides", "large", "'2 *'", "300"), strict=True):
        assert words in message


def test_a_formula_without_its_number_is_shown_as_its_source():
    assert '<code class="formula-source">' in render_markdown("$x = {{ value gone() }}$")


def test_two_functions_of_one_name_are_refused():
    def twice(*, number: int) -> int:
        return number

    with pytest.raises(ValueError, match="'twice' is already registered"):
        register_value(twice)


def test_a_function_named_like_arithmetic_is_refused():
    def sqrt(*, number: int) -> int:
        return number

    with pytest.raises(ValueError, match="'sqrt': is arithmetic"):
        register_value(sqrt)
