r"""Markup that no page understands: `<b>`, `![a cat](cat.png)`, `- [ ]`, `[^1]`, `\frac{1}{2}`.

A reader would see its signs. They are looked for in what the parser took for words, so code, fences
and formulas are never meant, nor is a sign that its author escaped with a backslash. Each kind is a
row of `_KINDS`: what it is called, how it looks, and what to write in its place.

Every pattern is bounded where it could look far ahead: a text of nothing but brackets stays cheap.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import nh3
from markdown_it import MarkdownIt
from markdown_it.common.html_blocks import block_names
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, backtick
from markdown_it.token import Token

from quizzes.pages.mathematics import FormulaError, mathml

LOOKS = "looks for leftover markup"  # in the parser's environment: most texts are only shown
MOST = 20  # of one paragraph: its author has understood by then
_NOTED, _LINES = "leftover_markup", "lines"  # in a token's `meta`
_SHOWN = 40  # characters of what is quoted

# Places of what is no word, in private-use characters, which are removed from every source first.
_SIGN, _LINK, _LINK_END = "\ue100", "\ue101", "\ue102"
_PLACES = {"link_open": _LINK, "link_close": _LINK_END, "softbreak": "\n", "hardbreak": "\n"}
_QUOTED = str.maketrans({_SIGN: "…", _LINK: "[", _LINK_END: "]", "\n": " "})
_FORMULA_BRACKETS = {"\\(", "\\)", "\\[", "\\]"}

_TAG_NAMES = frozenset(nh3.ALLOWED_TAGS).union(
    block_names,
    {"audio", "big", "button", "canvas", "embed", "font", "input", "label", "object", "script"},
    {"select", "strike", "style", "svg", "template", "textarea", "video"},
)
_CURES_OF_TAGS = {
    "b": "write **words**",
    "strong": "write **words**",
    "i": "write *words*",
    "em": "write *words*",
    "s": "write ~~words~~, or put it in backticks as code",
    "del": "write ~~words~~",
    "br": "begin a new paragraph",
    "p": "leave an empty line",
    "hr": "write a line of ---",
    "a": "write [words](https://...)",
    "code": "write `code` in backticks",
    "pre": "write a fence of ```",
    "sub": "write a formula, $x_1$",
    "sup": "write a formula, $x^2$",
    "img": "use a picture block or a figure block of a step",
    "table": "write a Markdown table",
    "ul": "write a list of - lines",
    "ol": "write a list of 1. lines",
    "li": "write a list of - lines",
    "details": "write a heading and a paragraph",
}
_BARE_ATTRIBUTES = {"", "open", "hidden", "controls", "checked", "disabled"}


@dataclass(frozen=True)
class _Kind:
    """One kind of markup. `of_paragraphs`: such a line in a heading or a table is none."""

    name: str
    pattern: re.Pattern[str]
    cure: str
    of_paragraphs: bool = False


def _kind(name: str, pattern: str, cure: str, *, of_paragraphs: bool = False) -> _Kind:
    return _Kind(name, re.compile(pattern, re.MULTILINE), cure, of_paragraphs)


_AROUND = "put dollar signs around it, or backticks around code"
_END = "a formula without its end"
_STRIPES = "a table whose second line does not fit its first"
_NO_STRIPES = "a table without |---| under its first line"

# In this order: what one kind has taken is no other's any more.
_KINDS = (
    _kind("an HTML comment", r"<!--(?:[^-]|-(?!->))*(?:-->)?", "remove it"),
    _kind(
        "an image",
        rf"!{_LINK}[^{_LINK_END}]*{_LINK_END}?"
        r"|!\[\[[^\]\n]{0,200}\]\]|!\[[^\]\n]{0,200}\](?:\([^)\n]{0,200}\)|\[[^\]\n]{0,200}\])",
        "use a picture block or a figure block of a step",
    ),
    _kind(
        "a callout",
        r"^\[![A-Za-z]+\][-+]?|^(?:!!!|\?\?\?\+?) ?\w[^\n]*",
        "begin the paragraph with **Note.**",
        of_paragraphs=True,
    ),
    _kind(
        "a chatbot's source mark",
        r"【[^】\n]{0,200}】|:contentReference\[[^\]\n]{0,200}\](?:\{[^}\n]{0,200}\})?"
        r"|\[cite(?:_start|: ?[\d, ]+)\]|(?:file)?cite(?:turn\d+[a-z]+\d+)+"
        r"|oai_citation[:‡][^\]\s\ue102]{0,200}",
        "remove it, and name the source",
    ),
    _kind(
        "a footnote",
        r"\[\^[^\]\s]{1,100}\]:?|(?<!\S)\^\[[^\]\n]{1,200}\]"
        rf"|{_LINK}\^[^{_LINK_END}\s]{{1,100}}{_LINK_END}",
        "put the note into the text",
    ),
    _kind("an abbreviation", r"^\*\[[^\]\n]+\]: ?[^\n]*", "explain the word where you use it"),
    _kind(_END, r"\\\([^\n]*", "close it with \\); a bracket itself needs no backslash"),
    _kind(_END, r"\\\[[^\n]*", "close it with \\]; a bracket itself needs no backslash"),
    _kind("a formula without its beginning", r"\\[)\]]", "a bracket itself needs no backslash"),
    _kind(
        "LaTeX outside a formula",
        r"\\begin\{(\w+\*?)\}(?:.|\n)*?(?:\\end\{\1\}|\Z)|\\end\{\w+\*?\}",
        "put a line of $$ before and after it",
    ),
    _kind("LaTeX outside a formula", r"\\[A-Za-z]+\*?\{[^}\n]*\}?", "put dollar signs around it"),
    _kind("LaTeX outside a formula", r"\w{0,20}(?<=[\w)\]])[_^]\{[^{}\n]{1,60}\}", _AROUND),
    _kind(_END, r"\$\$+[^\n]*", "close it with $$; a dollar sign itself is \\$"),
    # A $ before a digit or a name begins something: a price, a variable of a shell.
    _kind(
        "a formula with a space next to its $",
        r"\$(?!\s*\d+(?:[.,]\d+)*\s)(?:\s*[A-Za-z]\s*|[^$\n]*[\\^_={}][^$\n]*)\$(?![\w{(])",
        "write $x$",
    ),
    _kind(
        _END,
        r"\$(?!\{?[A-Z_]+\b)[A-Za-z\\({][^\s$]*[\\^_{][^\s$]*",
        "close it with $; a dollar sign itself is \\$",
    ),
    _kind("a wiki link", r"\[\[[A-Za-z][^\[\],\n]+\]\]", "write [words](/learn/lesson/step/)"),
    _kind(
        "a link that is not recognised",
        r"\[[^\[\]\n]+\]\s?\((?:https?:|mailto:|/|#|\.)[^)\n]*\)?"
        r"|(?<![\w\])])\[[^\[\]\n]+\]\([^()\n]+\)",
        "write [words](address) without a space before or in the address",
    ),
    _kind(
        "a link without an address",
        r"(?<![\w\])])\[[^\[\]\n]{2,}\]\[[^\[\]\n]*\](?!\[)",
        "write [words](address)",
    ),
    _kind(
        "highlighting",
        r"(?<![\w=])==(?=[^\s=])[^=\n]*[^\s=]==(?![\w=])",
        "write **words**",
    ),
    _kind(
        "underlining",
        r"(?<![\w+])\+\+(?=[^\s+])[^+\n]*[^\s+]\+\+(?![\w+])",
        "write *words*",
    ),
    _kind(
        "a subscript or superscript", r"(?<=\w)([~^])[A-Za-z0-9]{1,6}\1", "write a formula, $x_1$"
    ),
    _kind("strikethrough", r"~~+[^~\n]*(?:~~+)?", "write ~~words~~ without a space inside"),
    _kind(
        "code without its end",
        r"`+[^`\n]*`*",
        "write `code` with the same number of backticks at both ends",
    ),
    _kind("a template's tag", r"\{%[^%\n]*%\}", "remove it"),
    _kind("an attribute", r"\{:?\s?[#.][A-Za-z][^{}\n]*\}", "remove it"),
    _kind("an emoji's name", r"(?<!\S):[a-z][a-z0-9_+-]+:(?![\w:])", "type the emoji itself"),
    _kind("an unknown entity", r"&[A-Za-z][A-Za-z0-9]{1,30};", "type the character itself"),
    _kind("a definition list", r"^:\s+\S[^\n]*", "write **Word**: meaning", of_paragraphs=True),
    _kind(
        "a heading without a space",
        r"^(?:#{2,6}|#(?=[A-Z]))[^\s#][^\n]*",
        "write ## Title",
        of_paragraphs=True,
    ),
    _kind(
        _STRIPES,
        r"^\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+\|?[ \t]*$"
        r"|^\|[ \t]*:?-{2,}:?[ \t]*\|[ \t]*$",
        "give both the same columns",
        of_paragraphs=True,
    ),
    _kind(
        _NO_STRIPES,
        r"^\|(?:[ \t][^\n]*[ \t]\|[ \t]*$|[^\n]*\|[ \t]*\n\|[^\n]*\|[ \t]*$)(?:\n\|[^\n]*)*",
        "put such a line there",
        of_paragraphs=True,
    ),
    # Powers stay: neither 2**3 nor d ** 2 is a bold word. So do **kwargs and the stars of 0.31**.
    _kind(
        "bold text without its end",
        r"(?<!\S)\*\*(?!kwargs\b)(?=[^\s*])[^*\n]*(?:\*\*)?|(?<!\S)__(?=[^\s_])[^_\n]*\s__(?!\w)"
        rf"|(?<=[^\s*\w)\]{_SIGN}])\*\*(?=\S)|(?<=[^\s\d])\*\*(?![\w\s(+*{_SIGN}-])"
        r"|(?<!\S)\*\* (?=[A-Za-z]{2})[^*\n]{0,200}[A-Za-z]{2} \*\*(?!\S)",
        "write **words** without a space inside, or `code` in backticks",
    ),
    _kind(
        "emphasis without its end",
        r"(?<![\w*])\*(?=[^\s*])[^*\n]{0,200}[A-Za-z]\s\*(?=$|[.,;:!?)])",
        "write *words* without a space inside",
    ),
)
_TASK = re.compile(r"\[[ xX]\](?=\s|$)")
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*)(?P<attributes>\s[^<>]{0,300})?/?>")
_COMMAND = re.compile(r"\b[A-Za-z]:(?:\\[\w.-]+)+|\\(?P<name>[A-Za-z]{2,})")  # or a path
_IN_ONE_LINE = re.compile(r"(?:#{1,6} |[-*+] (?=[A-Za-z]{2})|```|~~~|> ?(?=[A-Za-z]))[^\n]*")


def use_leftover_markup(markdown: MarkdownIt) -> None:
    """Teach a parser to note what is left, where its environment has `LOOKS`."""
    # Before signs that were escaped are joined to the words beside them.
    markdown.core.ruler.after("inline", "leftover_markup", _look)
    markdown.inline.ruler.at("backticks", _read_code)


def leftovers_of(token: Token) -> Sequence[tuple[int, str]]:
    """Return what was noted of a token: how many lines below its first, and the words."""
    noted: Sequence[tuple[int, str]] = token.meta.get(_NOTED, ())
    return noted


def line_breaks_of(part: Token) -> int:
    """Return over how many ends of lines a part of a paragraph goes."""
    if part.type in {"softbreak", "hardbreak"}:
        return 1
    return part.content.count("\n") + int(part.meta.get(_LINES, 0))


def _read_code(state: StateInline, silent: bool) -> bool:
    """Take code as ever, and note its lines: the parser writes a space for the end of each."""
    begin, tokens = state.pos, len(state.tokens)
    is_code = backtick(state, silent)
    if len(state.tokens) > tokens and state.tokens[-1].type == "code_inline":
        state.tokens[-1].meta = {_LINES: state.src.count("\n", begin, state.pos)}
    return is_code


@dataclass(eq=False)
class _Words:
    """The words of one paragraph, heading or cell; `breaks` are the places where a line begins."""

    text: str = ""
    breaks: list[int] = field(default_factory=list)
    noted: dict[tuple[int, str], None] = field(default_factory=dict)  # in order, each once
    names: set[str] = field(default_factory=set)

    def add(self, part: Token) -> None:
        """Add a part as it was typed, or a sign in the place of what is no word."""
        if part.type == "text":
            self.text += part.content
        elif part.type == "text_special":
            # The parser also takes \alpha apart; and brackets with a backslash mean formulas here.
            is_typed = part.content == part.markup or part.markup in _FORMULA_BRACKETS
            self.text += part.markup if is_typed else _SIGN
        else:
            self.text += _PLACES.get(part.type, _SIGN)
            self.breaks += [len(self.text)] * line_breaks_of(part)

    def note(self, match: re.Match[str], name: str, cure: str) -> str:
        """Note one find; return signs in its place, which no other pattern takes."""
        if len(self.noted) < MOST:
            quoted = match[0].translate(_QUOTED).strip()
            if len(quoted) > _SHOWN:
                quoted = f"{quoted[:_SHOWN]}…"
            words = f"“{quoted}”: {name} shows as typed; {cure}"
            self.noted[bisect_right(self.breaks, match.start()), words] = None
        self.names.add(name)
        return re.sub(r"[^\n]", _SIGN, match[0])


def _look(state: StateCore) -> None:
    if not state.env.get(LOOKS):
        return
    for place, token in enumerate(state.tokens):
        if token.type == "fence":
            if not _is_closed(token):
                words = f"“{token.markup}{token.info}”: code without its end; close it"
                token.meta = {**token.meta, _NOTED: ((0, f"{words} with {token.markup}"),)}
        elif token.type == "inline":
            before = [one.type for one in state.tokens[max(0, place - 2) : place]]
            token.meta = {**token.meta, _NOTED: tuple(_leftovers(token, before))}


def _is_closed(fence: Token) -> bool:
    """Say whether a fence has its second line: with both it is longer by two than its code."""
    lines = fence.map[1] - fence.map[0] if fence.map else 0
    is_cut = fence.content != "" and not fence.content.endswith("\n")
    return not is_cut and lines >= fence.content.count("\n") + 2


def _leftovers(token: Token, before: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield what is left in an inline token; `before` are the types of the two tokens above it.

    A text that is shown in one line has none above it.
    """
    words = _Words()
    for part in token.children or ():
        words.add(part)
    if before == ["list_item_open", "paragraph_open"] and (task := _TASK.match(words.text)):
        words.text = words.note(task, "a task list", "write a plain list") + words.text[3:]
    if not before and (line := _IN_ONE_LINE.match(words.text)):
        words.note(line, "a heading, list, quotation or fence in a one-line text", "remove it")
    _take_tags(words)
    in_paragraph = not before or before[-1] == "paragraph_open"
    for kind in _KINDS:
        if kind.of_paragraphs and not in_paragraph:
            continue
        if kind.name == _NO_STRIPES and _STRIPES in words.names:
            continue  # its other lines
        words.text = kind.pattern.sub(
            lambda match, kind=kind: words.note(match, kind.name, kind.cure),  # type: ignore[misc]
            words.text,
        )
    _take_commands(words)
    yield from sorted(words.noted)


