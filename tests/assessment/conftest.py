"""A stored quiz of three questions, and learners."""

import pytest

from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.question_files import read_questions, read_quizzes
from quizzes.assessment.store import save_question, save_quiz
from quizzes.content_files.files import DiskFiles
from quizzes.learners.models import Learner
from quizzes.worker.question_pool import store_instance
from tests.assessment.content import write_question, write_quiz
from tests.assessment.drawn import SOURCE, YAML, made
from tests.courses import some_course


@pytest.fixture
def load(tmp_path):
    """Return a function that stores all below `tmp_path`, in the home course or another."""

    def store(into=None):
        (questions, problems), (quizzes, more) = (
            read_questions(DiskFiles(tmp_path)),
            read_quizzes(DiskFiles(tmp_path)),
        )
        assert not problems + more
        course = into or some_course()
        return [
            *(save_question(course, question) for question in questions),
            *(save_quiz(course, quiz) for quiz in quizzes),
        ]

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


@pytest.fixture
def generated(tmp_path, load):
    (write_question(tmp_path, "drawn", YAML).parent / "generate.py").write_text(SOURCE)
    write_question(tmp_path, "one")
    write_quiz(tmp_path, "sums", "drawn", "one")
    load()
    return Question.objects.select_related("current").get(slug="drawn")


@pytest.fixture
def pool(generated):
    return [store_instance(generated.current, made(seed)) for seed in range(4)]
