"""Rows of classes: people, their assignments, and what was done about their mistakes."""

from quizzes.classes.models.links import LinkMail, LinkRun
from quizzes.classes.models.people import (
    Announcement,
    Cohort,
    Comment,
    FrozenMarks,
    Membership,
)
from quizzes.classes.models.week import Deed
from quizzes.classes.models.work import Assignment, AssignmentException, MarkOverride

__all__ = [
    "Announcement",
    "Assignment",
    "AssignmentException",
    "Cohort",
    "Comment",
    "Deed",
    "FrozenMarks",
    "LinkMail",
    "LinkRun",
    "MarkOverride",
    "Membership",
]
