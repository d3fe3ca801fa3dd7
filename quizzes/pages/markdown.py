"""Markdown to safe HTML: prose, tables, `$formulas$` as MathML and highlighted code.

Raw HTML in the source is shown as text. nh3 cleans the HTML once more. MathML, which nh3 would
destroy, is left out meanwhile, behind placeholders that no author can write.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

import nh3
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.yaml_nodes import Node
from quizzes.pages.chips import chips_in, use_chips
from quizzes.pages.formula_brackets import use_formula_brackets
from quizzes.pages.leftover_markup import LOOKS, leftovers_of, line_breaks_of, use_leftover_markup
from quizzes.pages.mathematics import FormulaError, mathml
from quizzes.pages.screens import SCREEN, use_screens
from quizzes.pages.values import VALUE, ValueTextError, value_text

_OPEN, _CLOSE = "\ue000", "\ue001"  # private-use characters: removed from every source first
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_PLACE = re.compile(f"(\\(?){_OPEN}([0-9]+){_CLOSE}([,.;:!?)’”]*)")
_LINK = re.compile("[/?#]|https?://|mailto:", re.IGNORECASE)  # to pages, not to files beside a text
_PLAIN = {"text", "softbreak", "em_open", "em_close"}  # two stars may be two products
_LINK_TOKENS = {"link_open", "link_close"}
FORMULAS = {"math_inline": False, "math_inline_double": True, "math_block": True}

MAX_TEXT = 64_000  # characters; the longest step has 4 400
LISTED_TEXT = 400  # characters of a paragraph in a list
KEPT_TEXT = 1000  # characters; a shorter text is rendered once
MAX_DEPTH = 19  # nesting at which the parser begins to leave out content
SHORT_CODE = 20  # characters that fit on a line of any screen: such code is not broken
_TABLE = '<div class="table-scroll" tabindex="0"><table>'

_TAG_WORDS = (
    "a abbr b blockquote br code dd del div dl dt em h2 h3 h4 h5 h6 hr i kbd li mark ol p pre s"
    " span strong sub sup table tbody td th thead tr ul"
)
_ATTRIBUTES = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "code": {"class"},
    "div": {"class", "data-clause", "data-marked", "tabindex"},
    "h2": {"id"},
    "h3": {"id"},
    "h4": {"id"},
    "ol": {"start"},
    "pre": {"class", "tabindex"},
    "span": {"class", "data-chip", "data-clause", "data-drives", "data-values", "id"},
    "td": {"class"},
    "th": {"class", "scope"},
}


def render_markdown(text: str, *, headings_from: int = 2) -> SafeString:
    """Return Markdown as safe HTML; a first-level heading becomes `<h{headings_from}>`.

    A formula that cannot be shown appears as its source; `markdown_problems` finds it beforehand.
    """
    kept = _kept_text if len(text) <= KEPT_TEXT else _text
    return kept(text, headings_from)


def render_inline(text: str) -> SafeString:
    """Return one line of Markdown as safe HTML without a paragraph, for labels and headings."""
    return _kept_line(text) if len(text) <= KEPT_TEXT else _line(text)


def first_paragraph(text: str) -> SafeString:
    """Return the first paragraph of a Markdown text as safe HTML without links, for lists.

    Of one that is longer than a list can hold the beginning is returned.
    """
    line = without_private(text[:MAX_TEXT]).strip().partition("\n\n")[0]
    if len(line) > LISTED_TEXT:
        line = line[:LISTED_TEXT].rpartition(" ")[0] + " …"
    return _listed(line)


@lru_cache(maxsize=2048)
def _listed(line: str) -> SafeString:
    tokens = parser().parseInline(line)
    for token in tokens:
        token.children = [one for one in token.children or () if one.type not in _LINK_TOKENS]
    return render_tokens(tokens, headings_from=2)


def _text(text: str, headings_from: int) -> SafeString:
    clean = without_private(text[:MAX_TEXT])  # a draft in the browser can be longer
    return render_tokens(parser().parse(clean), headings_from=headings_from)


def _line(text: str) -> SafeString:
    clean = without_private(text[:MAX_TEXT])
    return render_tokens(parser().parseInline(clean), headings_from=2)


# Options, reasons, labels and summaries are the same for everybody.
_kept_text, _kept_line = lru_cache(maxsize=2048)(_text), lru_cache(maxsize=2048)(_line)


def markdown_problems(
    text: str, *, path: str, first_line: int = 1, in_one_line: bool = False
) -> list[ContentProblem]:
    """Return the faults of an author's Markdown: parts that cannot be shown as they were meant.

    `in_one_line`: of a text that pages show by `render_inline`, such as an option.
    """
    if len(text) > MAX_TEXT:
        return [too_long(text, path=path, first_line=first_line)]
    tokens = checked_tokens(text, in_one_line=in_one_line)
    return [
        *text_problems(tokens, path=path, first_line=first_line),
        *_only_in_steps(tokens, path=path, first_line=first_line),
    ]


def plain_text_problems(*nodes: Node, has_code: bool = False) -> Iterator[ContentProblem]:
    """Yield a fault for each title or summary with Markdown, which pages show as it is typed.

    `has_code`: they set the words in backticks as code, as in hints.
    """
    plain = _PLAIN | ({"code_inline"} if has_code else set())
    for node in nodes:
        text = node.value if isinstance(node.value, str) else ""
        tokens = checked_tokens(text[:MAX_TEXT], in_one_line=True)
        parts = [part for token in tokens for part in token.children or ()]
        noted = [words for token in tokens for _, words in leftovers_of(token)]
        sign = next((part for part in parts if part.type not in plain), None)
        if sign is not None:
            quoted = sign.markup or sign.content
            noted.append(f"“{quoted}”: Markdown shows as typed here; write plain words")
        for words in noted:
            yield ContentProblem(node.path, node.line, words, since_published=True)


def faults_for_form(text: str) -> list[str]:
    """Return the faults of an author's Markdown as a form says them: "Line 3: ..."."""
    problems = markdown_problems(text, path="")
    return [f"Line {problem.line}: {problem.message}" for problem in problems]


