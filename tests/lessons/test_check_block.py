"""The check block: a claim that its number bears out, and what is said when it does not."""

import pytest
from django.test import RequestFactory

from quizzes.pages.blocks import PageContext, page_problems, parse_page, render_page


def page(body: str):
    return parse_page(f"Before.\n\n```check\n{body}\n```\n", path="a.md")


TRUE = "claim: A turn of the first pair takes $2\\pi$.\nvalue: wavelength(d_model=8, pair=0) :.2f\n"


def shown(body: str) -> str:
    request = RequestFactory().get("/")
    return render_page(page(body), PageContext(request, None, None, "a", "b"))


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        ("is: '6.28'", "Computed for this page: 6.28."),
        ("is: 6.28", "Computed for this page: 6.28."),
        ("below: 7", "Computed for this page: 6.28, below 7."),
        ("above: 0.25", "Computed for this page: 6.28, above 0.25."),
        ("above: 1e-10", "Computed for this page: 6.28, above 1\u00a0×\u00a010⁻¹⁰."),
    ],
)
def test_a_claim_that_holds_is_shown_with_its_number(bound, said):
    assert page_problems(page(TRUE + bound)) == []
    html = shown(TRUE + bound)
    assert "A turn of the first pair takes " in html
    assert "<mn>2</mn><mi>π</mi>" in html
    assert said in html


@pytest.mark.parametrize(
    ("value", "bound", "said"),
    [
        ("2 * 3", "is: 6", "Computed for this page: 6."),
        ("7 / 8 :.3f", "is: 0.875", "Computed for this page: 0.875."),
        ("(4 + 5) * 2", "above: 17", "Computed for this page: 18, above 17."),
        ("sqrt(wavelength(d_model=8, pair=0)) :.2f", "below: 3", "2.51, below 3."),
        ("12 * 2048 ** 2 / 1e6 :.1f", "below: 100", "50.3, below 100."),
    ],
)
def test_a_claim_may_rest_on_arithmetic(value, bound, said):
    body = f"claim: So.\nvalue: {value}\n{bound}"
    assert page_problems(page(body)) == []
    assert said in shown(body)


@pytest.mark.parametrize(
    ("body", "line", "complaint"),
    [
        ("claim: So.\nvalue: 2 * 3\nis: 7", 6, "is: 7: the value is 6"),
        ("claim: So.\nvalue: 2 / (3 - 3) :.2f\nis: 1", 5, "value: 2 / (3 - 3): divides by zero"),
        ("claim: So.\nvalue: 9 ** 9 ** 9\nabove: 1", 5, "value: 9 ** 9 ** 9: is too large"),
        (TRUE + "is: '6.29'", 6, "is: 6.29: the value is 6.28"),
        (TRUE + "below: 6", 6, "below: 6: the value is 6.28319"),
        (TRUE + "above: 6.3", 6, "above: 6.3: the value is 6.28319"),
        (TRUE + "above: high", 6, "both sides must be numbers"),
        (TRUE, 3, "needs exactly one of is, below, above"),
        (TRUE + "below: 7\nabove: 6", 3, "needs exactly one of is, below, above"),
        ("claim: $\\nothing$\nvalue: frequency(d_model=8, pair=0)\nis: 1", 4, "nothing"),
        ("claim: So.\nvalue: frequency(d_model=7)\nis: 1", 5, "pair: missing"),
        ("value: frequency(d_model=8, pair=0)\nis: 1", 4, "claim: missing"),
        (TRUE + "is: '6.28'\nsize: 3", 7, "size: unknown field"),
    ],
)
def test_a_claim_that_does_not_hold_is_a_fault_with_its_line(body, line, complaint):
    problems = page_problems(page(body))
    assert any(problem.line == line and complaint in problem.message for problem in problems), (
        problems
    )
