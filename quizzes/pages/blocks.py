"""Pages made of prose and blocks: figures, listings, questions, exercises.

A block is a fence whose first word is a kind that an application registered when it started
(`AppConfig.ready`). Its lines are YAML options; where a kind has a body, a line `---` divides the
options from it:

    ```question
    slug: why-order
    ```
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from markdown_it.token import Token

from quizzes.content_files.fields import Fields
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.yaml_nodes import Node, parse_yaml
from quizzes.pages.chips import Chip, aim, chips_in
from quizzes.pages.course_links import with_course_links
from quizzes.pages.markdown import (
    MAX_TEXT,
    checked_tokens,
    is_language,
    render_tokens,
    text_problems,
    too_long,
)
from quizzes.pages.screens import begins_screen, screen_problems


@dataclass(frozen=True, eq=False)
class Block:
    """One block of a page. `key` is unique in the page ("question-2"); `line` is the fence's.

    `earlier` are the kinds of the blocks that stand before it.
    """

    kind: str
    options: Mapping[str, Any]
    body: str
    path: str
    line: int
    key: str
    node: Node = field(repr=False)  # the options with their lines, for faults
    earlier: frozenset[str] = frozenset()

    def problem(self, message: str) -> ContentProblem:
        return ContentProblem(self.path, self.line, message)


@dataclass(frozen=True, eq=False)
class Prose:
    """A stretch of Markdown between blocks, rendered."""

    html: SafeString
    words: int
    running_words: int  # without tables and formulas


@dataclass(frozen=True, eq=False)
class Screen:
    """A part of a page that is read as one; a page that is not divided is one screen."""

    line: int
    parts: tuple[Block | Prose, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(part for part in self.parts if isinstance(part, Block))

    @property
    def running_words(self) -> int:
        return sum(part.running_words for part in self.parts if isinstance(part, Prose))


@dataclass(frozen=True, eq=False)
class AimedChip:
    """A chip of a page and the block that it drives, None where its author's fault hides it."""

    chip: Chip
    block: Block | None


@dataclass(frozen=True, eq=False)
class Page:
    """A Markdown text in its parts. A text with faults can still be shown, as far as possible."""

    screens: tuple[Screen, ...]
    problems: tuple[ContentProblem, ...]
    chips: tuple[AimedChip, ...] = ()
    is_divided: bool = False  # its author says where its screens begin

    @property
    def parts(self) -> tuple[Block | Prose, ...]:
        return tuple(part for screen in self.screens for part in screen.parts)

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
    """The functions with which an application shows one kind of block.

    A kind may also have `stands_beside_text` (a picture that wide pages show beside its screen's
    text), `needs_width` (a block that leaves no room for one) or `fills_margin` (a block that puts
    something of its own there).
    """

    name: str

    def check(self, block: Block) -> Iterable[ContentProblem]:
        """Yield the faults of the block's options or body. No database."""

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> Any:
        """Return the data for rendering: called once a page, with a constant number of queries."""

    def render(self, block: Block, prepared: Any, context: PageContext) -> SafeString:
        """Return the block's HTML. No queries here."""


@runtime_checkable
class ChipTarget(Protocol):
    """A block kind that words of the text can drive."""

    def check_chip(self, block: Block, chip: Chip) -> Iterable[str]:
        """Yield what the block does not take of a chip."""


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
    "ChipTarget",
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
    """Return a Markdown text as screens of prose and blocks, with the faults of its form.

    `page_problems` adds the faults that the block kinds find.
    """
    if len(text) > MAX_TEXT:
        return Page((), (too_long(text, path=path, first_line=first_line),))
    tokens = checked_tokens(text)
    problems = [
        *text_problems(tokens, path=path, first_line=first_line),
        *_fence_problems(tokens, path=path, first_line=first_line),
        *_heading_problems(tokens, path=path, first_line=first_line),
        *_table_problems(tokens, path=path, first_line=first_line),
        *screen_problems(tokens, path=path, first_line=first_line),
    ]
    drafts, spoilt = _drafts(tokens, path, first_line, problems)
    chips = [one for draft in drafts for one in _aimed(draft, drafts, path, spoilt, problems)]
    return Page(
        tuple(_screen(draft) for draft in drafts),
        tuple(sorted(problems)),
        tuple(chips),
        is_divided=any(begins_screen(token) for token in tokens),
    )


