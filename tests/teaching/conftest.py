"""A quiz, a step of a lesson, and instructors' browsers, all of the home course."""

import pytest

from tests.assessment.conftest import generated, learner, load, pool, quiz
from tests.classes.conftest import ida
from tests.courses import some_course
from tests.factories import create_browser, create_exercise, create_lesson

__all__ = ["generated", "ida", "learner", "load", "pool", "quiz"]


@pytest.fixture
def course(db):
    return some_course()


@pytest.fixture(autouse=True)
def step(request):
    """The step that the questions of the tests name; journeys have the whole course."""
    if "site" in request.fixturenames:
        return None
    request.getfixturevalue("db")
    return create_lesson("sums", ["adding"]).steps.get()


@pytest.fixture
def exercise(course):
    return create_exercise()


@pytest.fixture
def ada(db):
    return create_browser("ada", role="editor")


@pytest.fixture
def bob(db):
    return create_browser("bob", role="editor")
