"""A quiz, a step of a lesson, and instructors' browsers."""

import pytest

from quizzes.lessons.models import Course, Lesson, Step
from tests.assessment.conftest import learner, load, quiz  # noqa: F401  (fixtures)
from tests.teaching.accounts import account


@pytest.fixture(autouse=True)
def step(request):
    """The step that the questions of the tests name; journeys have the whole course."""
    if "site" in request.fixturenames:
        return None
    request.getfixturevalue("db")
    course = Course.objects.create(slug="sums", title="Sums")
    lesson = Lesson.objects.create(course=course, slug="sums", title="Sums", number=1)
    return Step.objects.create(
        lesson=lesson, slug="adding", title="Adding", number=1, text="", reading_seconds=60
    )


@pytest.fixture
def ada(db):
    return account("ada", teaches=True)


@pytest.fixture
def bob(db):
    return account("bob", teaches=True)
