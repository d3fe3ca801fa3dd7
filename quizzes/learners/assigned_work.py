"""Whether a class has something for a learner to do, for rooms that know nothing of classes.

The room of classes registers its rule; without one nothing is assigned to anybody.
"""

from collections.abc import Callable

from django.db.models import Model

from quizzes.learners.models import Learner

Rule = Callable[[Learner, Model], bool]
_rules: list[Rule] = []


def register_assigned_work(rule: Rule) -> None:
    """Let `is_assigned` ask this rule; the last one registered counts."""
    _rules[:] = [rule]


def is_assigned(learner: Learner, thing: Model) -> bool:
    """Return whether a class of this learner has a quiz, an exercise or a lesson to do."""
    return bool(_rules and _rules[0](learner, thing))
