"""Questions that ask for a number, written in the browser."""

import pytest

from quizzes.assessment.models import Question
from quizzes.assessment.numeric import answer_from_json
from tests.teaching.test_questions import ada, client, quiz  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
