"""Each clause of a statement is broken alone by a known mistake, or has a reason."""

from dataclasses import replace

import pytest

from quizzes.grader.definitions.clauses import (
    Clause,
    broken_clause,
    read_requirements,
    verify_clauses,
)
from quizzes.grader.definitions.definition import ExerciseDefinition, read_definition
from quizzes.grader.definitions.verification import verify
from quizzes.grader.errors import DefinitionError
from quizzes.grader.protocol.case import Case, decode_cases, encode_cases
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.protocol.wire import Bounds, decode
from tests.grader.definitions.test_ordinal_exercise import EXAMPLE, FILES, example

LETTERED = """Words. (a) of no list, (b) too.

1. no requirement of its own
2. nor this

## Requirements

1. The result has the shape
   of `x (a) y`.
2. Tensors that are kept are buffers: (a) those of `__init__` and
   (b) those of $f (c) x$.

   $$x$$

   (c) *Never* those of a class.
4. One more (b).

## Example

1. no requirement
"""
HEADER = '"""Does: You err.\nShould: It should be right.\nBreaks: {}\n"""\n'


def test_letters_make_clauses_of_a_requirement() -> None:
    found = read_requirements(LETTERED)
    assert found.problems == ()
    assert found.clauses == (
        Clause("1", "The result has the shape of `x (a) y`."),
        Clause("2a", "those of `__init__` and"),
        Clause("2b", "those of $f (c) x$."),
        Clause("2c", "*Never* those of a class."),
        Clause("3", "One more (b)."),  # as a page numbers it
    )


def test_a_bracketed_formula_holds_no_letter() -> None:
    found = read_requirements(
        "1. Each \\(a\\) counts.\n2. It has (a) \\( (b) \\), (b) a \\* b &amp; \\[ (c) \\].\n"
    )
    assert found.problems == ()
    assert found.clauses == (
        Clause("1", "Each \\(a\\) counts."),
        Clause("2a", "\\( (b) \\),"),
        Clause("2b", "a \\* b &amp; \\[ (c) \\]."),
    )


@pytest.mark.parametrize(
    ("requirement", "said"),
    [
        ("(a) only", "requirement 1: (a): expected (a), (b), ... in this order"),
        ("(a) and (c)", "requirement 1: (a), (c): expected (a), (b), ... in this order"),
        ("(a), (a) x", "requirement 1: (a): expected (a), (b), ... in this order"),
    ],
)
def test_letters_out_of_order_are_refused(requirement: str, said: str) -> None:
    assert read_requirements(f"1. {requirement}\n").problems == (said,)


@pytest.mark.parametrize("statement", ["", "Words.\n", "- one\n- two\n", "```\n1. code\n```\n"])
def test_a_statement_without_a_numbered_list_is_refused(statement: str) -> None:
    (said,) = read_requirements(statement).problems
    assert said.startswith("has no numbered requirements")


def test_a_requirement_of_two_sentences_asks_for_letters() -> None:
    found = read_requirements("1. It has shape (n,). Rows count from 0.\n2. It is 0.5 at `x. y`.\n")
    assert found.warnings == (
        "Requirement 1 has 2 sentences but no letters: mark each thing that it asks "
        "for with (a), (b) and so on.",
    )


@pytest.mark.parametrize(
    ("breaks", "clause"),
    [
        ("3. Rows count from 0.", "3"),
        ("5b. nor in `forward`.", "5b"),
        ("5b", "5b"),
        ("5b.", "5b"),
        ("5a, 5b. Both.", ""),
        ("5ab. Both.", ""),
        ("5 and 6", ""),
        ("Rows count from 0.", ""),
        ("3.5 rows", ""),
    ],
)
def test_breaks_names_one_clause(breaks: str, clause: str) -> None:
    assert broken_clause(breaks) == clause


def two_clauses(breaks: str, no_mistake: str = "") -> ExerciseDefinition:
    """An exercise with the clauses 1a and 1b, and one variant."""
    files = {name: text for name, text in FILES.items() if not name.startswith("wrong/")}
    files |= {"statement.md": "1. Both: (a) shape\n   and (b) dtype.\n"}
    files |= {"wrong/odd.py": HEADER.format(breaks), "exercise.yaml": FILES["exercise.yaml"]}
    files["exercise.yaml"] += f"no_mistake: {{{no_mistake}}}\n" if no_mistake else ""
    return read_definition("odd", files)


