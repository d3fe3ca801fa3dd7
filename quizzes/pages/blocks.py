"""Pages made of prose and blocks: figures, listings, questions, exercises.

A block is a fence whose first word is a registered kind. Its lines are YAML options; where a kind
has a body, a line `---` divides the options from it:

    ```question
    slug: why-order
    ```
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from markdown_it.token import Token

from quizzes.pages.block_kinds import (
    Block,
    BlockKind,
    Page,
    PageContext,
    Prose,
    block_kinds,
    register_block,
)
from quizzes.pages.markdown import (
    MAX_TEXT,
    is_language,
    parser,
    render_tokens,
    text_faults,
    too_long,
    without_private,
)
from quizzes.pages.source import ContentError, Fault, parse_yaml

__all__ = [
    "Block",
    "BlockKind",
    "Page",
    "PageContext",
    "Prose",
    "block_kinds",
    "page_faults",
    "parse_page",
    "register_block",
    "render_page",
]


@lru_cache(maxsize=256)
def parse_page(text: str, *, path: str, first_line: int = 1) -> Page:
    """Return a Markdown text as prose and blocks, with what is wrong with its form.

    `page_faults` adds what the block kinds find wrong.
    """
    if len(text) > MAX_TEXT:
        return Page((), (too_long(text, path=path, first_line=first_line),))
    tokens = parser().parse(without_private(text))
    faults = [
        *text_faults(tokens, path=path, first_line=first_line),
        *_fence_faults(tokens, path=path, first_line=first_line),
        *_heading_faults(tokens, path=path, first_line=first_line),
        *_table_faults(tokens, path=path, first_line=first_line),
    ]
    parts: list[Block | Prose] = []
    counts: dict[str, int] = {}
    for stretch in _stretches(tokens):
        if isinstance(stretch, list):
            parts.append(_prose(stretch))
            continue
        kind = _kind_of(stretch)
        counts[kind] = counts.get(kind, 0) + 1
        try:
            parts.append(_block(stretch, path, first_line, f"{kind}-{counts[kind]}"))
        except ContentError as error:
            faults.extend(error.faults)
    return Page(tuple(parts), tuple(sorted(faults)))


def page_faults(page: Page) -> list[Fault]:
    """Return everything wrong with a page that can be seen without the database."""
    found = list(page.faults)
    for block in page.blocks:
        found.extend(block_kinds()[block.kind].check(block))
    return found


def render_page(page: Page, context: PageContext) -> SafeString:
    """Return a page as HTML, asking every block kind once for all of its blocks."""
    by_kind: dict[str, list[Block]] = {}
    for block in page.blocks:
        by_kind.setdefault(block.kind, []).append(block)
    prepared = {
        name: block_kinds()[name].prepare(blocks, context) for name, blocks in by_kind.items()
    }
    return format_html_join(
        "",
        "{}",
        (
            (
                part.html
                if isinstance(part, Prose)
                else block_kinds()[part.kind].render(part, prepared[part.kind], context),
            )
            for part in page.parts
        ),
    )


def _kind_of(token: Token) -> str:
    """Return the block kind a fence names, or "" when it is not a block."""
    words = token.info.split() if token.type == "fence" else []
    return words[0] if words and words[0] in block_kinds() else ""


def _stretches(tokens: Sequence[Token]) -> Iterator[Token | list[Token]]:
    """Yield block fences one by one and the tokens between them together."""
    between: list[Token] = []
    for token in tokens:
        if token.level == 0 and _kind_of(token):
            if between:
                yield between
            between = []
            yield token
        else:
            between.append(token)
    if between:
        yield between


def _prose(tokens: list[Token]) -> Prose:
    words = sum(len(token.content.split()) for token in tokens if token.type == "inline")
    html = render_tokens(tokens, headings_from=1)
    return Prose(format_html('<div class="prose">{}</div>', html), words)


def _block(token: Token, path: str, first_line: int, key: str) -> Block:
    line = first_line + (token.map[0] if token.map else 0)
    head, divider, body = ("\n" + token.content).partition("\n---\n")
    node = parse_yaml(head[1:], path=path, first_line=line + 1)
    if node.value is not None and not isinstance(node.value, dict):
        raise ContentError([node.fault("a block's options must be `key: value` lines")])
    options = node.value if isinstance(node.value, dict) else {}
    return Block(_kind_of(token), options, body if divider else "", path, line, key, node)


def _heading_faults(tokens: Sequence[Token], *, path: str, first_line: int) -> Iterator[Fault]:
    """Yield a fault for each heading that would break the page's outline: it begins with `##`."""
    before = 1
    for token in tokens:
        if token.type == "heading_open":
            line = first_line + (token.map[0] if token.map else 0)
            level = int(token.tag[1])
            if level == 1:
                yield Fault(path, line, "a heading starts with ##: the page itself has the #")
            elif level > before + 1:
                yield Fault(path, line, f"a heading of level {level} follows one of {before}")
            before = level


def _table_faults(tokens: Sequence[Token], *, path: str, first_line: int) -> Iterator[Fault]:
    """Yield a fault for each column without a heading: whoever hears the table needs its name."""
    for head, words in pairwise(tokens):
        if head.type == "th_open" and not words.content.strip():
            line = first_line + (words.map[0] if words.map else 0)
            yield Fault(path, line, "a column of this table has no heading")


def _fence_faults(tokens: Sequence[Token], *, path: str, first_line: int) -> Iterator[Fault]:
    for token in tokens:
        if token.type != "fence":
            continue
        line = first_line + (token.map[0] if token.map else 0)
        word = token.info.split()[0] if token.info.split() else "text"
        if word in block_kinds() and token.level > 0:
            yield Fault(path, line, f"a {word} block must not stand inside a list or quotation")
        elif word not in block_kinds() and not is_language(word):
            kinds = ", ".join(sorted(block_kinds()))
            yield Fault(path, line, f"{word!r} is neither a block ({kinds}) nor a language")
