"""Markdown to safe HTML: prose, tables, `$formulas$` as MathML and highlighted code.

Raw HTML in the source is shown as text. The HTML made from it is cleaned again by nh3; MathML,
which nh3 would tear apart, waits outside behind placeholders that no author can write.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from typing import Any

import nh3
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from quizzes.pages.mathematics import FormulaError, mathml
from quizzes.pages.source import Fault
from quizzes.pages.value_marks import put_values, read_value, value_fault

_OPEN, _CLOSE = "\ue000", "\ue001"  # private-use characters: removed from every source first
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_PLACE = re.compile(f"(\\(?){_OPEN}([0-9]+){_CLOSE}([,.;:!?)’”]*)")
_FORMULAS = {"math_inline": False, "math_inline_double": True, "math_block": True}

MAX_TEXT = 64_000  # characters; the longest step has 4 400
MAX_DEPTH = 19  # where the parser of this flavour begins to leave out what is in it
SHORT_CODE = 20  # characters that fit on a line of any screen: such code is not broken in two
_TABLE = '<div class="table-scroll" tabindex="0"><table>'

_TAG_WORDS = (
    "a abbr b blockquote br code dd del div dl dt em h2 h3 h4 h5 h6 hr i kbd li ol p pre s span"
    " strong sub sup table tbody td th thead tr ul"
)
_ATTRIBUTES = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "code": {"class"},
    "div": {"class", "tabindex"},
    "h2": {"id"},
    "h3": {"id"},
    "h4": {"id"},
    "ol": {"start"},
    "pre": {"class", "tabindex"},
    "span": {"class"},
    "td": {"class"},
    "th": {"class", "scope"},
}


def render_markdown(text: str, *, headings_from: int = 2) -> SafeString:
    """Return Markdown as safe HTML; a first-level heading becomes `<h{headings_from}>`.

    A formula that cannot be shown appears as its source; `markdown_faults` finds it beforehand.
    """
    clean = without_private(text[:MAX_TEXT])  # a draft in the browser can be longer
    return render_tokens(parser().parse(clean), headings_from=headings_from)


def render_inline(text: str) -> SafeString:
    """Return one line of Markdown as safe HTML without a paragraph, for labels and headings."""
    clean = without_private(text[:MAX_TEXT])
    return render_tokens(parser().parseInline(clean), headings_from=2)


def markdown_faults(text: str, *, path: str, first_line: int = 1) -> list[Fault]:
    """Return what is wrong with a Markdown text (formulas and values that cannot be shown)."""
    if len(text) > MAX_TEXT:
        return [too_long(text, path=path, first_line=first_line)]
    tokens = parser().parse(without_private(text))
    return list(text_faults(tokens, path=path, first_line=first_line))


def too_long(text: str, *, path: str, first_line: int) -> Fault:
    """Return the fault of a text that is not even parsed: some of it would take minutes."""
    words = f"{len(text)} characters of Markdown, at most {MAX_TEXT} are allowed"
    return Fault(path, first_line, words)


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
    markdown.inline.ruler.before("escape", "value", read_value)
    markdown.core.ruler.push("values", put_values)
    for kind in _FORMULAS:
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


def text_faults(tokens: Sequence[Token], *, path: str, first_line: int) -> Iterator[Fault]:
    """Yield a fault for every formula that cannot be shown and every value there is not.

    Also for lists, quotations and emphasis in each other beyond what is shown: the parser leaves
    out what is deeper, without a word.
    """
    line = first_line
    for token in tokens:
        line = first_line + token.map[0] if token.map else line
        if _is_too_deep(token):
            yield Fault(
                path,
                line,
                f"Markdown is nested {MAX_DEPTH} levels deep, which is more than is shown",
            )
            return
        for part in [token, *(token.children or [])]:
            if value_fault(part):
                yield Fault(path, line, value_fault(part))
            elif part.type in _FORMULAS:
                try:
                    mathml(part.content, display=_FORMULAS[part.type])
                except FormulaError as error:
                    yield Fault(path, line, str(error))
            line += part.type in {"softbreak", "hardbreak"}


def _is_too_deep(token: Token) -> bool:
    return any(part.level >= MAX_DEPTH for part in (token, *(token.children or ())))


def highlighted(code: str, language: str) -> SafeString:
    """Return code as a safe `<pre>` with classes of static/css/pages.css; unknown ones plain."""
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
        # Safe: Pygments escapes all code.
        inner = mark_safe(highlight(code, lexer, HtmlFormatter(nowrap=True, classprefix="hl-")))  # noqa: S308
    except ClassNotFound:
        inner = code  # `format_html` escapes what is not called safe
    name = re.sub(r"[^a-z0-9+-]", "", language.lower())
    # Focusable, because a long line scrolls sideways and the keyboard must be able to.
    return format_html(
        '<pre class="code" tabindex="0"><code class="language-{}">{}</code></pre>\n', name, inner
    )


def is_language(name: str) -> bool:
    """Say whether code in this language can be highlighted."""
    try:
        get_lexer_by_name(name)
    except ClassNotFound:
        return False
    return True


def _shifted(token: Token, headings_from: int) -> Token:
    """Return the token as it is shown: headings one page down, alignment as a class."""
    if token.type in {"th_open", "td_open"} and "style" in token.attrs:
        side = str(token.attrs["style"]).removeprefix("text-align:")
        return token.copy(attrs={"class": f"align-{side}"})
    if token.type not in {"heading_open", "heading_close"}:
        return token
    level = min(6, int(token.tag[1]) + headings_from - 1)
    return token.copy(tag=f"h{level}")


def _formula(_self: Any, tokens: Sequence[Token], index: int, _options: Any, env: Any) -> str:
    token = tokens[index]
    display = _FORMULAS[token.type]
    try:
        if value_fault(token):
            raise FormulaError(value_fault(token))
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
    return highlighted(token.content, words[0] if words else "text")
