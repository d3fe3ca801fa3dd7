"""What a person, an address and all newcomers may ask for: the numbers, and how a request counts.

A person is an account, or a browser with the signed cookie of a learner; a newcomer is anybody who
has no account. A stranger, who brings neither, leaves a part of what the address and the newcomers
have to those who are known: a program without cookies stops no class.
"""

import logging
import math
import random
from dataclasses import dataclass

from django.db import Error as AnyDatabaseError
from django.http import HttpRequest

from quizzes.limits.bucket import Bucket, waits
from quizzes.limits.client_address import client_address, network_of
from quizzes.limits.learner_cookie import named_learner

log = logging.getLogger(__name__)

LEFT_BY_STRANGERS = 0.25
LUMP = 0.05  # seconds: what costs less is charged as this, by chance


class LimitReachedError(Exception):
    """Nothing is left for this request; there may be in `wait_seconds`."""

    def __init__(self, wait_seconds: int) -> None:
        super().__init__(f"nothing is left for {wait_seconds} s")
        self.wait_seconds = wait_seconds


@dataclass(frozen=True)
class Limit:
    """A bucket for each person, for each address, and for all newcomers together."""

    person: Bucket
    address: Bucket
    newcomers: Bucket | None = None

    def parts(self, request: HttpRequest) -> list[tuple[Bucket, str, float]]:
        """Return the buckets of a request, whose they are, and what must be left of them.

        The person's comes first: one who is refused takes nothing from the address.
        """
        address = network_of(client_address(request))
        if address is None:
            return []
        person = person_of(request)
        leave = 0.0 if person else LEFT_BY_STRANGERS
        parts = [(self.person, person, 0.0)] if person else []
        parts.append((self.address, address, leave))
        if self.newcomers and is_newcomer(request):
            parts.append((self.newcomers, "", leave))
        return parts

    def wait(self, request: HttpRequest, cost: float = 1) -> int:
        """Return 0, or the whole seconds to wait; take nothing. One query."""
        return math.ceil(max(waits(self.parts(request), cost), default=0.0))

    def spend(self, request: HttpRequest, cost: float = 1) -> None:
        """Take `cost` from every bucket of the request. Raises LimitReachedError.

        All are looked at first: a refusal writes nothing.
        """
        parts = self.parts(request)
        wait = max(waits(parts, cost), default=0.0)
        for bucket, source, leave in parts:
            wait = wait or bucket.take(source, cost, leave=leave)
        if wait:
            raise LimitReachedError(max(1, math.ceil(wait)))

    # A picture needs no database. One that cannot be read or written now, or whose disk is full,
    # takes no figure from a reader, and no page whose address has a figure's parameters.
    def refuse_overdrawn(self, request: HttpRequest) -> None:
        """Raise LimitReachedError where more was charged than there was."""
        try:
            wait = self.wait(request, 0)
        except AnyDatabaseError:
            log.warning("what was charged cannot be read: nobody is refused")
            return
        if wait:
            raise LimitReachedError(wait)

    def charge(self, request: HttpRequest, cost: float) -> None:
        """Take what a request has used.

        A slider asks for thirty small figures a second, which would be thirty writes. So a lump is
        charged now and then, as often as makes the sum right.
        """
        if cost < LUMP:
            if random.random() * LUMP >= cost:  # noqa: S311 -- no secret
                return
            cost = LUMP
        try:
            for bucket, source, _ in self.parts(request):
                bucket.charge(source, cost)
        except AnyDatabaseError:
            log.warning("%.2f s are not charged: the database takes no writes", cost)


def is_newcomer(request: HttpRequest) -> bool:
    """Return whether a request comes over a network from somebody without an account."""
    is_near = network_of(client_address(request)) is None
    return not is_near and not person_of(request).startswith("account")


def person_of(request: HttpRequest) -> str:
    """Return a key that tells one person from another, "" for a stranger.

    Only what we gave counts: a made-up cookie would be a new person with each request.
    """
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return f"account {user.pk}"
    learner = named_learner(request)
    return f"learner {learner}" if learner else ""


# Somebody who writes and answers as fast as the pages let them saves twice a second at most.
POSTS = Limit(
    person=Bucket("posts", per_second=4, at_once=120),
    address=Bucket("posts of an address", per_second=200, at_once=6000),
)
# Posts below /accounts/: each costs a hash of a password, 50 ms of a processor.
SIGN_INS = Limit(
    person=Bucket("accounts", per_second=0.2, at_once=20),
    address=Bucket("accounts of an address", per_second=10, at_once=1000),
)
# Rows of 300 bytes, with their indexes, that are kept for visitors without an account. 200 of them
# behind one address work through a lesson and check the longest code of a course at once; all that
# there are, at any number of addresses, fill 12 MB at once and 30 KB a second. Pictures of figures
# and X-rays are not charged beyond their code: of each, the newest 200 of all visitors are kept
# (exercises/queue/batch_pictures.py).
ROW_BYTES = 300
ROWS = Limit(
    person=Bucket("rows", per_second=1, at_once=350),
    address=Bucket("rows of an address", per_second=50, at_once=20_000),
    newcomers=Bucket("rows of all newcomers", per_second=100, at_once=40_000),
)
NEWCOMER_ROWS = 10  # a learner or an account: a program that makes them is to stop early
SUBMISSION_ROWS = 7  # beside its code: the row, its place in the queue, its report
ATTEMPT_ROWS = 14  # a quiz begun: a row for each question that was drawn
# Seconds of the processor, charged when they are used.
SECONDS = Limit(
    person=Bucket("seconds", per_second=0.02, at_once=3, overdraft=3),
    address=Bucket("seconds of an address", per_second=1, at_once=150, overdraft=150),
    newcomers=Bucket("seconds of all newcomers", per_second=1, at_once=150, overdraft=150),
)


def rows_of(size: int) -> int:
    """Return the number of rows that a text of this many bytes counts as."""
    return math.ceil(size / ROW_BYTES)
