"""Answers given under the first release survive the way to the newest tables."""

from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from quizzes.assessment.models import Response

pytestmark = pytest.mark.both_databases


@pytest.fixture
def first_release(transactional_db: None) -> Any:
    """The tables of the first release, then of the newest again."""
    del transactional_db
    yield MigrationExecutor(connection).migrate([("assessment", "0001_initial")]).apps
    to_the_newest()


def to_the_newest() -> None:
    """Migrate all rooms: on the way back others went along, since rows got a course."""
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.mark.soak  # it migrates back to the first release and on again, and never changes
def test_answers_of_the_first_release_are_known_to_be_right_or_wrong(first_release: Any) -> None:
    model = first_release.get_model
    question = model("assessment", "Question").objects.create(slug="one")
    version = model("assessment", "QuestionVersion").objects.create(
        question=question, number=1, content_hash="x", prompt="?", step="sums/adding"
    )
    for order, is_key in enumerate((True, False), 1):
        option = model("assessment", "Option").objects.create(
            version=version, order=order, text="two", is_key=is_key, reason="Because."
        )
        model("assessment", "Response").objects.create(
            learner=model("learners", "Learner").objects.create(),
            step="sums/adding",
            version=version,
            choice=option,
            option_order=[],
            answered_at=timezone.now(),
        )
    to_the_newest()
    assert {one.choice.is_key: one.is_right for one in Response.objects.all()} == {
        True: True,
        False: False,
    }
