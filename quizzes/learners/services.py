"""What other rooms ask of the learners' room."""

from quizzes.learners.adoption import adopt, hold_learner, learners_merging
from quizzes.learners.progress import progress_of, record_progress
from quizzes.learners.recognition import current_learner, forget_cookie, learner_for_writing
from quizzes.learners.review import (
    due_cards,
    due_count,
    note_missed,
    note_remembered,
    review,
)

__all__ = [
    "adopt",
    "current_learner",
    "due_cards",
    "due_count",
    "forget_cookie",
    "hold_learner",
    "learner_for_writing",
    "learners_merging",
    "note_missed",
    "note_remembered",
    "progress_of",
    "record_progress",
    "review",
]
