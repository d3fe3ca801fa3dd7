"""Markdown: what is shown, what is cleaned away, and the golden formulas."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.utils.html import strip_tags
from django.utils.safestring import SafeString

from quizzes.pages.markdown import highlight_code, markdown_problems, render_markdown
from quizzes.pages.mathematics import FormulaError, mathml


class Tags(HTMLParser):
    """What a browser would see: elements and attributes, not text that looks like them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.extend(attrs)


GOLDEN = json.loads((Path(__file__).parent / "golden_formulas.json").read_text())


@pytest.mark.parametrize("latex", sorted(GOLDEN))
def test_golden_formula(latex: str) -> None:
    """An upgrade of the converter must not silently change how formulas look."""
    assert mathml(latex, display=True) == GOLDEN[latex]


def test_formulas_carry_no_inline_style() -> None:
    assert len(GOLDEN) >= 25
    for found in GOLDEN.values():
        assert " style=" not in found
        assert set(re.findall(r' class="([^"]*)"', found)) <= {
            "m-end m-no-right",
            "m-start m-no-left",
            "m-start m-no-right",
            "m-start m-no-right m-gap-left",
            "m-end",
            "m-start",
            "m-thin-back",
            "m-line-right",
            "m-line-top",
            "m-line-top m-line-right",
            "m-root",
        }


@pytest.mark.parametrize(
    ("latex", "message"),
    [
        (r"\foo", "Unknown command"),
        (r"\frac{1}", "Expected argument"),
        (r"\color{red}x", "no class"),
        (r"\boxed{x}", "not all browsers"),
        (r"\def\a{\a\a}\a", "Too many expansions"),
        (r"\href{javascript:alert(1)}{x}", "Unknown command"),
        ("x" * 3000, "at most 2000"),
    ],
)
def test_formula_that_cannot_be_shown(latex: str, message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        mathml(latex, display=False)


def test_words_in_a_formula_are_escaped() -> None:
    html = mathml(r"a<b \operatorname{<b onclick=1>}", display=False)
    assert isinstance(html, SafeString)
    assert "<b" not in html
    assert "&lt;bonclick=1&gt;" in html


def test_macros_do_not_leak_into_the_next_formula() -> None:
    mathml(r"\newcommand{\leak}{x}\leak", display=False)
    with pytest.raises(FormulaError):
        mathml(r"\leak", display=False)


def test_faulty_formula_shows_its_source_and_names_its_line() -> None:
    text = "fine\n\n- a\n  b $\\foo<b>$\n"
    assert "<code>" not in render_markdown(text)
    assert '<code class="formula-source">\\foo&lt;b&gt;</code>' in render_markdown(text)
    (problem,) = markdown_problems(text, path="q.yaml", first_line=10)
    assert (problem.path, problem.line) == ("q.yaml", 13)


@pytest.mark.parametrize("link", ["[a](b.png)", "[a](../b/)", "[a]()", "[a]\n\n[a]: b/"])
def test_a_link_to_a_file_beside_the_text_is_a_problem(link):
    (problem,) = markdown_problems(f"One.\n\nTwo\n{link}\n", path="s.md")
    assert (problem.path, problem.line) == ("s.md", 4)
    assert "must begin with / or https://" in problem.message


@pytest.mark.parametrize(
    "link",
    ["/learn/", "#top", "?codes.base=9", "HTTPS://a.org", "http://a.org", "mailto:a@a.org"],
)
def test_a_link_to_a_page_is_none(link):
    assert markdown_problems(f"[a]({link}) `b[0](c)`", path="s.md") == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>1</script>)",
        "![x](http://example.org/track.png)",
        "<p style='color:red'>x</p>",
        '```x"onmouseover="alert(1)\ncode\n```',
        "```html\n<script>alert(1)</script>\n```",
        "$\\text{<script>alert(1)</script>}$",
        '[x](/a "t\\" onclick=alert(1)")',
    ],
)
def test_nothing_an_author_writes_becomes_active(text: str) -> None:
    seen = Tags()
    seen.feed(render_markdown(text))
    assert not {"script", "img", "iframe"} & set(seen.tags)
    assert not [name for name, _ in seen.attributes if name.startswith("on") or name == "style"]
    targets = [value for name, value in seen.attributes if name == "href"]
    assert not [target for target in targets if re.match(r"(javascript|data):", target or "")]


def test_placeholders_cannot_be_forged() -> None:
    html = render_markdown("\ue0000\ue001 $x$ `\ue0000\ue001`")
    assert html.count("<math>") == 1


def test_money_is_not_mathematics() -> None:
    assert "<math" not in render_markdown("It costs $5 and then $6.")


def test_a_formula_may_begin_a_text_that_ends_in_a_digit() -> None:
    assert render_markdown("$i = 3$ for column 6 and $i = 4$ for column 7").count("<math>") == 2


def test_punctuation_stays_with_its_formula() -> None:
    html = render_markdown("It is ($x$), not $y$ or $z$.")
    assert '<span class="formula-inline">(<math><mi>x</mi></math>),</span>' in html
    assert '<span class="formula-inline"><math><mi>z</mi></math>.</span>' in html
    assert " <math><mi>y</mi></math> or" in html


def test_quotation_marks_are_curled_but_not_in_code() -> None:
    html = render_markdown("""He said "it's" and `"it's"`.""")
    assert "“it’s”" in html
    assert '>"it\'s"</code>' in html


def test_only_short_code_is_kept_in_one_line() -> None:
    html = render_markdown("`(n, 1)` and `np.arange(0, d, 2) / d * 1 < 2`")
    assert '<code class="code--short">(n, 1)</code>' in html
    assert "<code>np.arange(0, d, 2) / d * 1 &lt; 2</code>" in html


def test_headings_start_where_the_page_says() -> None:
    assert render_markdown("# a", headings_from=3) == "<h3>a</h3>\n"
    assert render_markdown("###### a", headings_from=3) == "<h6>a</h6>\n"


def test_tables_scroll_and_align() -> None:
    html = render_markdown("| a | b |\n|---|--:|\n| 1 | $x$ |\n")
    assert '<div class="table-scroll" tabindex="0"><table>' in html
    assert '<td class="align-right"><math>' in html


def test_code_is_coloured_by_classes_and_can_be_scrolled_by_keyboard() -> None:
    html = highlight_code("print('<b>')", "python")
    assert html.startswith('<pre class="code" tabindex="0"><code class="language-python">')
    assert "hl-nb" in html
    assert "<b>" not in html
    assert " style=" not in html


@pytest.mark.parametrize("language", ["python", "no-such", '"><b>'])
def test_code_is_escaped_whatever_its_language_is_called(language: str) -> None:
    html = highlight_code("</code><b>&", language)
    assert isinstance(html, SafeString)
    assert "<b>" not in html
    assert html.count("</code>") == 1
    assert unescape(re.sub("<[^>]+>", "", html)).strip() == "</code><b>&"  # escaped once


@pytest.mark.slow
@pytest.mark.parametrize("text", [">" * 5000 + " a", "*a **a " * 5000, "[" * 5000, "`" * 9999])
def test_text_made_to_be_slow_is_still_rendered(text: str) -> None:
    assert render_markdown(text)


@pytest.mark.parametrize("language", ["python", "no-such-language"])
def test_numbered_lines_hold_the_same_text(language):
    code = 'x = """a <b>\n\nc"""\nprint(x)'
    shown = highlight_code(code, language, numbered=True)
    lines = re.findall(r'<span class="code__line">(.*?\n)</span>', shown, re.DOTALL)
    assert unescape(strip_tags("".join(lines))) == code + "\n"
    assert len(lines) == 4
