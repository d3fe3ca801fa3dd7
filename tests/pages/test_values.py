"""Numbers in a text: how they are asked for, how they are written, and what is said of mistakes."""

from typing import Literal

import pytest

from quizzes.pages import values
from quizzes.pages.markdown import markdown_problems, render_inline, render_markdown
from quizzes.pages.values import ValueTextError, register_value, value_text, written


def twice(*, number: float, unit: Literal["m", "km"] = "m", exact: bool = False) -> float:
    """Return two times a number; refuse what is over a thousand."""
    if number > 1000:
        raise ValueError("number: must be at most 1000")
    return 2 * number if exact or unit == "m" else 2000 * number


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    monkeypatch.setattr(values, "_FUNCTIONS", {})
    register_value(twice)
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
    ],
)
def test_numbers_are_written_as_people_write_them(value, how, text, tex):
    assert written(value, how) == text
    assert written(value, how, tex=True) == tex


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("twice(number=3) :.1f", "6.0"),
        ("  twice( number = -3 )  : .1f ", "−6.0"),
        ("twice(number=3, unit='km')", "6000"),
        ("twice(number=3, unit='km', exact=true)", "6"),
    ],
)
def test_an_expression_has_its_value(expression, said):
    assert value_text(expression) == said


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("thrice(number=3)", "thrice: must be one of twice"),
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
    ],
)
def test_a_mistake_is_named_with_what_was_expected(expression, complaint):
    with pytest.raises(ValueTextError) as raised:
        value_text(expression)
    assert complaint in str(raised.value)


def test_a_value_stands_in_prose_tables_formulas_and_labels():
    page = render_markdown(
        "About {{ value twice(number=3.2) :.1f }} *m*.\n\n"
        "| a |\n|--|\n| {{ value twice(number=4) }} |\n\n$x = {{ value twice(number=-5) }}$"
    )
    assert "About 6.4 <em>m</em>." in page
    assert "<td>8</td>" in page
    assert "−</mo><mn>10</mn>" in page
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
    assert "gone: must be one of twice" in found[2][1]


def test_a_formula_without_its_number_is_shown_as_its_source():
    assert '<code class="formula-source">' in render_markdown("$x = {{ value gone() }}$")


def test_two_functions_of_one_name_are_refused():
    def twice(*, number: int) -> int:
        return number

    with pytest.raises(ValueError, match="'twice' is registered already"):
        register_value(twice)
