"""Own numbers under a name in addresses, as an encoding of the catalogue is under its slug.

A name says nothing about who may see them: whoever answers a request asks `visible_numbers` first.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.http import Http404, HttpRequest
from posenc.registry import Entry

from quizzes.hooks import Hook
from quizzes.learners.services import current_learner

OWN = re.compile(r"(?:run-[0-9a-f]{32}-[0-9]{1,2}|shared-[A-Za-z0-9_-]{1,32})", re.ASCII)
YOURS = "Yours"
KEPT = 8  # tables of at most 1 MB in each web process


@dataclass(frozen=True, eq=False)
class OwnNumbers:
    """Numbers that a program returned. `owner`: the one learner who may see them; None: everybody.

    `name` is text that its owner typed, or "Yours". `size` says in words what it was called with.
    `entry` makes its views, once for each process.
    """

    name: str
    size: str
    made_at: datetime
    owner: int | None
    entry: Callable[[], Entry]


@Hook
def stored_numbers(slug: str) -> OwnNumbers | None:
    """Return the numbers with this name in addresses, whoever asks; None where there are none."""


def is_own(slug: str) -> bool:
    """Return whether a name in an address is one of own numbers, and of no encoding."""
    return OWN.fullmatch(slug) is not None


def visible_numbers(request: HttpRequest, slug: str) -> OwnNumbers | None:
    """Return numbers that this request may see; None for others, and for what was deleted."""
    numbers = stored_numbers(slug) if is_own(slug) else None
    if numbers is None or numbers.owner is None:
        return numbers
    learner = current_learner(request)
    is_owner = learner is not None and learner.pk == numbers.owner and learner.only_course is None
    return numbers if is_owner else None


def own_entry(slug: str) -> Entry | None:
    """Return own numbers as an entry with views; None for a name that is not of such.

    Raises Http404 for numbers that are gone.
    """
    return _entry(slug) if is_own(slug) else None


@lru_cache(maxsize=KEPT)
def _entry(slug: str) -> Entry:
    """Return the entry of numbers, which never change under one name."""
    numbers = stored_numbers(slug)
    if numbers is None:
        raise Http404(f"no numbers {slug!r}")
    return numbers.entry()
