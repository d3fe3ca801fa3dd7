"""Functions of this room for other rooms."""

from quizzes.learners.account_merge import adopt, hold_learner
from quizzes.learners.assigned_work import is_assigned
from quizzes.learners.hidden_answers import hidden_answers, hidden_slugs, may_show
from quizzes.learners.identity import (
    current_learner,
    forget_cookie,
    kept_learner,
    learner_for_writing,
)
from quizzes.learners.progress import (
    progress_of,
    record_progress,
    record_states,
    rename_progress,
    rename_progress_below,
)
from quizzes.learners.review import (
    due_cards,
    due_cards_of,
    due_count,
    due_count_of,
    next_waiting_card,
    note_missed,
    note_outcomes,
    record_review,
    rename_cards,
    rename_cards_below,
    set_cards_aside,
)

__all__ = [
    "adopt",
    "current_learner",
    "due_cards",
    "due_cards_of",
    "due_count",
    "due_count_of",
    "forget_cookie",
    "hidden_answers",
    "hidden_slugs",
    "hold_learner",
    "is_assigned",
    "kept_learner",
    "learner_for_writing",
    "may_show",
    "next_waiting_card",
    "note_missed",
    "note_outcomes",
    "progress_of",
    "record_progress",
    "record_review",
    "record_states",
    "rename_cards",
    "rename_cards_below",
    "rename_progress",
    "rename_progress_below",
    "set_cards_aside",
]