def page_problems(page: Page) -> list[ContentProblem]:
    """Return all faults of a page that can be found without the database."""
    by_block = {block.key: list(block_kinds()[block.kind].check(block)) for block in page.blocks}
    found = [*page.problems, *(one for several in by_block.values() for one in several)]
    for aimed in page.chips:
        block = aimed.block
        if block is None or by_block[block.key]:
            continue  # that fault is told already
        kind = block_kinds()[block.kind]
        if isinstance(kind, ChipTarget):
            for words in kind.check_chip(block, aimed.chip):
                found.append(ContentProblem(block.path, aimed.chip.line, words))
    return found


def render_page(
    page: Page,
    context: PageContext,
    *,
    finish_prose: Callable[[SafeString], SafeString] = lambda html: html,
    margin: Callable[[], SafeString] = SafeString,
) -> SafeString:
    """Return a page as HTML, asking every block kind once for all of its blocks.

    `finish_prose` is given every stretch of prose, in order. `margin` is called after each screen;
    what it returns stands beside a screen of text, where nothing else does.
    """
    by_kind: dict[str, list[Block]] = {}
    for block in page.blocks:
        by_kind.setdefault(block.kind, []).append(block)
    prepared = {
        name: block_kinds()[name].prepare(blocks, context) for name, blocks in by_kind.items()
    }

    def part_html(part: Block | Prose) -> SafeString:
        if isinstance(part, Prose):
            return finish_prose(_linked(part.html, context))
        html = block_kinds()[part.kind].render(part, prepared[part.kind], context)
        return _linked(html, context)

    def shown(screen: Screen) -> tuple[str, SafeString]:
        # Safe: joined from safe parts.
        html = SafeString("".join(part_html(part) for part in screen.parts))
        beside = margin()
        if _has_figure_beside(screen):
            return " screen--beside", html
        if page.is_divided and beside and _has_free_margin(screen):
            return " screen--margin", html + beside
        return "", html

    screens = [shown(screen) for screen in page.screens]
    if not page.is_divided:
        return SafeString("".join(html for _, html in screens))
    return _divided(screens)


def _divided(screens: Sequence[tuple[str, SafeString]]) -> SafeString:
    """Return the screens of a page, each with its class.

    Each has its number as its id, so `#2` leads to the second.
    """
    count = len(screens)
    return format_html(
        '<div class="screens" data-screens>{}</div>',
        format_html_join(
            "\n",
            '<div class="screen{}" id="{}" tabindex="-1" role="group" aria-label="{}">{}</div>',
            (
                (look, number, f"Part {number} of {count}", html)
                for number, (look, html) in enumerate(screens, start=1)
            ),
        ),
    )


def _has_figure_beside(screen: Screen) -> bool:
    """Return whether a screen has one figure and text: on a wide page they stand side by side.

    Another picture would have no room in the column of the text.
    """
    kinds = [block_kinds()[block.kind] for block in screen.blocks]
    if any(getattr(kind, "needs_width", False) for kind in kinds):
        return False
    figures = [kind for kind in kinds if getattr(kind, "stands_beside_text", False)]
    return len(figures) == 1 and any(isinstance(part, Prose) for part in screen.parts)


def _has_free_margin(screen: Screen) -> bool:
    """Return whether a screen is of text that leaves the right of a wide page empty."""
    takes_it = ("stands_beside_text", "needs_width", "fills_margin")
    kinds = [block_kinds()[block.kind] for block in screen.blocks]
    return not any(getattr(kind, name, False) for kind in kinds for name in takes_it)


def _takes_chips(block: Block) -> bool:
    return isinstance(block_kinds()[block.kind], ChipTarget)


def _linked(html: SafeString, context: PageContext) -> SafeString:
    """Return a part with the links of its course; blocks have texts of their authors too."""
    return with_course_links(html, context.course.slug) if context.course else html


def _kind_of(token: Token) -> str:
    """Return the block kind that a fence names, or "" when it is no block."""
    words = token.info.split() if token.type == "fence" else []
    return words[0] if words and words[0] in block_kinds() else ""


@dataclass(eq=False)
class _Draft:
    """A screen before its prose is rendered: its chips must first know their figures."""

    line: int
    first_line: int  # of the whole text
    parts: list[Block | list[Token]] = field(default_factory=list)

    @property
    def targets(self) -> list[Block]:
        return [part for part in self.parts if isinstance(part, Block) and _takes_chips(part)]


