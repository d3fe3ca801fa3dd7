"""During a rolling upgrade processes of the last release serve on the newest schema."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader

from tests.child_environment import ENDS_WITH_US, child_environment
from tests.databases import copy_database, made_once, new_database
from tests.upgrade.one_version_back import newer, released
from tests.upgrade.test_old_database import ROOT, old_site

# (application, model, field) that the last release does not write, with the reason.
ALLOWED: dict[tuple[str, str, str], str] = {}


def unsafe(migration: migrations.Migration) -> list[tuple[str, str, str]]:
    """Return the columns of a migration that an INSERT of the release before would leave empty."""
    found = []
    for operation in migration.operations:
        if not isinstance(operation, migrations.AddField | migrations.AlterField):
            continue
        field = operation.field
        column = not isinstance(field, models.ManyToManyField)
        if column and not field.null and field.db_default is models.NOT_PROVIDED:
            if isinstance(operation, migrations.AlterField):
                continue  # it had its default before, or the rows below tell
            found.append((migration.app_label, operation.model_name.lower(), operation.name))
    return found


def test_a_new_column_has_a_default_in_the_database_or_may_be_null():
    """One with a default in Python alone is refused by an INSERT of the release before."""
    new = newer(MigrationLoader(None))
    found = {column for migration in new for column in unsafe(migration)}
    assert found == set(ALLOWED), "give it db_default=, or null=True"


def test_a_column_with_a_default_in_python_alone_is_found():
    class Bad(migrations.Migration):
        operations = [
            migrations.AddField("Row", "old", models.IntegerField(null=True)),
            migrations.AddField("Row", "good", models.IntegerField(default=0, db_default=0)),
            migrations.AddField("Row", "bad", models.IntegerField(default=0)),
        ]

    assert unsafe(Bad("x", "app")) == [("app", "row", "bad")]


def test_the_file_names_a_migration_of_each_application():
    loader = MigrationLoader(None)
    ours = {
        key[0] for key, one in loader.disk_migrations.items() if one.__module__[:8] == "quizzes."
    }
    assert {app for app, _ in released()} <= ours
    assert set(released()) <= set(loader.disk_migrations)


@pytest.mark.slow
@pytest.mark.both_databases
def test_the_models_of_the_last_release_read_write_and_insert_on_the_newest_schema(
    shared_folder: Path, tmp_path: Path
):
    def make(folder: Path) -> str:
        url = new_database(folder)
        old_site(url, "make", "upgrade")
        return url

    url = copy_database(made_once(shared_folder / "upgraded", make), tmp_path)
    command = [*ENDS_WITH_US, sys.executable, "-m", "tests.upgrade.one_version_back"]
    environment = child_environment() | {
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
        "LOG_LEVEL": "ERROR",
    }
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    said = json.loads(ended.stdout)
    assert said["faults"] == []
    assert len(said["used"]) > 25, "too few tables have a row"
