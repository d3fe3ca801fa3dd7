"""Rows of classes: people, and (beside them) their assignments."""

from quizzes.classes.models.people import (
    Announcement,
    Cohort,
    Comment,
    FrozenMarks,
    Membership,
)

__all__ = [
    "Announcement",
    "Cohort",
    "Comment",
    "FrozenMarks",
    "Membership",
]
