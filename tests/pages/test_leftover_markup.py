"""Markup that would show as its signs: refused with its line and its cure, and nothing else is."""

import time

import pytest

from quizzes.pages.markdown import MAX_TEXT, faults_for_form, markdown_problems

# Each as it may come out of another program, with a word of its message.
LEFT = {
    "![a cat](https://example.org/cat.png)": "an image",
    "![a cat][cat]": "an image",
    "![[cat.png]]": "an image",
    "As said[^1].": "a footnote",
    "[^1]: As they said.": "a footnote",
    "As said[^1].\n\n[^1]: https://example.org": "a footnote",
    "So^[as they say] it is.": "",
    "So ^[as they say] it is.": "a footnote",
    "- [ ] first": "a task list",
    "1. [x] first": "a task list",
    "- [X]": "a task list",
    "<b>x</b>": "HTML",
    "a<br/>b": "HTML",
    "H<sub>2</sub>O": "HTML",
    "<details open>": "HTML",
    '<span style="color: red">x': "HTML",
    '<x-figure src="a">': "HTML",
    "<!-- a note -->": "an HTML comment",
    "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}": "LaTeX outside a formula",
    "so \\frac{1}{2}": "LaTeX outside a formula",
    "so \\alpha and": "LaTeX outside a formula",
    "see \\ref{one}": "LaTeX outside a formula",
    "\\(x": "a formula without its end",
    "\\[\n\nx\n\n\\]": "a formula without",
    "x\\)": "a formula without its beginning",
    "$$ x": "a formula without its end",
    "so $$": "a formula without its end",
    "so $x_i": "a formula without its end",
    "$ x^2 $": "a formula with a space",
    "$ n $": "a formula with a space",
    "$x_1 $": "a formula with a space",
    "~~gone ~~": "strikethrough",
    "==so==": "highlighting",
    "++so++": "underlining",
    "H~2~O": "a subscript or superscript",
    "x^2^": "a subscript or superscript",
    "Word\n: its meaning": "a definition list",
    "[[Another page]]": "a wiki link",
    "[words] (https://example.org)": "a link that is not recognised",
    "[words](/learn/a b/)": "a link that is not recognised",
    "[words][one]": "a link without an address",
    "##Title": "a heading without a space",
    "#Title": "a heading without a space",
    "## Title {#one}": "an attribute",
    "| a | b |\n| 1 | 2 |": "a table without",
    "|a|b|\n|1|2|": "a table without",
    "| a | b |\n|---|\n| 1 | 2 |": "a table whose second line",
    "| a | b |\n|---|---|---|\n| 1 | 2 | 3 |": "a table whose second line",
    "**bold **": "bold text",
    "so ** bold ** so": "bold text",
    "**bold": "bold text",
    "这是**“重点”**内容": "bold text",
    "__bold __": "bold text",
    "so *it *.": "emphasis",
    "a `name": "code without its end",
    "``so'' they say": "code without its end",
    "```python\nx = 1": "code without its end",
    "&nbps;": "an unknown entity",
    "> [!NOTE]\n> So.": "a callout",
    "!!! note\n    So.": "a callout",
    "So :smile: it": "an emoji's name",
    "{% raw %}": "a template's tag",
    "So【4†source】.": "a chatbot's source mark",
    "So [cite: 1, 2].": "a chatbot's source mark",
    "So.citeturn0search0turn1news2": "a chatbot's source mark",
    "So [oai_citation:1‡example.org](https://example.org).": "a chatbot's source mark",
    "about 10^{-4} of it": "LaTeX outside a formula",
    "so x_{i+1} is": "LaTeX outside a formula",
    "so f(x)^{2} is": "LaTeX outside a formula",
    "*[HTML]: a language": "an abbreviation",
}
# What a reader should see as it is, or what the page understands.
FINE = (
    "a < b and c > d, List<int>, <pad> and <mask>",
    "`<b>`, `![a](b)`, `- [ ]`, `**bold **`, `\\alpha`, `$$`",
    "```html\n<b>x</b>\n\\begin{align}\n```",
    "- ```\n  x\n  ```",
    "    <b>\n    ==x==",
    "$a \\le b$ and $$\\begin{align}a &= b\\end{align}$$",
    "\\*stars\\*, \\<b>, \\`tick\\`, \\$x_1 \\$, [\\^1] and \\![a](/learn/)",
    "2**3, d ** 2 and x ** (n - 1), f(x)**2",
    "costs $5 and $6, or $ 7 (US$)",
    "$5/month = $60/year, $1M = $1,000,000, and $5_000 to $10_000",
    "$HOME and $CUDA_HOME, ${HOME}, ${HOME_DIR}/x and $PWD",
    "x^2 + y^2, ~5 ms and ~6 ms, a == b, i++ and ++i",
    "a[i][j], [i][j], [[1, 2], [3, 4]], [[a]] and [0, 1)",
    "f(*args, **kwargs) with *args and **kwargs",
    "| model | score |\n|---|---|\n| one | 0.31** |",
    "C:\\Users\\n and C:\\temp\\beta\\x.py",
    "#1 of 2, # of rows and C#",
    "AT&T; &amp; &nbsp;&lt;",
    "**bold**, *it*, ~~gone~~, __init__ and module.__init__",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "|x| is the size of x",
    "at 12:30:45, a:b:c",
    '<https://example.org> and [words](https://example.org "A title")',
    "1. one\n\n   - two\n\n> three\n\n---\n\nTitle\n=====",
    "{{ value 2 + 3 }}",
    "***\n\n* * *",
    "“[so]” (as they say)",
)


