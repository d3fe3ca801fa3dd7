"""The questions and the exercise whose work is regraded: those of the rooms below."""

import pytest

from quizzes.learners.models import User
from tests.assessment.conftest import generated, learner, load, pool, quiz
from tests.exercises.conftest import exercise

__all__ = ["exercise", "generated", "learner", "load", "pool", "quiz"]


@pytest.fixture
def staff(db: None) -> User:
    return User.objects.create_user("staff")
