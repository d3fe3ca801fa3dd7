"""Pages made of prose and blocks: figures, listings, questions, exercises.

A block is a fence whose first word is a registered kind. Its lines are YAML options; where a kind
has a body, a line `---` divides the options from it:

    ```question
    slug: why-order
    ```

The applications above register their kinds when they start (`AppConfig.ready`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from markdown_it.token import Token

from quizzes.pages.markdown import (
    formula_faults,
    is_language,
    parser,
    render_tokens,
    without_private,
)
from quizzes.pages.source import ContentError, Fault, Node, parse_yaml


@dataclass(frozen=True, eq=False)
class Block:
    """One block of a page. `key` is unique in the page ("question-2"); `line` is the fence's."""

    kind: str
    options: Mapping[str, Any]
    body: str
    path: str
    line: int
    key: str
    node: Node = field(repr=False)  # the options with their lines, for faults

    def fault(self, message: str) -> Fault:
        return Fault(self.path, self.line, message)


@dataclass(frozen=True, eq=False)
class Prose:
    """A stretch of Markdown between blocks, rendered."""

    html: SafeString
    words: int


@dataclass(frozen=True, eq=False)
class Page:
    """A Markdown text taken apart. With faults it can still be shown, as well as may be."""

    parts: tuple[Block | Prose, ...]
    faults: tuple[Fault, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(part for part in self.parts if isinstance(part, Block))

    @property
    def words(self) -> int:
        return sum(part.words for part in self.parts if isinstance(part, Prose))


@dataclass(frozen=True)
class PageContext:
    """Who reads which page. `learner` is None for somebody who has not done anything yet."""

    request: HttpRequest
    learner: Any  # learners.Learner | None, which this layer must not import
    lesson: str
    step: str


class BlockKind(Protocol):
    """What an application brings to show one kind of block."""

    name: str

    def check(self, block: Block) -> Iterable[Fault]:
        """Yield what is wrong with the block's options or body. No database."""

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> Any:
        """Return what rendering needs: called once a page, with a constant number of queries."""

    def render(self, block: Block, prepared: Any, context: PageContext) -> SafeString:
        """Return the block's HTML. No queries here."""


_KINDS: dict[str, BlockKind] = {}


def register_block(kind: BlockKind) -> None:
    """Make a block kind known. Registering another kind under the same name is an error."""
    known = _KINDS.setdefault(kind.name, kind)
    if type(known) is not type(kind):
        raise ValueError(f"block kind {kind.name!r}: registered already by {type(known).__name__}")


def block_kinds() -> Mapping[str, BlockKind]:
    """Return the block kinds by name."""
    return _KINDS


@lru_cache(maxsize=256)
def parse_page(text: str, *, path: str, first_line: int = 1) -> Page:
    """Return a Markdown text as prose and blocks, with what is wrong with its form.

    `page_faults` adds what the block kinds find wrong.
    """
    tokens = parser().parse(without_private(text))
    faults = [
        *formula_faults(tokens, path=path, first_line=first_line),
        *_fence_faults(tokens, path=path, first_line=first_line),
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
        found.extend(_KINDS[block.kind].check(block))
    return found


def render_page(page: Page, context: PageContext) -> SafeString:
    """Return a page as HTML, asking every block kind once for all of its blocks."""
    by_kind: dict[str, list[Block]] = {}
    for block in page.blocks:
        by_kind.setdefault(block.kind, []).append(block)
    prepared = {name: _KINDS[name].prepare(blocks, context) for name, blocks in by_kind.items()}
    return format_html_join(
        "",
        "{}",
        (
            (
                part.html
                if isinstance(part, Prose)
                else _KINDS[part.kind].render(part, prepared[part.kind], context),
            )
            for part in page.parts
        ),
    )


def _kind_of(token: Token) -> str:
    """Return the block kind a fence names, or "" when it is not a block."""
    words = token.info.split() if token.type == "fence" else []
    return words[0] if words and words[0] in _KINDS else ""


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
    html = render_tokens(tokens, headings_from=2)
    return Prose(format_html('<div class="prose">{}</div>', html), words)


def _block(token: Token, path: str, first_line: int, key: str) -> Block:
    line = first_line + (token.map[0] if token.map else 0)
    head, divider, body = ("\n" + token.content).partition("\n---\n")
    node = parse_yaml(head[1:], path=path, first_line=line + 1)
    if node.value is not None and not isinstance(node.value, dict):
        raise ContentError([node.fault("a block's options must be `key: value` lines")])
    options = node.value if isinstance(node.value, dict) else {}
    return Block(_kind_of(token), options, body if divider else "", path, line, key, node)


def _fence_faults(tokens: Sequence[Token], *, path: str, first_line: int) -> Iterator[Fault]:
    for token in tokens:
        if token.type != "fence":
            continue
        line = first_line + (token.map[0] if token.map else 0)
        word = token.info.split()[0] if token.info.split() else "text"
        if word in _KINDS and token.level > 0:
            yield Fault(path, line, f"a {word} block must not stand inside a list or quotation")
        elif word not in _KINDS and not is_language(word):
            kinds = ", ".join(sorted(_KINDS))
            yield Fault(path, line, f"{word!r} is neither a block ({kinds}) nor a language")