def _drafts(
    tokens: Sequence[Token], path: str, first_line: int, problems: list[ContentProblem]
) -> tuple[list[_Draft], bool]:
    """Return the screens of a text, and whether a block is missing since it could not be read."""
    drafts, counts, spoilt = [_Draft(first_line, first_line)], dict[str, int](), False
    for stretch in _stretches(tokens):
        if isinstance(stretch, list):
            drafts[-1].parts.append(stretch)
        elif begins_screen(stretch):
            line = first_line + (stretch.map[0] if stretch.map else 0)
            if drafts[-1].parts:
                drafts.append(_Draft(line, first_line))
            elif len(drafts) > 1 or drafts[-1].line != first_line:
                problems.append(ContentProblem(path, drafts[-1].line, "this screen is empty"))
            drafts[-1].line = line
        else:
            kind, earlier = _kind_of(stretch), frozenset(counts)
            counts[kind] = counts.get(kind, 0) + 1
            key = f"{kind}-{counts[kind]}"
            try:
                block = _block(stretch, path, first_line, key, problems)
                drafts[-1].parts.append(replace(block, earlier=earlier))
            except ContentError as error:
                problems.extend(error.problems)
                spoilt = True
    if len(drafts) > 1 and not drafts[-1].parts:
        problems.append(ContentProblem(path, drafts.pop().line, "this screen is empty"))
    return drafts, spoilt


def _aimed(
    draft: _Draft,
    drafts: Sequence[_Draft],
    path: str,
    spoilt: bool,
    problems: list[ContentProblem],
) -> Iterator[AimedChip]:
    """Aim the chips of a screen at their figures: the one they name, or the only one there is."""
    for part in draft.parts:
        if isinstance(part, Block):
            continue
        for token, chip in chips_in(part, draft.first_line):
            block, fault = _target(chip, draft, drafts)
            if block:
                aim(token, chip, str(block.options.get("id", "")))
            elif chip.fault or not spoilt:  # it may mean the block that could not be read
                problems.append(ContentProblem(path, chip.line, fault))
            yield AimedChip(chip, block)


def _target(chip: Chip, draft: _Draft, drafts: Sequence[_Draft]) -> tuple[Block | None, str]:
    """Return the block that a chip drives, or None and the fault."""
    if chip.fault:
        return None, chip.fault
    everywhere = [block for one in drafts for block in one.targets]
    ids = ", ".join(str(block.options.get("id")) for block in everywhere)
    if not everywhere:
        return None, f"{{{chip.verb} ...}}: this step has no figure"
    if chip.figure:
        named = [block for block in everywhere if block.options.get("id") == chip.figure]
        name = f"{chip.figure}.{chip.values[0][0]}"
        fault = f"{{{chip.verb} {name}=...}}: this step has no such figure; it has {ids}"
        return (named[0], "") if named else (None, fault)
    near = draft.targets or everywhere
    if len(near) > 1:
        name = chip.values[0][0]
        words = f"must name one of the figures {ids}, as in {near[0].options.get('id')}.{name}=..."
        return None, f"{{{chip.verb} {name}=...}}: {words}"
    return near[0], ""


def _screen(draft: _Draft) -> Screen:
    parts = (part if isinstance(part, Block) else _prose(part) for part in draft.parts)
    return Screen(draft.line, tuple(parts))


def _stretches(tokens: Sequence[Token]) -> Iterator[Token | list[Token]]:
    """Yield block fences and beginnings of screens one by one, the tokens between them together."""
    between: list[Token] = []
    for token in tokens:
        if (token.level == 0 and _kind_of(token)) or begins_screen(token):
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
    return Prose(format_html('<div class="prose">{}</div>', html), words, _running_words(tokens))


def _running_words(tokens: Sequence[Token]) -> int:
    """Count the words in paragraphs, lists and headings, without formulas."""
    count, in_table = 0, False
    for token in tokens:
        if token.type in {"table_open", "table_close"}:
            in_table = token.type == "table_open"
        if token.type == "inline" and not in_table:
            text = "".join(_read_aloud(part) for part in token.children or ())
            count += sum(any(map(str.isalnum, word)) for word in text.split())
    return count


def _read_aloud(part: Token) -> str:
    if part.type in {"softbreak", "hardbreak"}:
        return " "
    return part.content if part.type in {"text", "code_inline"} else ""


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
                path, line, f"a {word} block must not be inside a list or quotation"
            )
        elif word not in block_kinds() and not is_language(word):
            kinds = ", ".join(sorted(block_kinds()))
            yield ContentProblem(
                path, line, f"{word!r} is neither a block ({kinds}) nor a language"
            )
