"""`:::screen` divides a page, and `[words]{set ...}` aims words at a figure; faults have lines."""

import pytest
from django.test import RequestFactory

from quizzes.pages.blocks import PageContext, page_problems, parse_page, render_page
from quizzes.pages.markdown import markdown_problems, render_markdown

FIGURE = """
```figure
id: {id}
encoding: sinusoidal
view: {view}
set: {{d_model: 8}}
sliders: [d_model, base]
```
"""
CODES = FIGURE.format(id="codes", view="heatmap")
PRODUCTS = FIGURE.format(id="products", view="dot-products")


def _problems(text: str) -> list[str]:
    return [str(one) for one in page_problems(parse_page(text, path="s.md"))]


def _html(text: str) -> str:
    context = PageContext(RequestFactory().get("/"), None, None, "values", "first")
    return render_page(parse_page(text, path="s.md"), context)


def test_a_line_divides_a_page() -> None:
    table = "| five |\n|---|\n| six |"
    text = f"One two.\n:::screen The *mask*\nThree $x$ `four`.\n\n{table}\n:::screen\nSeven"
    page = parse_page(text, path="s.md")
    assert page.problems == ()
    assert [(one.line, one.running_words) for one in page.screens] == [(1, 2), (2, 4), (8, 1)]
    html = _html(text)
    assert '<div class="screen" id="2" tabindex="-1" role="group" aria-label="Part 2 of 3">' in html
    assert "<h2>The <em>mask</em></h2>" in html
    assert ":::" not in html


def test_a_page_that_is_not_divided_is_as_it_was() -> None:
    page = parse_page("One.\n\nTwo.", path="s.md")
    assert len(page.screens) == 1
    assert not page.is_divided
    assert "screen" not in _html("One.\n\nTwo.")


def test_a_first_screen_may_have_a_title_of_its_own() -> None:
    page = parse_page(":::screen First\nWords.\n:::screen\nMore.", path="s.md")
    assert page.problems == ()
    assert len(page.screens) == 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("One.\n:::screen\n\n:::screen\nTwo.", "s.md:2: this screen is empty"),
        ("One.\n\n:::screen", "s.md:3: this screen is empty"),
        ("One.\n:::scren\nTwo.", "s.md:2: :::scren: expected :::screen"),
        ("One. :::screen\nTwo.", "s.md:1: :::screen must begin a line of its own"),
        ("- One\n\n  :::screen\n- Two", "s.md:3: a screen must not begin inside a list"),
    ],
)
def test_a_line_that_divides_nothing_is_a_fault(text: str, problem: str) -> None:
    assert any(one.startswith(problem) for one in _problems(text)), _problems(text)


def test_code_may_show_such_a_line() -> None:
    assert _problems("```text\n:::screen\n[a]{set b=1}\n```\nAnd `[a]{set b=1}`.") == []
    assert not parse_page("```text\n:::screen\n```\n", path="s.md").is_divided


def test_words_are_aimed_at_the_figure_of_their_screen() -> None:
    text = f"[**small** `d`]{{set d_model=8}}\n{CODES}\n:::screen\n[b]{{set\nbase=50}}\n{PRODUCTS}"
    assert _problems(text) == []
    html = _html(text)
    chip = '<span class="chip" data-chip="set" data-drives="codes" data-values="d_model=8">'
    assert f'{chip}<strong>small</strong> <code class="code--short">d</code></span>' in html
    assert 'data-drives="products" data-values="base=50">b</span>' in html


def test_words_name_the_figure_where_there_are_several() -> None:
    text = f"[a]{{set products.base=50}} [c]{{show codes.row=1 codes.column=7}}\n{CODES}{PRODUCTS}"
    assert _problems(text) == []
    assert 'data-drives="codes" data-values="row=1 column=7">c</span>' in _html(text)


@pytest.mark.parametrize(
    ("chip", "figures", "problem"),
    [
        ("set base=50", "", "{set ...}: this step has no figure"),
        ("set base=50", CODES + PRODUCTS, "must name one of the figures codes, products"),
        ("set waves.base=50", CODES, "{set waves.base=...}: this step has no such figure"),
        ("put base=50", CODES, "{put base=50}: must begin with set or show"),
        ("", CODES, "{}: must begin with set or show"),
        ("set base", CODES, "{set base}: must have name=value"),
        ("set base=50 base=60", CODES, "names the same thing twice"),
        ("set codes.base=50 products.base=50", CODES + PRODUCTS, "must refer to only one figure"),
        ("set positions=9", CODES, "set positions=9: the figure codes has no such slider; it has"),
        ("set d_model=5000", CODES, "set d_model=5000: must be between 2 and 1024"),
        ("set base=hot", CODES, "set base=hot: must be a number"),
        ("show column=8", CODES, "show column=8: must be a whole number between 0 and 7"),
        ("show row=-1", CODES, "show row=-1: must be a whole number between 0 and"),
        ("show pair=1", CODES, "show pair=1: must be one of row, column"),
        ("show row=1", PRODUCTS, "show: only a heatmap has rows and columns"),
    ],
)
def test_what_a_figure_does_not_take_is_a_fault(chip: str, figures: str, problem: str) -> None:
    (found,) = _problems(f"Words.\n\nMore\n[words]{{{chip}}}.\n{figures}")
    assert found.startswith("s.md:4: ")
    assert problem in found


def test_a_figure_that_cannot_be_read_is_the_only_fault() -> None:
    (found,) = _problems("[a]{set d_model=9}\n" + CODES.replace("set: {", "set: {base: x, "))
    assert "base" in found


def test_only_a_step_has_screens_and_chips() -> None:
    text = "One [two]{set a=1}.\n:::screen\nThree."
    assert render_markdown(text) == "<p>One <span>two</span>.</p>\n<p>Three.</p>\n"
    found = [str(one) for one in markdown_problems(text, path="q.yaml")]
    assert sorted(found) == [
        "q.yaml:1: {set ...} drives a figure: only the text of a step can",
        "q.yaml:2: :::screen divides only the text of a step",
    ]
