"""What several parts of a page ask, read once.

The frame of a page and what stands in it ask for the same rows: how far a learner is, what work of
a class hides. No part knows of the other. So while a page that only reads is made, what was read is
kept under a key; all of the page is of one moment then. Nothing is kept for a request that may
write, and nothing after the page.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")
_READS: ContextVar[dict[Hashable, Any] | None] = ContextVar("page_reads", default=None)


@contextmanager
def reading_page() -> Iterator[None]:
    """Keep what is read until the outermost block ends."""
    before = _READS.get()
    _READS.set({} if before is None else before)
    try:
        yield
    finally:
        _READS.set(before)


def read_once(key: Hashable, read: Callable[[], T]) -> T:
    """Return what `read` returns, which is called once for a key on a page that only reads."""
    known = _READS.get()
    if known is None:
        return read()
    if key not in known:
        known[key] = read()
    value: T = known[key]
    return value


def is_reading() -> bool:
    """Say whether a page is made that only reads."""
    return _READS.get() is not None


def forget_read(key: Hashable) -> None:
    """Forget what was kept under a key, because it changes."""
    known = _READS.get()
    if known is not None:
        known.pop(key, None)


def note_read(key: Hashable, value: object) -> None:
    """Keep what was read by other means, where nothing is kept under its key yet."""
    known = _READS.get()
    if known is not None:
        known.setdefault(key, value)
