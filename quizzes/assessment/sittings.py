"""What an attempt is begun for, and what then holds: window, deadline, limits, what is shown.

A sitting is the key of work that a room above gives out. That room registers one function when
Django starts, and its rules are asked each time an attempt begins, with the learner's row locked.
Without such a function there is only free practice, the sitting None. Which sittings belong
together is asked of that room as well.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from quizzes.assessment.models import Quiz
from quizzes.learners.models import Learner

PRACTICE = None


@dataclass(frozen=True)
class Sitting:
    """The rules of one sitting for one learner at one time.

    `why_not` is a sentence for the learner where a new attempt may not begin. `attempts_left` is
    None without a limit, `deadline` that of an attempt that begins now.
    """

    sitting: int | None
    may_start: bool
    why_not: str
    deadline: datetime | None
    attempts_left: int | None
    shows_marks: bool
    shows_answers: bool
    shuffle_questions: bool


Rules = Callable[[Learner, Quiz, int | None, datetime], Sitting]
_rules: list[Rules] = []


@dataclass(frozen=True)
class Offer:
    """Work that a learner may do at a quiz, as its page shows it.

    `title` is that of the class, `says` one sentence about dates and attempts. `is_begun`: an
    attempt is open. Where `rules` refuse a new attempt, the page says why.
    """

    rules: Sitting
    title: str
    says: str
    is_begun: bool = False


Offers = Callable[[Learner, Quiz, datetime], Sequence[Offer]]
_offers: list[Offers] = []

Siblings = Callable[[Collection[int | None]], Mapping[int | None, Collection[int | None]]]
_siblings: list[Siblings] = []


class SittingClosedError(Exception):
    """A new attempt may not begin now; `str()` says why, to the learner."""


def register(rules: Rules) -> None:
    """Let `rules_of` call this function; the last one registered counts."""
    _rules[:] = [rules]


def register_offers(offers: Offers) -> None:
    """Let `offers_of` call this function; the last one registered counts."""
    _offers[:] = [offers]


def register_siblings(siblings: Siblings) -> None:
    """Let `siblings_of` call this function; the last one registered counts."""
    _siblings[:] = [siblings]


def siblings_of(
    sittings: Collection[int | None],
) -> Mapping[int | None, Collection[int | None]]:
    """Return for each of these sittings those of the same class, itself among them."""
    return _siblings[0](sittings) if _siblings else {sitting: (sitting,) for sitting in sittings}


def offers_of(learner: Learner | None, quiz: Quiz, now: datetime) -> Sequence[Offer]:
    """Return the sittings of a quiz, apart from practice, that concern a learner now."""
    if learner is None or not _offers:
        return ()
    return _offers[0](learner, quiz, now)


def rules_of(learner: Learner, quiz: Quiz, sitting: int | None, now: datetime) -> Sitting:
    """Return what holds for an attempt that this learner begins now."""
    if _rules:
        return _rules[0](learner, quiz, sitting, now)
    if sitting != PRACTICE:
        return refused(sitting, f"There is no work {sitting} at this quiz.")
    return free_practice()


def free_practice() -> Sitting:
    """Return the rules of practice: as often and as long as one likes."""
    return Sitting(
        sitting=PRACTICE,
        may_start=True,
        why_not="",
        deadline=None,
        attempts_left=None,
        shows_marks=True,
        shows_answers=True,
        shuffle_questions=False,
    )


def refused(sitting: int | None, why_not: str) -> Sitting:
    """Return the rules of a sitting that may not begin."""
    return Sitting(
        sitting=sitting,
        may_start=False,
        why_not=why_not,
        deadline=None,
        attempts_left=0,
        shows_marks=False,
        shows_answers=False,
        shuffle_questions=False,
    )
