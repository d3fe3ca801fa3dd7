"""The verbs of a course's question and quiz files, for the loader."""

from quizzes.assessment.reading import read_questions, read_quizzes
from quizzes.assessment.storing import (
    save_question,
    save_quiz,
    stored_questions,
    stored_quizzes,
)

__all__ = [
    "read_questions",
    "read_quizzes",
    "save_question",
    "save_quiz",
    "stored_questions",
    "stored_quizzes",
]