CASES = (Case("shapes", clause="1a"), Case("dtypes", clause="1b"), Case("both", clause="1a 1b"))
OPEN = "statement.md: No known mistake breaks requirement {} alone: {}"
CURE = "Expected a variant with `Breaks: {}.`, or a reason under no_mistake in exercise.yaml."


@pytest.mark.parametrize(
    ("failed", "alone", "beside"),
    [
        (["shapes"], True, ""),
        (["both"], True, ""),
        (["shapes", "both", "general"], True, ""),
        ([], False, ""),
        (["shapes", "dtypes"], False, "odd also fails “dtypes”, which tests 1b. "),
        (["dtypes"], False, "odd also fails “dtypes”, which tests 1b. "),
    ],
)
def test_alone_means_that_cases_of_other_clauses_pass(
    failed: list[str], alone: bool, beside: str
) -> None:
    definition = two_clauses("1a. shape", "1b: for the test")
    clauses, problems = verify_clauses(definition, [*CASES, Case("general")], {"odd": failed})
    assert [bool(clause.broken_by) for clause in clauses] == [alone, False]
    said = f"{OPEN.format('1a', 'shape and')} {beside}{CURE.format('1a')}"
    assert problems == (() if alone else (said,))


def test_what_names_no_clause_is_refused() -> None:
    definition = two_clauses("1. both of them", "2c: for the test, 1a: for the test")
    cases = [Case("odd", clause="1c")]
    _, problems = verify_clauses(definition, cases, {"odd": ["odd"]})
    assert problems == (
        "wrong/odd.py: Breaks: '1. both of them': expected one clause of the statement: 1a, 1b",
        "cases.py: 'odd' has clause='1c': is not a clause of the statement, expected 1a, 1b",
        f"{OPEN.format('1b', 'dtype.')} {CURE.format('1b')}",
        "exercise.yaml: no_mistake: 2c: is not a clause of the statement, expected 1a, 1b",
    )


def test_a_reason_for_what_a_mistake_breaks_is_refused() -> None:
    definition = two_clauses("1a. shape", "1b: for the test, 1a: for the test")
    _, problems = verify_clauses(definition, CASES, {"odd": ["shapes"]})
    assert problems == ("exercise.yaml: no_mistake: 1a: odd breaks it alone; remove the reason",)


@pytest.mark.parametrize("reason", ["", "7", "[x]"])
def test_a_reason_is_text(reason: str) -> None:
    with pytest.raises(DefinitionError, match=r"no_mistake\.1a"):
        two_clauses("1a. shape", f"1a: {reason}")


@pytest.mark.parametrize("clause", ["5B", "b", "0", "5a,5b", "5a-b", 5, None])
def test_a_case_refuses_what_no_clause_is_called(clause: str) -> None:
    with pytest.raises(ValueError, match="expected clauses such as"):
        Case("odd", clause=clause)


def test_a_case_keeps_its_clauses_in_a_pack() -> None:
    cases = (Case("odd", clause="5a 5b"), Case("general"))
    kept = decode_cases(decode(encode_cases(cases, {}), Bounds()))
    assert [case.clauses for case in kept] == [("5a", "5b"), ()]


@pytest.mark.sandbox
def test_an_uncovered_clause_refuses_what_is_new_and_warns_of_the_rest(
    author: Sandbox, student: Sandbox
) -> None:
    assert EXAMPLE.is_dir()
    whole = example()
    less = replace(whole, wrong={k: v for k, v in whole.wrong.items() if k != "transposed"})
    (said,) = verify(less, author, student).problems
    assert said.startswith(OPEN.format("1", "The result has shape"))
    kept = verify(less, author, student, was_published=True)
    assert kept.problems == ()
    warnings = [item.message for item in kept.proof.warnings if item.kind == "clause"]
    assert warnings == [said]
    assert [clause.name for clause in kept.proof.clauses if clause.open] == ["1"]
    assert kept.proof.as_json()["clauses"][1]["broken_by"] == ("forgets_the_cache",)
    excused = verify(replace(less, no_mistake={"1": "for the test"}), author, student)
    assert excused.ok
