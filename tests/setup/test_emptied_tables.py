"""What tests commit is gone before the next test, and what migrations made is there."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.test import TransactionTestCase
from django.utils import timezone

from tests.emptied_tables import FILLED_BY_MIGRATIONS, empty_tables
from tests.factories import assign, create_class, create_member, create_quiz

pytestmark = pytest.mark.both_databases


def rows() -> dict[str, int]:
    models = [model for model in apps.get_models() if model._meta.managed]
    counts = {model._meta.db_table: model._base_manager.count() for model in models}
    return {table: count for table, count in counts.items() if count}


def test_emptied_tables_are_those_after_flush(transactional_db: None) -> None:
    migrated = rows()
    assert set(migrated) == FILLED_BY_MIGRATIONS
    cohort = create_class()
    create_member(cohort, "ada")
    assign(cohort, create_quiz())
    Session.objects.create(session_key="x", session_data="", expire_date=timezone.now())
    assert len(rows()) > 10
    empty_tables("default")
    assert rows() == migrated
    assert Permission.objects.filter(content_type=ContentType.objects.get_for_model(Session))


def test_django_empties_tables_in_this_way() -> None:
    assert TransactionTestCase._fixture_teardown.__module__ == empty_tables.__module__
