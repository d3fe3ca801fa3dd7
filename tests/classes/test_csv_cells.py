"""Cells of CSV files: each text comes back as it was, and none of them is ever computed."""

import re
from decimal import Decimal
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quizzes.classes.exports.csv_lines import as_typed, csv_lines, neutral
from tests.classes.spreadsheets import excel, libreoffice
from tests.examples import examples

SEPARATORS = ",;\t|"
WRITTEN_WITH = st.sampled_from([",", ";"])
SPLIT_AT = [set(some) for n in range(1, 5) for some in combinations(SEPARATORS, n)]
NUMBER = re.compile(r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?")
STARTS_A_FORMULA = tuple("=+-@＝＋－＠")
STARTS_BADLY = (*STARTS_A_FORMULA, "\t", "\r")

# Texts of all scripts, and many made of nothing but what matters to a program that splits.
NASTY = st.text(st.sampled_from("=+-@'\"\t\r\n;,| a1.\u00a0\u200b\ufeff＝"), max_size=14)
TEXT = NASTY | st.text()
CELL = (
    TEXT | st.integers() | st.decimals(allow_nan=False, allow_infinity=False, places=2) | st.none()
)
TABLE = st.integers(2, 4).flatmap(
    lambda n: st.lists(st.lists(CELL, min_size=n, max_size=n), min_size=1, max_size=4)
)


def written(rows, separator):
    data = b"".join(csv_lines(rows, separator))
    assert data.startswith(b"\xef\xbb\xbf")
    return data.decode()[1:]


@given(TEXT, st.sampled_from(list(SEPARATORS)))
@example("'=already marked", ",")
@example("''", ",")
@example("'-2", ";")
def test_as_typed_undoes_neutral(text, separator):
    assert as_typed(neutral(text, separator), separator) == text


@given(st.text(st.characters(exclude_characters="=+-@＝＋－＠\t\r\n;|", exclude_categories=["Cs"])))
def test_other_texts_stay_as_they_are(text):
    assert neutral(text) == text == as_typed(text)


@pytest.mark.parametrize("text", ["-2", "+43.5", "-0,5", "1e-5", "-.5", "-3.", "007"])
def test_numbers_stay_numbers(text):
    assert neutral(text) == neutral(text, ";") == text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ('=HYPERLINK("x")', '\'=HYPERLINK("x")'),
        (" =1+1", " '=1+1"),
        ("1, -2, =3", "1, -2, =3"),  # quotes are enough where the comma separates
        ("1; -2", "1; '-2"),
        ('a;"=1', "a;\"'=1"),
        ("two\n=1", "two\n'=1"),
        ("it ends;", "it ends;'"),
        ("'t Hooft", "'t Hooft"),
        ("", ""),
    ],
)
def test_an_apostrophe_stands_where_a_cell_could_start(text, cell):
    assert neutral(text) == cell


@pytest.mark.parametrize("read", [excel, libreoffice])
@given(TABLE, WRITTEN_WITH)
def test_a_table_comes_back_as_it_was(read, rows, separator):
    found = [
        [as_typed(cell, separator) for cell in row]
        for row in read(written(rows, separator), separator)
    ]
    assert found == [[as_text(cell, separator) for cell in row] for row in rows]


def as_text(cell, separator):
    if isinstance(cell, Decimal):
        return str(cell).replace(".", "," if separator == ";" else ".")
    return "" if cell is None else str(cell)


@pytest.mark.parametrize("read", [excel, libreoffice])
@examples(300)
@given(TABLE, WRITTEN_WITH, st.sampled_from(SPLIT_AT))
@example([["Ada", "x;=1"]], ",", {";"})
@example([["Ada", 'x;"=1']], ",", {";"})
@example([["Ada", "x;"], ["=1", "y"]], ",", {";"})
@example([["Ada", "x\n=1"]], ",", {"|"})
@example([["-5", "=1"]], ",", {";"})
@example([[-5, "x"]], ";", {"\t"})
@example([["Ada", "x,=1"]], ";", {","})
@example([["Ada", "x; \u00a0=1"]], ",", {";", "\t"})
def test_no_cell_starts_a_formula_wherever_lines_are_split(read, rows, separator, split_at):
    for row in read(written(rows, separator), split_at):
        for cell in row:
            assert not cell.startswith(STARTS_BADLY) or NUMBER.fullmatch(cell), row
            seen = cell.lstrip(' \n"\u00a0\u200b\ufeff')
            assert not seen.startswith(STARTS_A_FORMULA) or NUMBER.fullmatch(cell), row


@pytest.mark.parametrize("read", [excel, libreoffice])
@given(TABLE, WRITTEN_WITH)
def test_columns_stay_where_several_separators_split(read, rows, separator):
    text = written(rows, separator)
    assert read(text, set(SEPARATORS)) == read(text, separator)


@given(TABLE, WRITTEN_WITH, st.sampled_from(SPLIT_AT))
def test_a_text_swallows_no_other_row(rows, separator, split_at):
    """A quote in a text opens no cell that runs on through the lines below."""
    last = "the-last-row"
    found = excel(written([*rows, [last, last]], separator), split_at)
    assert found[-1][0].startswith(last)


def test_semicolons_come_with_a_decimal_comma():
    rows = [["1.5", Decimal("8.50"), Decimal("-0.25"), 3, "a,b", None]]
    assert written(rows, ",") == '1.5,8.50,-0.25,3,"a,b",\r\n'
    assert written(rows, ";") == '1.5;"8,50";"-0,25";3;"a,b";\r\n'
