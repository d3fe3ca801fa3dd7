"""The file of a known mistake as a form: nothing is lost, and each field's fault is said there."""

import ast
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.exercises.naming.variant_file import (
    VariantFields,
    faults_of,
    fields_of,
    name_of,
    text_of,
)
from quizzes.grader.definitions import read_definition, read_requirements
from tests.examples import examples
from tests.exercises import making

CLAUSES = read_requirements("1. It is whole.\n2. It has (a) rows and (b) columns.\n").clauses
STEPS = {"sums/adding"}
GOOD = VariantFields(
    does="You add one.",
    should="It should stay.",
    breaks="2b",
    step="sums/adding",
    code="def add(x):\n    return x + 1\n",
)


def faults(**changed):
    fields = VariantFields(**{**vars(GOOD), **changed})
    return faults_of("wrong/one.py", fields, name="add", clauses=CLAUSES, steps=STEPS)


def test_good_fields_have_no_fault():
    assert faults() == {}
    assert faults(kind="convention") == {}


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("does", "", "expected a line `Does: You ...` saying what this code does"),
        ("does", "It adds one.", "expected what the learner does, with you or your"),
        ("does", "You " + "x" * 500, "504 characters; expected at most 500."),
        ("does", "You \u200badd.", "U+200B, which nobody sees"),
        ("should", "", "expected a line `Should: It should ...` saying what is right"),
        ("should", "Stay.", "expected what is right, with the word should"),
        ("breaks", "9", "Choose the requirement that this code breaks."),
        ("step", "", "Choose the step that explains this mistake."),
        ("step", "no/where", "There is no step no/where: choose"),
        ("code", "def other(): pass", "does not define `add`"),
        ("code", "x = 1\ndef add(x):\n  return (", "Line 3: "),
        ("code", "", "does not define `add`"),
        ("code", "def add(x):\n    return '\x01'", "U+0001"),
    ],
)
def test_fault_stands_at_its_field(field, value, words):
    by_field = faults(**{field: value})
    assert list(by_field) == [field]
    assert words in " ".join(by_field[field])
    assert "Line -" not in " ".join(by_field[field])


@examples(60)
@given(
    st.builds(
        VariantFields,
        does=st.text(st.characters(exclude_categories=["C", "Z"])),
        should=st.sampled_from(["", "It should."]),
        breaks=st.sampled_from(["", "1", "2a"]),
        step=st.sampled_from(["", "sums/adding"]),
        kind=st.sampled_from(["mistake", "convention"]),
        code=st.sampled_from(["", "x = 1\n", '"""A docstring."""\nx = 1\n']),
    )
)
def test_form_becomes_file_and_form(fields):
    again = fields_of(text_of(fields, CLAUSES))
    assert vars(again) | {"code": again.code.strip()} == (
        vars(fields) | {"code": fields.code.strip()}
    )


@pytest.mark.parametrize(
    "does", ['You """ add.', "You use \\x and \\theta.", "You shift by \\", 'You add "', 'You """"']
)
def test_quotation_marks_and_backslashes_stay(does):
    assert faults(does=does) == {}
    text = text_of(replace(GOOD, does=does), CLAUSES)
    assert fields_of(text).does == does
    assert f"Does: {does}" in ast.get_docstring(ast.parse(text))


def test_shipped_mistakes_open_as_forms():
    files = making.shipped_source().files
    for path, text in files.items():
        if path.startswith("wrong/"):
            fields = fields_of(text)
            assert fields.does, path
            assert fields.code in text
    definition = read_definition("sinusoidal-table", files)
    assert fields_of(files["wrong/swap.py"]).step == definition.wrong["swap"].step


def test_file_is_named_by_its_sentence():
    does = "You divide the scores by d, not by its square root."
    assert name_of(does, ()) == "divide_scores_by_d_not"
    assert name_of(does, ["divide_scores_by_d_not"]) == "divide_scores_by_d_not_2"
    assert name_of("Ты делишь", ()) == "unnamed"
