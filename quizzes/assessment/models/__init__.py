"""Questions and quizzes, and what learners answered."""

from quizzes.assessment.models.attempts import RIGHT, Attempt, ForeignChoiceError, Response
from quizzes.assessment.models.draws import QuestionDraw
from quizzes.assessment.models.instances import Instance
from quizzes.assessment.models.questions import (
    AVAILABLE,
    FrozenVersionError,
    Option,
    Question,
    QuestionVersion,
    Quiz,
    QuizQuestion,
)
from quizzes.assessment.models.regrades import Regrade, RegradedResponse, WantedInstance

__all__ = [
    "AVAILABLE",
    "RIGHT",
    "Attempt",
    "ForeignChoiceError",
    "FrozenVersionError",
    "Instance",
    "Option",
    "Question",
    "QuestionDraw",
    "QuestionVersion",
    "Quiz",
    "QuizQuestion",
    "Regrade",
    "RegradedResponse",
    "Response",
    "WantedInstance",
]
