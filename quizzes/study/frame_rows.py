"""What the frame of every page counts for a learner, read with the progress in a course."""

from collections.abc import Mapping

from quizzes.classes.messages import UNREAD, unread_rows
from quizzes.learners.progress import Rows
from quizzes.learners.review import DUE, due_card_rows


def counts_of_frame(*, in_class: bool) -> Mapping[str, Rows]:
    """Return the cards that are due and, for somebody in a class, what is unread."""
    return {DUE: due_card_rows()} | ({UNREAD: unread_rows()} if in_class else {})
