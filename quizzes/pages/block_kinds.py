"""What a page is made of, and the register of block kinds.

The applications above register their kinds when they start (`AppConfig.ready`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.http import HttpRequest
from django.utils.safestring import SafeString

from quizzes.pages.source import Fault, Node


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
