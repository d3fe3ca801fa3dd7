"""Clauses as elements of a statement's page, and as a verdict quotes them."""

import re
from html import unescape
from xml.etree.ElementTree import Element, fromstring

import pytest

from quizzes.exercises.statement_clauses import quoted_clause, rendered_statement
from quizzes.grader.definitions.clauses import read_requirements
from tests.shipped_exercises.folders import SLUGS, definition_of

STATEMENT = """\
Write it.

1. Not a requirement.

## Requirements

1. The shape is `(n, d)`.
2. Pairs have (a) one angle, which is

   $$x / 2$$

   in radians, and (b) *never* two. Nothing else.
"""


@pytest.mark.parametrize("slug", SLUGS)
def test_each_clause_has_one_place(slug: str) -> None:
    """The page and the verification read the same clauses, each with a parser of its own."""
    statement = definition_of(slug).statement
    places = re.findall(r'id="clause-(\w+)"', rendered_statement(statement))
    assert places == [clause.name for clause in read_requirements(statement).clauses]


@pytest.mark.parametrize("slug", SLUGS)
def test_quotation_marks_what_the_task_lights(slug: str) -> None:
    """The page lights a clause only where the quotation has the same text."""
    statement = definition_of(slug).statement
    page = parse(rendered_statement(statement))
    for clause in read_requirements(statement).clauses:
        quote = parse(quoted_clause(statement, clause.name))
        marks = [
            each for each in quote.iter() if each.tag == "mark" or "data-marked" in each.attrib
        ]
        pieces = page.findall(f".//*[@data-clause='{clause.name}']")
        assert text_of(marks or [quote]) == text_of(pieces), clause.name


def parse(html: str | None) -> Element:
    """Return HTML as XML, which knows no `&nbsp;`."""
    names = re.compile(r"&(?!amp;|lt;|gt;|quot;)\w+;")
    return fromstring(f"<main>{names.sub(lambda name: unescape(name[0]), html or '')}</main>")


def text_of(elements: list[Element]) -> str:
    """Return what `textOf` of task.js compares."""
    return "".join(re.sub(r"\s", "", "".join(element.itertext())) for element in elements)


def test_clause_goes_on_behind_its_formula() -> None:
    html = rendered_statement(STATEMENT)
    assert '<span id="clause-2a" data-clause="2a">(a) one angle, which is</span>' in html
    assert re.search(r'<div data-clause="2a"><div class="formula">\s*<math', html)
    assert '<span data-clause="2a">in radians</span>, and' in html
    said = '<span id="clause-2b" data-clause="2b">(b) <em>never</em> two. Nothing else.</span>'
    assert said in html
    assert html.count("data-clause") == 5


def test_quotation_marks_its_clause_alone() -> None:
    html = str(quoted_clause(STATEMENT, "2b"))
    assert html.startswith('<ol start="2">')
    assert "Pairs have (a) one angle" in html
    assert re.findall("<mark>.*?</mark>", html) == [
        "<mark>(b) <em>never</em> two. Nothing else.</mark>"
    ]
    assert "id=" not in html


def test_requirement_without_letters_is_quoted_unmarked() -> None:
    html = str(quoted_clause(STATEMENT, "1"))
    assert "The shape is <code" in html
    assert "<mark>" not in html


@pytest.mark.parametrize("name", ["2", "2c", "3", ""])
def test_no_other_clause_is_quoted(name: str) -> None:
    assert quoted_clause(STATEMENT, name) is None
