"""A stored quiz of three questions, and learners."""

import pytest

from quizzes.assessment.files import read_questions, read_quizzes, save_question, save_quiz
from quizzes.assessment.models import Quiz
from quizzes.learners.models import Learner
from tests.assessment.content import write_question, write_quiz


@pytest.fixture
def load(tmp_path):
    """Return a function that stores all that lies below `tmp_path`, as the loader would."""

    def store():
        (questions, faults), (quizzes, more) = read_questions(tmp_path), read_quizzes(tmp_path)
        assert not faults + more
        return [save_question(one) for one in questions] + [save_quiz(one) for one in quizzes]

    return store


@pytest.fixture
def quiz(db, tmp_path, load):
    for slug in ("one", "two", "three"):
        write_question(tmp_path, slug)
    write_quiz(tmp_path, "sums", "two", "one", "three")
    load()
    return Quiz.objects.get(slug="sums")


@pytest.fixture
def learner(db):
    return Learner.objects.create()
