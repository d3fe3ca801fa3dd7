"""During a rolling upgrade processes of the last release serve on the newest schema."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader

from tests.child_environment import ENDS_WITH_US, child_environment
from tests.databases import copy_database, made_once, new_database
from tests.upgrade.one_version_back import newer, released
from tests.upgrade.test_old_database import ROOT, old_site

# What the last release cannot do beside the newest version, each with its reason. While this is
# not empty, docs/operations.md must say that web processes of 0.3.0 stop before `migrate`.
NOT_YET = {
    "assessment.Attempt": "points are written when an attempt is handed in: a constraint asks",
    "assessment.Response": "a score is written with each answer: a constraint asks",
    "assessment.QuestionDraft": "drafts are files in one table; web processes alone read them",
    "assessment.QuizDraft": "the same",
}

# Models of that release of which its site, as the test fills it, has no row: not tried.
WITHOUT_ROWS = {"courses.OldName", "learners.User_user_permissions"}

Column = tuple[str, str, str]  # application, model, field


def columns_without_default(new: Iterable[migrations.Migration]) -> set[Column]:
    """Return the columns that an INSERT of the release before would leave empty.

    A later migration may give one its default, or let it be null.
    """
    found: dict[Column, bool] = {}
    for migration in new:
        for operation in migration.operations:
            if isinstance(operation, migrations.AddField | migrations.AlterField):
                field = operation.field
                given = field.null or field.db_default is not models.NOT_PROVIDED
                column = (migration.app_label, operation.model_name.lower(), operation.name)
                is_new = isinstance(operation, migrations.AddField)
                if not isinstance(field, models.ManyToManyField) and (is_new or column in found):
                    found[column] = given
    return {column for column, given in found.items() if not given}


def test_a_new_column_has_a_default_in_the_database_or_may_be_null():
    """One with a default in Python alone is refused by an INSERT of the release before."""
    found = columns_without_default(newer(MigrationLoader(None)))
    assert found == set(), "give it db_default=, or null=True"


def test_a_column_with_a_default_in_python_alone_is_found():
    class First(migrations.Migration):
        operations = [
            migrations.AddField("Row", "old", models.IntegerField(null=True)),
            migrations.AddField("Row", "good", models.IntegerField(default=0, db_default=0)),
            migrations.AddField("Row", "bad", models.IntegerField(default=0)),
            migrations.AddField("Row", "mended", models.IntegerField(default=0)),
        ]

    class Second(migrations.Migration):
        operations = [
            migrations.AlterField("Row", "mended", models.IntegerField(default=0, db_default=0)),
            migrations.AlterField("Row", "older", models.IntegerField(default=0)),
        ]

    assert columns_without_default([First("x", "app"), Second("y", "app")]) == {
        ("app", "row", "bad")
    }


def test_the_file_names_a_migration_of_each_application():
    loader = MigrationLoader(None)
    ours = {
        key[0] for key, one in loader.disk_migrations.items() if one.__module__[:8] == "quizzes."
    }
    assert {app for app, _ in released()} <= ours
    assert set(released()) <= set(loader.disk_migrations)


@pytest.mark.slow
@pytest.mark.both_databases(postgresql="soak")
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
    assert {fault.split(":")[0]: fault for fault in said["faults"]}.keys() == NOT_YET.keys(), said
    assert set(said["empty"]) == WITHOUT_ROWS
    assert len(said["used"]) > 23
