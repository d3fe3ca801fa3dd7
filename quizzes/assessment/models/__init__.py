"""Questions and quizzes, and what learners answered."""

from quizzes.assessment.models.attempts import Attempt, Response
from quizzes.assessment.models.drafts import QuestionDraft
from quizzes.assessment.models.questions import (
    FrozenVersionError,
    Option,
    Question,
    QuestionVersion,
    Quiz,
    QuizQuestion,
)

__all__ = [
    "Attempt",
    "FrozenVersionError",
    "Option",
    "Question",
    "QuestionDraft",
    "QuestionVersion",
    "Quiz",
    "QuizQuestion",
    "Response",
]
