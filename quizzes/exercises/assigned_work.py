"""What classes have of exercises to do, asked of the room that knows classes.

That room fills the hooks; without it no exercise is assigned to anybody.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from quizzes.exercises.models import Exercise
from quizzes.hooks import Hook
from quizzes.learners.models import Learner


@dataclass(frozen=True)
class SubmitRules:
    """What classes say of one Submit more: why not, "" where nothing speaks against it.

    `counts`: it can count in a class, now or when the work opens.
    """

    why_not: str = ""
    counts: bool = False


@Hook
def submit_rules(learner: Learner, exercise: Exercise, now: datetime) -> SubmitRules:  # noqa: ARG001
    """Return the rules for another Submit. Call this while the learner's row is locked."""
    return SubmitRules()


@Hook
def assignments_open_since(at: datetime) -> Mapping[int, int]:  # noqa: ARG001
    """Return the number of assignments of each exercise, by its key, open at `at` or later.

    One that opens later is among them.
    """
    return {}


@Hook
def submits_expected(now: datetime) -> Mapping[int, int]:  # noqa: ARG001
    """Return how many Submits that count each exercise, by its key, will get in the next days.

    An exercise without any is missing.
    """
    return {}
