"""Pages made of prose and blocks: figures, listings, questions, exercises.

A block is a fence whose first word is a kind that an application registered when it started
(`AppConfig.ready`). Its lines are YAML options; where a kind has a body, a line `---` divides the
options from it:

    ```question
    slug: why-order
    ```
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Protocol

from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from markdown_it.token import Token

from quizzes.content_files.fields import Fields
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.yaml_nodes import Node, parse_yaml
from quizzes.pages.course_links import with_course_links
from quizzes.pages.markdown import (
    MAX_TEXT,
    is_language,
    parser,
    render_tokens,
    text_problems,
    too_long,
    without_private,
)


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

    def problem(self, message: str) -> ContentProblem:
        return ContentProblem(self.path, self.line, message)


@dataclass(frozen=True, eq=False)
class Prose:
    """A stretch of Markdown between blocks, rendered."""

    html: SafeString
    words: int


@dataclass(frozen=True, eq=False)
class Page:
    """A Markdown text in its parts. A text with faults can still be shown, as far as possible."""

    parts: tuple[Block | Prose, ...]
    problems: tuple[ContentProblem, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(part for part in self.parts if isinstance(part, Block))

    @property
    def words(self) -> int:
        return sum(part.words for part in self.parts if isinstance(part, Prose))


@dataclass(frozen=True)
class PageContext:
    """The reader of a page. `learner` is None for a visitor that has not done anything yet."""

    request: HttpRequest
    learner: Any  # learners.Learner | None, which this layer must not import
    course: Any  # courses.Course, likewise; None on a page of the site itself
    lesson: str
    step: str


class BlockKind(Protocol):
    """The functions with which an application shows one kind of block."""

    name: str

    def check(self, block: Block) -> Iterable[ContentProblem]:
        """Yield the faults of the block's options or body. No database."""

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> Any:
        """Return the data for rendering: called once a page, with a constant number of queries."""

    def render(self, block: Block, prepared: Any, context: PageContext) -> SafeString:
        """Return the block's HTML. No queries here."""


def slug_block_problems(block: Block, named: str) -> list[ContentProblem]:
    """Return the faults of a block that has a slug and no more; `named` is "a question"."""
    problems: list[ContentProblem] = []
    fields = Fields(block.node, problems)
    fields.slug("slug")
    fields.done()
    if block.body.strip():
        problems.append(block.problem(f"{named} block has no body"))
    return problems


_KINDS: dict[str, BlockKind] = {}


def register_block(kind: BlockKind) -> None:
    """Make a block kind known. Registering another kind under the same name is an error."""
    known = _KINDS.setdefault(kind.name, kind)
    if type(known) is not type(kind):
        raise ValueError(f"block kind {kind.name!r}: registered already by {type(known).__name__}")


def block_kinds() -> Mapping[str, BlockKind]:
    """Return the block kinds by name."""
    return _KINDS


__all__ = [
    "Block",
    "BlockKind",
    "Page",
    "PageContext",
    "Prose",
    "block_kinds",
    "page_problems",
    "parse_page",
    "register_block",
    "render_page",
]


@lru_cache(maxsize=256)
def parse_page(text: str, *, path: str, first_line: int = 1) -> Page:
    """Return a Markdown text as prose and blocks, with the faults of its form.

    `page_problems` adds the faults that the block kinds find.
    """
    if len(text) > MAX_TEXT:
        return Page((), (too_long(text, path=path, first_line=first_line),))
    tokens = parser().parse(without_private(text))
    problems = [
        *text_problems(tokens, path=path, first_line=first_line),
        *_fence_problems(tokens, path=path, first_line=first_line),
        *_heading_problems(tokens, path=path, first_line=first_line),
        *_table_problems(tokens, path=path, first_line=first_line),
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
            parts.append(_block(stretch, path, first_line, f"{kind}-{counts[kind]}", problems))
        except ContentError as error:
            problems.extend(error.problems)
    return Page(tuple(parts), tuple(sorted(problems)))


def page_problems(page: Page) -> list[ContentProblem]:
    """Return all faults of a page that can be found without the database."""
    found = list(page.problems)
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
                _linked(
                    part.html
                    if isinstance(part, Prose)
                    else block_kinds()[part.kind].render(part, prepared[part.kind], context),
                    context,
                ),
            )
            for part in page.parts
        ),
    )


def _linked(html: SafeString, context: PageContext) -> SafeString:
    """Return a part with the links of its course; blocks have texts of their authors too."""
    return with_course_links(html, context.course.slug) if context.course else html


def _kind_of(token: Token) -> str:
    """Return the block kind that a fence names, or "" when it is no block."""
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


def _block(
    token: Token, path: str, first_line: int, key: str, problems: list[ContentProblem]
) -> Block:
    line = first_line + (token.map[0] if token.map else 0)
    head, divider, body = ("\n" + token.content).partition("\n---\n")
    node = parse_yaml(head[1:], path=path, first_line=line + 1, problems=problems)
    if node.value is not None and not isinstance(node.value, dict):
        raise ContentError([node.problem("a block's options must be `key: value` lines")])
    options = node.value if isinstance(node.value, dict) else {}
    return Block(_kind_of(token), options, body if divider else "", path, line, key, node)


def _heading_problems(
    tokens: Sequence[Token], *, path: str, first_line: int
) -> Iterator[ContentProblem]:
    """Yield a fault for each heading that would break the page's outline: it begins with `##`."""
    before = 1
    for token in tokens:
        if token.type == "heading_open":
            line = first_line + (token.map[0] if token.map else 0)
            level = int(token.tag[1])
            if level == 1:
                yield ContentProblem(
                    path, line, "a heading starts with ##: the page itself has the #"
                )
            elif level > before + 1:
                yield ContentProblem(
                    path, line, f"a heading of level {level} follows one of {before}"
                )
            before = level


def _table_problems(
    tokens: Sequence[Token], *, path: str, first_line: int
) -> Iterator[ContentProblem]:
    """Yield a fault for each column without a heading: listeners to a table need its name."""
    for head, words in pairwise(tokens):
        if head.type == "th_open" and not words.content.strip():
            line = first_line + (words.map[0] if words.map else 0)
            yield ContentProblem(path, line, "a column of this table has no heading")


def _fence_problems(
    tokens: Sequence[Token], *, path: str, first_line: int
) -> Iterator[ContentProblem]:
    for token in tokens:
        if token.type != "fence":
            continue
        line = first_line + (token.map[0] if token.map else 0)
        word = token.info.split()[0] if token.info.split() else "text"
        if word in block_kinds() and token.level > 0:
            yield ContentProblem(
                path, line, f"a {word} block must not stand inside a list or quotation"
            )
        elif word not in block_kinds() and not is_language(word):
            kinds = ", ".join(sorted(block_kinds()))
            yield ContentProblem(
                path, line, f"{word!r} is neither a block ({kinds}) nor a language"
            )