def _take_tags(words: _Words) -> None:
    """Note each HTML tag, but not the end of one that is noted."""
    begun: set[str] = set()

    def take(match: re.Match[str]) -> str:
        name, attributes = match["name"].lower(), (match["attributes"] or "").strip(" \n/")
        is_tag = name in _TAG_NAMES and (attributes in _BARE_ATTRIBUTES or "=" in attributes)
        if not is_tag and not re.search("=[\"']", attributes):
            return match[0]
        if match["end"] and name in begun:
            return _SIGN * len(match[0])
        begun.add(name)
        cure = _CURES_OF_TAGS.get(name, "remove it, or put it in backticks as code")
        return words.note(match, "HTML", cure)

    words.text = _TAG.sub(take, words.text)


def _take_commands(words: _Words) -> None:
    r"""Note each `\alpha` that is one: a path such as C:\temp\beta has none."""

    def take(match: re.Match[str]) -> str:
        if match["name"] is None or not _is_command(match["name"]):
            return match[0]
        return words.note(match, "LaTeX outside a formula", _AROUND)

    words.text = _COMMAND.sub(take, words.text)


def _is_command(name: str) -> bool:
    """Say whether LaTeX has this command, with no or with two arguments."""
    for latex in (f"\\{name}", f"\\{name}{{a}}{{b}}"):
        try:
            mathml(latex, display=False)
        except FormulaError:
            continue
        return True
    return False
