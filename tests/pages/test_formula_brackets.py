r"""`\( x \)` and `\[ x \]`: formulas wherever dollar signs make one, and nowhere else."""

import time

import pytest

from quizzes.pages.markdown import MAX_TEXT, markdown_problems, render_inline, render_markdown

AROUND = (
    "{}",
    "So ({}), then {}: and “{}”.",
    "- {} and\n- **{}**",
    "> {}\n> so",
    "| a | b |\n|---|---|\n| {} | c {} |",
    "## Of {}",
    "[to {}](/learn/)",
    "# {}\n\ntext\n{}\ntext",
)


def shown(text: str) -> str:
    return render_markdown(text)


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("latex", ["x", "x_i^2 * y_j * z", r"\frac{a}{b}", r"a \\ b", "a < b"])
def test_brackets_make_what_dollar_signs_make(around: str, latex: str) -> None:
    dollars, brackets = f"${latex}$", rf"\({latex}\)"
    count = around.count("{}")
    assert shown(around.format(*[brackets] * count)) == shown(around.format(*[dollars] * count))
    assert "<math" in shown(around.format(*[brackets] * count))
    assert shown(rf"\( {latex} \)") == shown(brackets)
    assert markdown_problems(around.format(*[brackets] * count), path="a.md") == []


@pytest.mark.parametrize(
    "around", ["{}", "Words.\n\n{}\n\nWords.", "- item\n\n  {}\n\n- item", "> {}\n>\n> words"]
)
@pytest.mark.parametrize("lines", ["x", "a\n= b", "a\n+ b \\\\\n- c", "{a\n> b}"])
def test_brackets_on_lines_of_their_own_make_one_block(around: str, lines: str) -> None:
    indent = {"-": "  ", ">": "> "}.get(around[0], "")
    inner = f"\\[\n{lines}\n\\]".replace("\n", f"\n{indent}")
    dollars = f"$$\n{lines}\n$$".replace("\n", f"\n{indent}")
    html = shown(around.format(inner))
    assert html == shown(around.format(dollars))
    assert html.count('<div class="formula">') == 1
    assert markdown_problems(around.format(inner), path="a.md") == []


def test_a_block_of_brackets_ends_the_paragraph_above() -> None:
    html = shown("so\n\\[\na\n+ b\n\\]\nwhere")
    assert html.startswith("<p>so</p>\n<div")
    assert html.endswith("<p>where</p>\n")


def test_words_beside_square_brackets_stay() -> None:
    html = shown(r"\[ x \] (see below), and \[ y \].")
    assert html.count("<math display") == 2
    assert "(see below), and" in html


@pytest.mark.parametrize(
    "text",
    [
        r"`\(x\)` and ``\[x\]``",
        "```\n\\(x\\)\n\\[\nx\n\\]\n```",
        "    \\[ x \\]",
        r"\\(x\\) and \\[x\\]",
        r"\\[4pt]",
        r"$a \text{\(b\)}$",
        r"[\(](/learn/)",
    ],
)
def test_code_and_escaped_backslashes_make_no_formula(text: str) -> None:
    assert "<math" not in shown(text)


def test_a_line_break_of_latex_does_not_end_a_formula() -> None:
    html = shown(r"\[ a \\] b \] c")
    assert html.count("<math") == 1
    assert "c</p>" in html


def test_one_line_has_brackets_too() -> None:
    assert render_inline(r"\(x\)") == render_inline("$x$")


def test_a_value_may_stand_within_brackets() -> None:
    assert shown(r"\( {{ value 2 + 3 }} \)") == shown("$ {{ value 2 + 3 }}$".replace("$ ", "$"))


def test_a_formula_over_lines_moves_the_lines_below() -> None:
    (problem,) = markdown_problems("\\(a\nb\\) so\n`c\nd` so\n$\\foo$", path="a.md")
    assert problem.line == 5


@pytest.mark.soak  # a selection is among the poisons of the gate
@pytest.mark.parametrize(
    "text", ["\\(", "\\[", "\\( ", "\\[\n", "\\(\\\\)", "\\[x\\\\]\n", "\\(x\\)", "[\\(", "**\\("]
)
def test_a_text_of_brackets_alone_is_cheap(text: str) -> None:
    began = time.process_time()
    whole = text * (MAX_TEXT // len(text))
    markdown_problems(whole, path="a.md")
    assert time.process_time() - began < 20