def checked_tokens(text: str, *, in_one_line: bool = False) -> list[Token]:
    """Return an author's Markdown parsed, with what `text_problems` has to say of it."""
    parse = parser().parseInline if in_one_line else parser().parse
    return parse(without_private(text), {LOOKS: True})


def _only_in_steps(
    tokens: Sequence[Token], *, path: str, first_line: int
) -> Iterator[ContentProblem]:
    """Yield a fault for each screen and chip of a text that is no step."""
    for token in tokens:
        line = first_line + (token.map[0] if token.map else 0)
        if token.type == SCREEN:
            words = token.content or ":::screen divides only the text of a step"
            yield ContentProblem(path, line, words)
        elif token.type == "fence" and token.info and not is_language(token.info.split()[0]):
            name = token.info.split()[0]
            words = f"{name!r} is not a language, and only steps can have blocks"
            yield ContentProblem(path, line, words, since_published=True)
    for _, chip in chips_in(tokens, first_line):
        words = f"{{{chip.verb} ...}} drives a figure: only the text of a step can"
        yield ContentProblem(path, chip.line, words)


def too_long(text: str, *, path: str, first_line: int) -> ContentProblem:
    """Return the fault of a text that is not parsed at all: some texts would take minutes."""
    words = f"{len(text)} characters of Markdown, at most {MAX_TEXT} are allowed"
    return ContentProblem(path, first_line, words)


def without_private(text: str) -> str:
    """Return a text in which no character can pass for one of our placeholders."""
    return _PRIVATE.sub("\ufffd", text)


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """Return the one Markdown parser of the site."""
    markdown = MarkdownIt("commonmark", {"html": False, "typographer": True})
    markdown.enable(["table", "strikethrough", "smartquotes"])
    markdown.disable(["image", "html_block", "html_inline"])
    # allow_digits=False would look at the end of a text to judge a $ at its beginning.
    markdown.use(dollarmath_plugin, allow_labels=False, allow_space=False, double_inline=True)
    use_formula_brackets(markdown)
    use_leftover_markup(markdown)
    markdown.inline.ruler.before("escape", "value", read_value)
    markdown.core.ruler.push("values", put_values)
    use_chips(markdown)
    use_screens(markdown)
    for kind in FORMULAS:
        markdown.add_render_rule(kind, _formula)
    markdown.add_render_rule("code_inline", _code)
    markdown.add_render_rule("fence", _fence)
    markdown.add_render_rule("code_block", _fence)
    markdown.add_render_rule("table_open", lambda *_: _TABLE)
    markdown.add_render_rule("table_close", lambda *_: "</table></div>")
    return markdown


