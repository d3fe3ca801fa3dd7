"""The shipped course, loaded; a visitor who has done nothing yet."""

import pytest

from tests.shipped_course import load_shipped_course


@pytest.fixture
def course(db):
    load_shipped_course()
