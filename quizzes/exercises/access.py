"""Who opens what others do not: rooms that know reasons register a rule for each.

Without a rule only superusers open another person's submission, and nobody is assigned an
exercise. What staff open is written in the audit log.
"""

from collections.abc import Callable

from django.contrib.auth.models import AnonymousUser

from quizzes.courses.audit import record_opening
from quizzes.exercises.models import Exercise, Submission
from quizzes.learners.models import Learner, User

Rule = Callable[[User | AnonymousUser, Submission], bool]
AssignedRule = Callable[[Learner, Exercise], bool]
_rules: list[Rule] = []
_assigned_rules: list[AssignedRule] = []


def register(rule: Rule) -> None:
    """Let `open_to_staff` ask this rule; the last one registered counts."""
    _rules[:] = [rule]


def open_to_staff(user: User | AnonymousUser, submission: Submission) -> bool:
    """Return whether this account opens another person's submission, and write down that it did."""
    if not isinstance(user, User) or not user.is_active:
        return False
    if not user.is_superuser and not (_rules and _rules[0](user, submission)):
        return False
    course = submission.exercise_version.exercise.course
    record_opening(by=user, about=f"submission {submission.pk}", course=course)
    return True


def register_assigned(rule: AssignedRule) -> None:
    """Let `is_assigned` ask this rule; the last one registered counts."""
    _assigned_rules[:] = [rule]


def is_assigned(learner: Learner, exercise: Exercise) -> bool:
    """Return whether somebody wants this exercise of this learner, withdrawn or not."""
    return bool(_assigned_rules and _assigned_rules[0](learner, exercise))