def render_tokens(tokens: Sequence[Token], *, headings_from: int) -> SafeString:
    """Return parsed Markdown as safe HTML."""
    formulas: list[str] = []
    shifted = [_shifted(token, headings_from) for token in tokens]
    markdown = parser()
    raw = markdown.renderer.render(shifted, markdown.options, {"formulas": formulas})
    cleaned = nh3.clean(
        raw,
        tags=set(_TAG_WORDS.split()),
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener",
    )
    # Safe: nh3 has cleaned the HTML, and `mathml` writes known tags without styles or addresses.
    return mark_safe(_PLACE.sub(lambda place: _placed(place, formulas), cleaned))  # noqa: S308


def _placed(place: re.Match[str], formulas: Sequence[str]) -> str:
    """Return a formula together with the punctuation beside it, which must not begin a line."""
    before, formula, after = place[1], formulas[int(place[2])], place[3]
    if not before and not after:
        return formula
    return f'<span class="formula-inline">{before}{formula}{after}</span>'


def text_problems(
    tokens: Sequence[Token], *, path: str, first_line: int
) -> Iterator[ContentProblem]:
    """Yield a fault for every formula that cannot be shown and every value that does not exist.

    Also for markup that no page understands, for every link to a file beside the text, since no
    page has such files, and for lists, quotations and emphasis nested too deeply: the parser
    silently leaves out deeper content.
    """
    line = first_line
    for token in tokens:
        line = first_line + token.map[0] if token.map else line
        if _is_too_deep(token):
            yield ContentProblem(
                path,
                line,
                f"Markdown is nested {MAX_DEPTH} levels deep, which is more than is shown",
            )
            return
        for below, words in leftovers_of(token):
            yield ContentProblem(path, line + below, words, since_published=True)
        for part in [token, *(token.children or [])]:
            if value_problem(part):
                yield ContentProblem(path, line, value_problem(part))
            elif part.type in FORMULAS:
                try:
                    mathml(part.content, display=FORMULAS[part.type])
                except FormulaError as error:
                    yield ContentProblem(path, line, str(error))
            elif part.type == "link_open" and not _LINK.match(str(part.attrs["href"])):
                words = f"link {part.attrs['href']}: must begin with / or https://"
                yield ContentProblem(path, line, f"{words} (a picture has a block of its own)")
            line += 0 if part is token else line_breaks_of(part)


def _is_too_deep(token: Token) -> bool:
    return any(part.level >= MAX_DEPTH for part in (token, *(token.children or ())))


@dataclass(frozen=True)
class LineLinks:
    """Links on the numbers of code's lines: each to `before`, the number, and `after`.

    `label` is what is heard before the number, `chosen` the line that the page is about.
    """

    before: str
    after: str
    label: str
    chosen: int | None = None

    def of(self, number: int) -> SafeString:
        """Return the link of a line, from 1."""
        return format_html(
            '<a class="code__number" href="{}{}{}" aria-label="{} {}"{}>{}</a>',
            self.before,
            number,
            self.after,
            self.label,
            number,
            mark_safe(' aria-current="true"') if number == self.chosen else "",
            number,
        )


def highlight_code(
    code: str, language: str, *, numbered: bool = False, links: LineLinks | None = None
) -> SafeString:
    """Return code as a safe `<pre>` with classes of static/css/pages.css; unknown ones plain.

    `numbered`: the page shows the number of each line, which is not part of the text; with `links`
    it is a link, and the line an element of the page: `#line-3`.
    """
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
        # Safe: Pygments escapes all code.
        inner = mark_safe(highlight(code, lexer, HtmlFormatter(nowrap=True, classprefix="hl-")))  # noqa: S308
    except ClassNotFound:
        inner = conditional_escape(code)
    if numbered:
        inner = _numbered(inner, links)
    name = re.sub(r"[^a-z0-9+-]", "", language.lower())
    # Focusable, because a long line scrolls sideways and the keyboard must be able to.
    return format_html(
        '<pre class="code" tabindex="0"><code class="language-{}">{}</code></pre>\n', name, inner
    )


