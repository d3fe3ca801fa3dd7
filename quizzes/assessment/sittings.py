"""What an attempt is begun for, and what then holds: window, deadline, limits, what is shown.

A sitting is the key of work that a room above gives out; that room fills the hooks. Its rules are
asked each time an attempt begins, with the learner's row locked. Without that room there is only
free practice, the sitting None.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from quizzes.assessment.models import Quiz
from quizzes.hooks import Hook
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


@dataclass(frozen=True)
class Offers:
    """What the page of a quiz offers a learner: work of classes, and practice by its rules."""

    work: Sequence[Offer]
    practice: Sitting


class SittingClosedError(Exception):
    """A new attempt may not begin now; `str()` says why, to the learner."""


@Hook
def siblings_of(
    sittings: Collection[int | None],
) -> Mapping[int | None, Collection[int | None]]:
    """Return the sittings of the same class for each of these sittings, including itself."""
    return {sitting: (sitting,) for sitting in sittings}


@Hook
def offers_of(learner: Learner, quiz: Quiz, now: datetime) -> Offers:  # noqa: ARG001
    """Return the sittings of a quiz that concern a learner now, and the rules of practice."""
    return Offers((), free_practice())


@Hook
def rules_of(learner: Learner, quiz: Quiz, sitting: int | None, now: datetime) -> Sitting:  # noqa: ARG001
    """Return the rules for an attempt that this learner starts now."""
    if sitting != PRACTICE:
        return refused(sitting, f"This quiz has no assignment {sitting}.")
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
