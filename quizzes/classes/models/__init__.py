"""Rows of classes: people, and (beside them) their assignments."""

from quizzes.classes.models.people import (
    Announcement,
    Cohort,
    Comment,
    FrozenMarks,
    Membership,
)
from quizzes.classes.models.work import Assignment, AssignmentException, MarkOverride

__all__ = [
    "Announcement",
    "Assignment",
    "AssignmentException",
    "Cohort",
    "Comment",
    "FrozenMarks",
    "MarkOverride",
    "Membership",
]
