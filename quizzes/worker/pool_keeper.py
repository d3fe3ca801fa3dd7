"""Pools that a worker fills ahead: one keeper for case packs and for questions with fresh numbers.

Drawing runs an author's code for some tenths of a second, so nothing is drawn while a page is made
or a submission waits: learners get what a pool holds. A pool that runs low is filled by the
worker's background thread, for a moment at a time, the lowest first. What could go wrong is that
one bad exercise or question holds up all others, restarts the sandbox for ever, or that a sick
machine turns good ones off. Hence one rule for both pools:

**The author's fault** is a DefinitionError: the code raised, looped, or gave what nobody can store.
A busy machine looks the same, and is still busy a moment later; so the version rests, and is drawn
again later with the same seeds: a fault that few seeds show must not pass by luck. At the third
failure the version is marked with the error, which its teaching page shows, and nothing more is
drawn for it until somebody asks or a new version comes. Learners keep what is in the pool.

**Our failure** is everything else: no sandbox, a sandbox that broke, the database, a fault of this
program. Nothing is marked, since it says nothing of the author, and it does not count among the
three. After a failure that concerns all, such as a missing sandbox, the keeper rests as well
(`background`). A failure is logged once, not at every try.

Either way a version whose draw failed **rests**, 20 s and then twice as long each time, at most an
hour, while others are drawn.
"""

import logging
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

from django.db import DatabaseError, models

from quizzes.grader.api import DefinitionError, Sandbox, SandboxUnavailable
from quizzes.grader.sandbox import open_sandbox

PIECE_SECONDS = 2.0  # of filling one kind of pool before the other kinds of work have their turn
REST_SECONDS = 20.0
LONGEST_REST_SECONDS = 3600.0
FAULTS_TO_MARK = 3  # of the author, with a rest between them

Opener = Callable[[str], AbstractContextManager[Sandbox]]
Version = TypeVar("Version", bound=models.Model)
logger = logging.getLogger(__name__)


class AuthorSandboxes:
    """The two sandboxes for authors' code: opened when first asked for, kept until `close`.

    Starting torch in both takes longer than verifying a torch exercise: the next piece of work
    finds them ready. A sandbox that cannot be opened raises SandboxUnavailable where it is asked
    for.
    """

    def __init__(self, opener: Opener = open_sandbox) -> None:
        self._opener = opener
        self._opened: dict[str, Sandbox] = {}
        self._stack = ExitStack()

    @property
    def author(self) -> Sandbox:
        """Where the author's own code runs."""
        return self._open("author")

    @property
    def student(self) -> Sandbox:
        """Where submissions run: the reference must be right there as well."""
        return self._open("student")

    def close(self) -> None:
        """End both; asked again, they are opened again."""
        self._opened.clear()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def _open(self, profile: str) -> Sandbox:
        if profile not in self._opened:
            self._opened[profile] = self._stack.enter_context(self._opener(profile))
        return self._opened[profile]


class Pool(Protocol[Version]):
    """What the keeper asks of a kind of pool: the lowest, a draw, a mark for an author's fault."""

    def lowest(self, *, without: Collection[int]) -> Version | None:
        """Return the version that lacks most, None when none does; `without` these keys."""
        ...

    def new_seeds(self) -> Sequence[int]:
        """Return the seeds of one draw."""
        ...

    def draw(self, version: Version, seeds: Sequence[int], author: Sandbox) -> None:
        """Store what these seeds give. Raises DefinitionError when the author is at fault."""
        ...

    def mark(self, version: Version, problem: str) -> None:
        """Note the author's fault, so that `lowest` leaves the version out."""
        ...


@dataclass
class Trouble:
    """What went wrong with a version since it was last drawn."""

    seeds: Sequence[int] = ()  # of the draw in which the author seemed at fault
    faults: int = 0  # of the author, with these seeds
    is_reported: bool = False  # that we failed
    next_rest: float = REST_SECONDS
    rests_until: float = 0.0

    def rest(self) -> None:
        """Begin a rest, the next one twice as long."""
        self.rests_until = time.monotonic() + self.next_rest
        self.next_rest = min(2 * self.next_rest, LONGEST_REST_SECONDS)


class PoolKeeper(Generic[Version]):
    """Fills one kind of pool; see the rule above for what happens when a draw fails.

    `troubles`, by version: those of another keeper that draws the same things. A version that rests
    there rests here too.
    """

    def __init__(
        self,
        pool: Pool[Version],
        sandboxes: AuthorSandboxes,
        *,
        stopping: threading.Event,
        alone: Callable[[], AbstractContextManager[bool]] = lambda: nullcontext(True),
        troubles: dict[int, Trouble] | None = None,
    ) -> None:
        self._pool = pool
        self._alone = alone
        self._sandboxes = sandboxes
        self._stopping = stopping
        self._troubles = {} if troubles is None else troubles

    def fill(self) -> bool:
        """Draw for a moment where most is lacking; False when nothing is, or all of it rests.

        False too while another process fills these pools: it would draw for the same version.
        Raises our failures that concern more than one version.
        """
        if self._lowest() is None:
            return False
        with self._alone() as alone:
            return alone and self._fill(self._lowest())

    def _fill(self, version: Version | None) -> bool:
        until = time.monotonic() + PIECE_SECONDS
        while version is not None and not self._stopping.is_set():
            self._draw(version)
            version = self._lowest() if time.monotonic() < until else None
        return True

    def _lowest(self) -> Version | None:
        now = time.monotonic()
        resting = [pk for pk, trouble in self._troubles.items() if trouble.rests_until > now]
        return self._pool.lowest(without=resting)

    def _draw(self, version: Version) -> None:
        author = self._sandboxes.author
        try:
            self._draw_or_note(version, author)
        except Exception as error:
            self._rest_after_ours(version, error)
            self._sandboxes.close()
            if isinstance(error, SandboxUnavailable | DatabaseError):
                raise

    def _draw_or_note(self, version: Version, author: Sandbox) -> None:
        trouble = self._troubles.get(version.pk, Trouble())
        seeds = trouble.seeds or self._pool.new_seeds()
        try:
            self._pool.draw(version, seeds, author)
        except DefinitionError as error:
            self._note_fault(version, seeds, error)
        else:
            self._troubles.pop(version.pk, None)

    def _note_fault(self, version: Version, seeds: Sequence[int], error: DefinitionError) -> None:
        trouble = self._troubles.setdefault(version.pk, Trouble())
        trouble.seeds = seeds
        trouble.faults += 1
        if trouble.faults < FAULTS_TO_MARK:
            trouble.rest()
            logger.warning("%s is drawn again later, with the same seeds: %s", version, error)
            return
        self._pool.mark(version, str(error))
        del self._troubles[version.pk]
        logger.error("%s cannot be drawn, its author is at fault: %s", version, error)

    def _rest_after_ours(self, version: Version, error: Exception) -> None:
        trouble = self._troubles.setdefault(version.pk, Trouble())
        trouble.rest()
        if not trouble.is_reported:
            trouble.is_reported = True
            logger.error("%s is drawn later, we failed: %r", version, error, exc_info=error)
