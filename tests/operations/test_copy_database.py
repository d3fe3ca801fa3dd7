"""A site with learners moves from SQLite to PostgreSQL by one command, or nothing moves."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.child_environment import ENDS_WITH_US, child_environment
from tests.databases import (
    MIGRATED,
    SQLITE,
    ask_number,
    copy_database,
    made_once,
    migrated_database,
    on_postgresql,
)
from tests.operations.commands import manage
from tests.whole_site import ROOT

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.slow,
    pytest.mark.skipif(not on_postgresql(), reason="it needs both databases"),
]

COUNTS = "SELECT count(*) FROM {}"
LEARNERS = """
from quizzes.courses.models import Course
from quizzes.exercises.models import Draft, Exercise
from quizzes.learners.models import Learner
course = Course.objects.create(slug="sums", title="Sums", summary="Two of them")
exercise = Exercise.objects.create(course=course, slug="add")
for _ in range(50):
    Draft.objects.create(exercise=exercise, learner=Learner.objects.create(), code="x = 1")
"""
ADD_LEARNER = """
from quizzes.learners.models import Learner
highest = Learner.objects.order_by("-pk").first().pk
assert Learner.objects.create().pk > highest
print("created")
"""


def make_small_site(folder: Path, url: str) -> None:
    """Make a site of today with fifty learners, from the migrated database where there is one."""
    migrated = folder.parent / MIGRATED
    if (migrated / "said").exists():
        with (
            closing(sqlite3.connect(migrated / "site.sqlite3")) as source,
            closing(sqlite3.connect(folder / "site.sqlite3")) as copy,
        ):
            source.backup(copy)
    migrate, shell = ["migrate", "--verbosity=0"], ["shell", "-c", LEARNERS]
    answers = manage(url, folder, migrate, shell)
    assert [answer.code for answer in answers] == [0, 0], answers


def make_old_site(_: Path, url: str) -> None:
    """Make the old site of the upgrade's tests, fifty learners, and migrate it to today."""
    environment = {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "quizzes.config.settings"}
    program = ["-m", "tests.upgrade.old_site", "make", "upgrade"]
    subprocess.run(
        [*ENDS_WITH_US, sys.executable, *program],
        cwd=ROOT,
        env=child_environment() | environment,
        check=True,
    )


@pytest.fixture(
    scope="module",
    params=[make_small_site, pytest.param(make_old_site, marks=pytest.mark.soak)],
    ids=["small", "old"],
)
def source(shared_folders: Path, request: pytest.FixtureRequest) -> str:
    """The DATABASE_URL of a site with learners on SQLite."""

    def make(folder: Path) -> str:
        url = f"sqlite:///{folder / 'site.sqlite3'}"
        request.param(folder, url)
        return url

    (shared_folders / SQLITE).mkdir(exist_ok=True)
    names = {make_small_site: "small", make_old_site: "upgraded"}
    return made_once(shared_folders / SQLITE / names[request.param], make)


@pytest.fixture
def url(shared_folder: Path, tmp_path: Path) -> str:
    """The DATABASE_URL of a new database on PostgreSQL, with tables and without rows."""
    return copy_database(migrated_database(shared_folder), tmp_path)


def test_every_row_arrives_once_and_new_rows_get_new_numbers(
    source: str, url: str, tmp_path: Path
) -> None:
    copy = ["copy_database", source]
    copied, added, again = manage(url, tmp_path, copy, ["shell", "-c", ADD_LEARNER], copy)
    assert copied.code == 0, copied
    assert "same rows and checksums" in copied.out
    assert added.out.endswith("created\n"), added
    assert again.code == 1
    assert "it must be new" in again.error
    assert ask_number(url, COUNTS.format("learners_learner")) >= 51


def test_what_postgresql_cannot_hold_is_named_and_nothing_is_kept(
    source: str, url: str, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.sqlite3"
    with (
        closing(sqlite3.connect(source.removeprefix("sqlite:///"))) as site,
        closing(sqlite3.connect(broken)) as copy,
    ):
        site.backup(copy)
        copy.execute(
            "UPDATE exercises_draft SET code = 'a' || char(0) || 'b'"
            " WHERE id = (SELECT max(id) FROM exercises_draft)"
        )
        copy.commit()
    [copied] = manage(url, tmp_path, ["copy_database", f"sqlite:///{broken}"])
    assert copied.code == 1
    assert "exercises.Draft, rows" in copied.error
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
