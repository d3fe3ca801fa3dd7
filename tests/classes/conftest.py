"""A class of the home course; an instructor without a class, a browser of the one who teaches."""

import pytest

from tests.courses import some_course
from tests.exercises.making import ready_exercise
from tests.factories import browser_of, create_account, create_class, create_member


@pytest.fixture
def course(db):
    return some_course()


@pytest.fixture
def cohort(db):
    return create_class()


@pytest.fixture
def ida(db):
    return create_account("ida", role="")


@pytest.fixture
def teacher(cohort):
    return browser_of(create_member(cohort, "teacher", role="instructor").user)


@pytest.fixture
def exercise(db):
    return ready_exercise()
