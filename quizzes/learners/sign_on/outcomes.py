"""How the last sign-ins by each provider ended, for the page of operators.

The web runs in several processes, so this lies where all of them look: in the cache, a table of the
database. It has one row for each provider and outcome, which the next of its kind replaces, and
nothing that says who signed in. Faults can be caused by anybody, as fast as they like: a process
writes each outcome of a provider once a second at most. So a flood of one fault hides no other,
and costs one small write a second; what is shown is at most a second old.
"""

import logging
import math
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum

from django.core.cache import cache
from django.db import DatabaseError

from quizzes.learners.sign_on.faults import Fault
from quizzes.learners.sign_on.providers import OidcProvider

log = logging.getLogger(__name__)
KEPT_DAYS = 90
MOST_DETAIL = 300  # characters
BETWEEN_WRITES = 1.0  # seconds
_written_at: dict[str, float] = {}  # by key of the cache


class Outcome(Enum):
    """What a right answer of a provider led to: whether the sign-in went on, and a sentence."""

    SIGNED_IN = (True, "Somebody signed in.")
    NEXT_STEP = (True, "Somebody was asked for a code, or the account is not active.")
    SIGN_UP = (True, "Somebody new was asked to choose a user name.")
    CONNECTED = (True, "Somebody connected an account.")
    CONFIRMED = (True, "Somebody confirmed a change.")
    NOT_OPENED = (
        False,
        "Somebody new got no account: sign-up is not open to them, or an account has the address.",
    )
    NOT_CONNECTED = (
        False,
        "Nothing was connected: another account has this one, or a password was asked for first.",
    )


@dataclass(frozen=True)
class LastOutcome:
    """The last outcome of its kind."""

    outcome: Outcome | Fault
    at: datetime
    detail: str

    @property
    def is_answer(self) -> bool:
        """Whether the provider said who somebody is, and this site could read it."""
        return isinstance(self.outcome, Outcome)

    @property
    def is_success(self) -> bool:
        """Whether the sign-in went on."""
        return isinstance(self.outcome, Outcome) and self.outcome.value[0]

    @property
    def is_fault(self) -> bool:
        """Whether the provider, or this site, must be fixed: no visitor causes it alone."""
        return isinstance(self.outcome, Fault) and self.outcome.status >= 500

    @property
    def code(self) -> str:
        """The fault, as the log and the page of the person name it; "" without one."""
        return self.outcome.name.lower() if isinstance(self.outcome, Fault) else ""

    def sentence(self, name: str) -> str:
        """Return what happened."""
        if isinstance(self.outcome, Fault):
            return self.outcome.sentence(name)
        return self.outcome.value[1]


def note_outcome(provider: OidcProvider, outcome: Outcome | Fault, detail: str = "") -> None:
    """Write down how a sign-in ended. A database that takes no writes fails no sign-in."""
    key = _key(provider, outcome)
    now = time.monotonic()
    if now - _written_at.get(key, -math.inf) < BETWEEN_WRITES:
        return
    _written_at[key] = now
    try:
        cache.set(key, [time.time(), detail[:MOST_DETAIL]], KEPT_DAYS * 24 * 3600)
    except DatabaseError:
        log.warning("the outcome of a sign-in is not noted: the database takes no writes")


def last_outcomes(provider: OidcProvider) -> list[LastOutcome]:
    """Return the last outcome of each kind, the newest first. One query."""
    keys = {_key(provider, outcome): outcome for outcome in (*Outcome, *Fault)}
    rows = cache.get_many(list(keys))
    outcomes = [
        LastOutcome(keys[key], datetime.fromtimestamp(at, UTC), detail)
        for key, (at, detail) in rows.items()
    ]
    return sorted(outcomes, key=lambda last: last.at, reverse=True)


def _key(provider: OidcProvider, outcome: Outcome | Fault) -> str:
    return f"sign-on:{provider.id}:{type(outcome).__name__}:{outcome.name}".lower()