def _numbered(inner: str, links: LineLinks | None) -> SafeString:
    """Return highlighted code with an element for each line: Pygments has no span over two."""
    lines = [mark_safe(line) for line in inner.removesuffix("\n").split("\n")]  # noqa: S308
    if links is None:
        return format_html_join("", '<span class="code__line">{}\n</span>', zip(lines, strict=True))
    return format_html_join(
        "",
        '<span class="code__line" id="line-{}">{}{}\n</span>',
        ((number, links.of(number), line) for number, line in enumerate(lines, start=1)),
    )


def count_lines(code: str) -> int:
    """Return the number of numbered lines of a code: Python's lines, at least one."""
    return code.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").count("\n") + 1


def is_language(name: str) -> bool:
    """Return whether code in this language can be highlighted."""
    try:
        get_lexer_by_name(name)
    except ClassNotFound:
        return False
    return True


def _shifted(token: Token, headings_from: int) -> Token:
    """Return the token for the page: headings one level down, alignment as a class."""
    if token.type in {"th_open", "td_open"} and "style" in token.attrs:
        side = str(token.attrs["style"]).removeprefix("text-align:")
        return token.copy(attrs={"class": f"align-{side}"})
    if token.type not in {"heading_open", "heading_close"}:
        return token
    level = min(6, int(token.tag[1]) + headings_from - 1)
    return token.copy(tag=f"h{level}")


def _formula(_self: Any, tokens: Sequence[Token], index: int, _options: Any, env: Any) -> str:
    token = tokens[index]
    display = FORMULAS[token.type]
    try:
        if value_problem(token):
            raise FormulaError(value_problem(token))
        found = mathml(token.content, display=display)
    except FormulaError:
        return f'<code class="formula-source">{escape(token.content)}</code>'
    env["formulas"].append(found)
    place = f"{_OPEN}{len(env['formulas']) - 1}{_CLOSE}"
    if token.type == "math_block":
        return f'<div class="formula">{place}</div>\n'
    return place


def _code(_self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    code = tokens[index].content
    kind = ' class="code--short"' if len(code) <= SHORT_CODE else ""
    return f"<code{kind}>{escape(code, quote=False)}</code>"


def _fence(_self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    token = tokens[index]
    words = token.info.split()
    return highlight_code(token.content, words[0] if words else "text")


# ---- values

# `{{ value ... }}`: in prose the number has thin spaces and a true minus, inside a formula it is
# LaTeX; code is left alone.
_FAULT = "value_fault"
_STRAY = "{{ must begin a value, as in {{ value wavelength(d_model=50, pair=3) :.2f }}"


def read_value(state: StateInline, silent: bool) -> bool:
    """Take `{{ value ... }}` as one token, so that no other rule reads its underscores."""
    found = VALUE.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        token = state.push("value", "", 0)
        token.content, token.markup = found["expression"], found[0]
    state.pos = found.end()
    return True


def put_values(state: StateCore) -> None:
    """Insert the numbers after typography, which must not change them."""
    for token in state.tokens:
        for part in [token, *(token.children or [])]:
            if part.type == "value":
                _put(part)
            elif part.type in FORMULAS and "{{" in part.content:
                _put_into_formula(part)
            elif part.type == "text" and "{{" in part.content:
                part.meta = {**part.meta, _FAULT: _STRAY}


def value_problem(token: Token) -> str:
    """Return the fault of a value in this token, "" if there is none."""
    return str(token.meta.get(_FAULT, ""))


def _put(token: Token) -> None:
    token.type, expression = "text", token.content
    try:
        token.content = value_text(expression)
    except ValueTextError as error:
        _spoilt(token, error)
        token.type, token.tag, token.content = "code_inline", "code", token.markup


def _put_into_formula(token: Token) -> None:
    def number(match: re.Match[str]) -> str:
        return "{" + value_text(match["expression"], tex=True) + "}"

    try:
        token.content = VALUE.sub(number, token.content)
    except ValueTextError as error:
        _spoilt(token, error)


def _spoilt(token: Token, error: ValueTextError) -> None:
    token.meta = {**token.meta, _FAULT: f"value {error}"}
