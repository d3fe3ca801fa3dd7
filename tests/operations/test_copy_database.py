"""A site with learners moves from SQLite to PostgreSQL by one command, or nothing moves."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.child_environment import ENDS_WITH_US, child_environment
from tests.databases import (
    SQLITE,
    ask_number,
    copy_database,
    made_once,
    migrated_database,
    on_postgresql,
)
from tests.whole_site import ROOT

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.slow,
    pytest.mark.skipif(not on_postgresql(), reason="it needs both databases"),
]

COUNTS = "SELECT count(*) FROM {}"


def run(url: str, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*ENDS_WITH_US, sys.executable, *command],
        cwd=ROOT,
        env=child_environment()
        | {
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
            "LOG_LEVEL": "ERROR",
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def source(shared_folders: Path) -> str:
    """The old site of the upgrade's tests on SQLite, fifty learners, migrated to today."""

    def make(folder: Path) -> str:
        url = f"sqlite:///{folder / 'site.sqlite3'}"
        made = run(url, "-m", "tests.upgrade.old_site", "make", "upgrade")
        assert made.returncode == 0, made.stderr
        return url

    (shared_folders / SQLITE).mkdir(exist_ok=True)
    return made_once(shared_folders / SQLITE / "upgraded", make)


@pytest.fixture
def url(shared_folder: Path, tmp_path: Path) -> str:
    """The DATABASE_URL of a new database on PostgreSQL, with tables and without rows."""
    return copy_database(migrated_database(shared_folder), tmp_path)


def test_every_row_arrives_once_and_new_rows_get_new_numbers(source: str, url: str):
    copied = run(url, "manage.py", "copy_database", source)
    assert copied.returncode == 0, copied.stderr
    assert "same rows and checksums" in copied.stdout
    assert ask_number(url, COUNTS.format("learners_learner")) >= 50
    script = (
        "import django, sys; django.setup()\n"
        "from django.core.management import call_command\n"
        "from quizzes.learners.models import Learner\n"
        "highest = Learner.objects.order_by('-pk').first().pk\n"
        "assert Learner.objects.create().pk > highest\n"
        "print('created', flush=True)\n"
        "call_command('copy_database', sys.argv[1])\n"
    )
    again = run(url, "-c", script, source)
    assert again.stdout == "created\n", again.stderr
    assert again.returncode == 1
    assert "it must be new" in again.stderr


def test_what_postgresql_cannot_hold_is_named_and_nothing_is_kept(
    source: str, url: str, tmp_path: Path
):
    broken = tmp_path / "broken.sqlite3"
    change = (
        "import sqlite3, sys\n"
        "old = sqlite3.connect(sys.argv[1]); new = sqlite3.connect(sys.argv[2])\n"
        "old.backup(new)\n"
        "new.execute(\"UPDATE exercises_draft SET code = 'a' || char(0) || 'b' WHERE id =\"\n"
        '    " (SELECT max(id) FROM exercises_draft)")\n'
        "new.commit()\n"
    )
    made = run(source, "-c", change, source.removeprefix("sqlite:///"), str(broken))
    assert made.returncode == 0, made.stderr
    copied = run(url, "manage.py", "copy_database", f"sqlite:///{broken}")
    assert copied.returncode == 1
    assert "exercises.Draft, rows" in copied.stderr
    assert ask_number(url, COUNTS.format("learners_learner")) == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("sqlite:////nowhere/at/all.sqlite3", "there is no file /nowhere/at/all.sqlite3"),
        ("postgresql://postgres:a-password@/postgres", "must be an SQLite database"),
    ],
)
def test_a_source_that_is_none_is_refused(capfd: pytest.CaptureFixture[str], named: str, said: str):
    with pytest.raises(CommandError, match=said) as refused:
        call_command("copy_database", named)
    assert "a-password" not in "".join([str(refused.value), *capfd.readouterr()])
