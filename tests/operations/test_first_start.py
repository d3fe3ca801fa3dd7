"""What `make run` leaves on a new database: demo logins, and once a class for a worker to fill."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from quizzes.classes.models import Cohort
from quizzes.learners.models import User
from quizzes.operations.management.commands import prepare_site
from tests.courses import some_course

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture(autouse=True)
def small(monkeypatch, settings, tmp_path):
    settings.VAR = tmp_path
    some_course()
    monkeypatch.setattr(prepare_site, "course_folders", lambda _: [])
    monkeypatch.setattr(prepare_site, "fill_pools", lambda **_: None)


def prepare(*options: str) -> str:
    said = StringIO()
    call_command("prepare_site", *options, stdout=said, stderr=said)
    return said.getvalue()


def test_first_start_begins_a_class_and_says_so():
    assert "a demo class is being prepared" in prepare("--demo-class")
    assert Cohort.objects.get().is_being_filled


def test_second_start_begins_no_class():
    prepare("--demo-class")
    Cohort.objects.all().delete()
    assert "demo class" not in prepare("--demo-class")
    assert not Cohort.objects.exists()


def test_database_with_accounts_gets_no_class():
    User.objects.create_user("ada")
    assert "demo class" not in prepare("--demo-class")
    assert not Cohort.objects.exists()


def test_setting_turns_the_class_off(settings):
    settings.DEMO_CLASS = False
    assert "demo class" not in prepare("--demo-class")
    assert not Cohort.objects.exists()


def test_setting_removes_a_class_begun_before(settings):
    prepare("--demo-class")
    settings.DEMO_CLASS = False
    prepare("--demo-class")
    assert not Cohort.objects.exists()


def test_sites_of_tests_and_benchmarks_get_no_class():
    assert "demo class" not in prepare()
    assert not Cohort.objects.exists()
    assert "tools/serve.py --demo-class\n" in (ROOT / "Makefile").read_text()


def test_production_begins_no_class(settings, monkeypatch):
    settings.PRODUCTION = True
    monkeypatch.setattr(
        prepare_site,
        "call_command",
        lambda name, *given, **options: (
            call_command(name, *given, **options) if name == "migrate" else None
        ),
    )
    assert "demo class" not in prepare("--demo-class")
    assert not Cohort.objects.exists()
