"""The shipped course, loaded; a visitor who has done nothing yet."""

import pytest
from django.conf import settings
from django.core.management import call_command


@pytest.fixture
def course(db):
    call_command("load_content", str(settings.COURSE), verbosity=0)
