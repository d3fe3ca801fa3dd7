from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.sweep.world import World, make_world


@pytest.fixture(scope="package")
def made(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """The world, made once: it takes longer than a role takes to ask for every page."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)


@pytest.fixture
def world(made: World, db: None) -> World:
    return made
