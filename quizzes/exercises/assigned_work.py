"""What classes have of exercises to do, asked of the room that knows classes.

Its functions are registered when Django starts; without them no exercise is assigned to anybody.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from quizzes.exercises.models import Exercise
from quizzes.learners.models import Learner


@dataclass(frozen=True)
class SubmitRules:
    """What classes say of one Submit more: why not, "" where nothing speaks against it.

    `counts`: it can count in a class, now or when the work opens.
    """

    why_not: str = ""
    counts: bool = False


RulesOf = Callable[[Learner, Exercise, datetime], SubmitRules]
OpenSince = Callable[[datetime], Mapping[int, int]]
_rules: list[RulesOf] = []
_open: list[OpenSince] = []


def register(rules_of: RulesOf, open_since: OpenSince) -> None:
    """Let the functions below ask these; the last ones registered count."""
    _rules[:], _open[:] = [rules_of], [open_since]


def submit_rules(learner: Learner, exercise: Exercise, now: datetime) -> SubmitRules:
    """Return what holds for one Submit more. Call it with the learner's row held."""
    return _rules[0](learner, exercise, now) if _rules else SubmitRules()


def assignments_open_since(at: datetime) -> Mapping[int, int]:
    """Return for each exercise, by its key, how many assignments of it were open at `at` or later.

    One that opens later is among them.
    """
    return _open[0](at) if _open else {}
