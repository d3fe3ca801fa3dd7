"""What other rooms ask of the learners' room."""

from quizzes.learners.adoption import adopt, learners_merging
from quizzes.learners.progress import progress_of, record_progress
from quizzes.learners.recognition import current_learner, learner_for_writing

__all__ = [
    "adopt",
    "current_learner",
    "learner_for_writing",
    "learners_merging",
    "progress_of",
    "record_progress",
]
