"""A way back of the tables deletes the shared figures, which the version before cannot show."""

from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from quizzes.exercises.models import SharedNumbers
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.slow]


def test_way_back_deletes_shared_figures(transactional_db: None) -> None:
    del transactional_db
    facts: dict[str, Any] = {"learner": making.new_learner(), "n": 1, "d": 1, "numbers": bytes(8)}
    figure = {"encoding": "rope", "view": "scores", "values": {}}
    for name, of in (("table", None), ("figure", figure)):
        SharedNumbers.objects.create(name=name, figure=of, made_at=timezone.now(), **facts)
    executor = MigrationExecutor(connection)
    try:
        executor.migrate([("exercises", "0031_lab")])
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
    assert SharedNumbers.objects.get().name == "table"