@pytest.mark.parametrize(("text", "name"), LEFT.items(), ids=[f"{one!r}" for one in LEFT])
@pytest.mark.parametrize("above", ["", "One.\n\nTwo `a\nb` and $c\nd$.\n\n"])
def test_leftover_markup_is_refused_with_its_line(text: str, name: str, above: str) -> None:
    problems = markdown_problems(above + text, path="a.md")
    assert bool(problems) == bool(name)
    if name:
        first = problems[0]
        assert name in first.message
        assert "; " in first.message, "a cure"
        sign = first.message.lstrip("“")[:2].rstrip("”…")
        place = next(place for place, line in enumerate(text.split("\n")) if sign in line)
        assert first.line == above.count("\n") + 1 + place
        assert all(one.since_published for one in problems)


@pytest.mark.parametrize("text", FINE)
def test_what_shows_as_it_should_is_left_alone(text: str) -> None:
    assert markdown_problems(text, path="a.md") == []


def test_each_message_names_one_thing_once() -> None:
    messages = [one.message for one in markdown_problems("<b>x</b> and <b>y</b>", path="a.md")]
    assert messages == ["“<b>”: HTML shows as typed; write **words**"]


@pytest.mark.parametrize("text", ["# Title", "- an item", "```python", "> as said"])
def test_a_text_of_one_line_has_no_blocks(text: str) -> None:
    assert markdown_problems(text, path="a.md", in_one_line=True)
    assert markdown_problems(text + "\n\n```\n```", path="a.md") == [] or "```" in text


@pytest.mark.parametrize("text", ["- 3", "3. so", "> 5", "a\\*b", "`x` and $y$", "*so*", "#1"])
def test_a_text_of_one_line_may_be_a_number(text: str) -> None:
    assert markdown_problems(text, path="a.md", in_one_line=True) == []


def test_fences_of_questions_are_code() -> None:
    (problem,) = markdown_problems("So:\n\n```figure\nid: a\n```", path="a.md")
    assert (problem.line, problem.since_published) == (3, True)
    assert "'figure' is not a language" in problem.message


def test_a_form_reads_the_line() -> None:
    assert faults_for_form("One\n\nTwo <br> three") == [
        "Line 3: “<br>”: HTML shows as typed; begin a new paragraph"
    ]


@pytest.mark.soak  # a selection is among the poisons of the gate
@pytest.mark.parametrize("text", [*LEFT, *"![<{~*_`:#|=+$&【", "<b ", "<b =", "** a ", "[^", "|\n"])
def test_a_text_of_one_sign_alone_is_cheap(text: str) -> None:
    began = time.process_time()
    markdown_problems(text * (MAX_TEXT // len(text)), path="a.md")
    assert time.process_time() - began < 20
