"""A quiz, a step of a lesson, and instructors' browsers, all of the home course."""

import pytest

from quizzes.assessment.models import Quiz
from quizzes.assessment.question_files import read_questions, read_quizzes
from quizzes.assessment.store import save_question, save_quiz
from quizzes.learners.models import Learner
from quizzes.lessons.models import Lesson, Step
from tests.assessment.content import write_question, write_quiz
from tests.courses import some_course
from tests.teaching.accounts import account


@pytest.fixture
def course(db):
    return some_course()


@pytest.fixture(autouse=True)
def step(request):
    """The step that the questions of the tests name; journeys have the whole course."""
    if "site" in request.fixturenames:
        return None
    course = request.getfixturevalue("course")
    lesson = Lesson.objects.create(course=course, slug="sums", title="Sums", number=1)
    return Step.objects.create(
        lesson=lesson, slug="adding", title="Adding", number=1, text="", reading_seconds=60
    )


@pytest.fixture
def load(tmp_path, course):
    """Return a function that stores all below `tmp_path`, in the home course or another."""

    def store(into=course):
        (questions, problems), (quizzes, more) = read_questions(tmp_path), read_quizzes(tmp_path)
        assert not problems + more
        return [
            *(save_question(into, one) for one in questions),
            *(save_quiz(into, one) for one in quizzes),
        ]

    return store


@pytest.fixture
def quiz(course, tmp_path, load):
    for slug in ("one", "two", "three"):
        write_question(tmp_path, slug)
    write_quiz(tmp_path, "sums", "two", "one", "three")
    load()
    return Quiz.objects.get(course=course, slug="sums")


@pytest.fixture
def learner(db):
    return Learner.objects.create()


@pytest.fixture
def ada(db):
    return account("ada", teaches=True)


@pytest.fixture
def bob(db):
    return account("bob", teaches=True)
