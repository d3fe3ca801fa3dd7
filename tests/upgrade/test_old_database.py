"""A database of the release before several courses says the same after its upgrade.

`fill_old_database.py` made it then, with the pages that fifty learners and their instructor saw.
Here it is inserted into the tables of that time, migrated as the site does at its start, and the
same pages are read by their old addresses. Every row is compared as well: pages show what a person
looks at, and a row that no page shows may be lost without them.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.child_environment import ENDS_WITH_US, child_environment
from tests.databases import copy_database, made_once, new_database, on_postgresql
from tests.upgrade.allowed_differences import PAGES, REWORDED
from tests.upgrade.compare_pages import PageComparison
from tests.upgrade.old_site import OLD_PAGES, old_tables
from tests.upgrade.stored_rows import read_json

pytestmark = pytest.mark.slow
AT_NIGHT = pytest.mark.both_databases(postgresql="soak")

ROOT = Path(__file__).parents[2]
SEEN_BY_ONE = "learner 8"  # has an account that adopted the work of another browser


def old_site(url: str, *words: str) -> str:
    """Run the program on a database and return what it prints."""
    command = [*ENDS_WITH_US, sys.executable, "-m", "tests.upgrade.old_site", *words]
    environment = child_environment() | {"DATABASE_URL": url, "LOG_LEVEL": "ERROR"}
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def pages_of(url: str, folder: Path, person: str = "") -> Any:
    """Return what the pages say now, to everybody or to one person."""
    file = folder / "pages.json"
    old_site(url, "pages", str(file), *([person] if person else []))
    return json.loads(file.read_text())


@pytest.fixture(scope="module")
def upgraded(shared_folder: Path) -> str:
    """The DATABASE_URL of the old database after its upgrade, to be read and not written."""

    def make(folder: Path) -> str:
        url = new_database(folder)
        old_site(url, "make", "upgrade")
        return url

    return made_once(shared_folder / "upgraded", make)


@pytest.fixture
def copy(upgraded: str, tmp_path: Path) -> str:
    """The DATABASE_URL of a copy to write to: signing in is noted as well."""
    return copy_database(upgraded, tmp_path)


@pytest.mark.soak
@pytest.mark.both_databases
def test_every_page_says_the_same_to_everybody(copy: str, tmp_path: Path) -> None:
    comparison = PageComparison(PAGES, reworded=REWORDED)
    old = read_json(OLD_PAGES)
    assert sum(len(pages) for pages in old.values()) > 1000
    assert comparison.differences(old, pages_of(copy, tmp_path)) == []
    assert comparison.unneeded() == []


@AT_NIGHT
def test_every_page_says_the_same_to_a_learner(copy: str, tmp_path: Path) -> None:
    of_learner = {SEEN_BY_ONE: read_json(OLD_PAGES)[SEEN_BY_ONE]}
    assert len(of_learner[SEEN_BY_ONE]) > 50
    comparison = PageComparison(PAGES, reworded=REWORDED)
    assert comparison.differences(of_learner, pages_of(copy, tmp_path, SEEN_BY_ONE)) == []


@AT_NIGHT
def test_no_row_is_lost_or_says_something_else(upgraded: str) -> None:
    assert json.loads(old_site(upgraded, "rows")) == []


# Rows that a later course may change: its own, and what they are asked now.
OF_THE_COURSE = re.compile(
    r"(lessons\.(Course|Lesson|Step)|concepts\.ConceptMap|assessment\.(Question|Quiz|QuizQuestion)"
    r"|exercises\.Exercise) \d+: .*(was|is lost).*"
)


@pytest.mark.soak
def test_loading_the_course_afterwards_knows_every_row_again(copy: str) -> None:
    """The loader finds things by name and course: else it would make each a second time."""
    changed = json.loads(old_site(copy, "load", "rows"))
    assert [one for one in changed if not OF_THE_COURSE.fullmatch(one)] == []


# By what is broken: SQL that breaks it, and the words of the row that are then named.
BREAKAGES = {
    "a card is lost": (
        "DELETE FROM learners_reviewcard WHERE id = (SELECT min(id) FROM learners_reviewcard"
        " WHERE learner_id = 8)",
        "learners.ReviewCard",
    ),
    "an answer belongs to another learner": (
        "UPDATE assessment_response SET learner_id = 50 WHERE id = (SELECT min(id) FROM"
        " assessment_response WHERE learner_id = 8)",
        "assessment.Response",
    ),
    "progress belongs to another learner": (
        "UPDATE learners_progress SET learner_id = 50 WHERE id = (SELECT min(id) FROM"
        " learners_progress WHERE learner_id = 8 AND kind = 'step')",
        "learners.Progress",
    ),
    "a question has the version of another": (
        "UPDATE assessment_question SET current_id = (SELECT current_id FROM assessment_question"
        " WHERE slug = 'rope-signs') WHERE slug = 'dog-and-man'",
        "assessment.Question",
    ),
}


@pytest.fixture(scope="module")
def intact_pages(upgraded: str, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What one learner's pages say after the upgrade, in the words of today."""
    folder = tmp_path_factory.mktemp("intact")
    return pages_of(copy_database(upgraded, folder), folder, SEEN_BY_ONE)


@pytest.mark.soak
def test_two_copies_say_the_same_to_one_learner(
    copy: str, intact_pages: Any, tmp_path: Path
) -> None:
    pages = pages_of(copy, tmp_path, SEEN_BY_ONE)
    assert PageComparison([]).differences(intact_pages, pages) == []


@pytest.mark.soak
@pytest.mark.both_databases
def test_faults_of_a_migration_would_be_seen_in_the_rows(copy: str) -> None:
    """All at once: each is named, and nothing beside them."""
    for statement, _ in BREAKAGES.values():
        execute(copy, statement)
    changed = json.loads(old_site(copy, "rows"))
    named = [next(one for _, one in BREAKAGES.values() if row.startswith(one)) for row in changed]
    assert set(named) == {one for _, one in BREAKAGES.values()}, changed


# Pages of that learner do not ask the question whose version is another's.
@pytest.mark.soak
@pytest.mark.parametrize("what", [one for one in BREAKAGES if not one.startswith("a question")])
def test_a_fault_of_a_migration_would_be_seen_on_the_pages(
    what: str, copy: str, intact_pages: Any, tmp_path: Path
) -> None:
    execute(copy, BREAKAGES[what][0])
    broken = pages_of(copy, tmp_path, SEEN_BY_ONE)
    assert PageComparison([]).differences(intact_pages, broken)


def execute(url: str, statement: str) -> None:
    """Run one statement, which must change one row."""
    if on_postgresql():
        import psycopg

        with psycopg.connect(url) as there:
            changed = there.execute(statement).rowcount  # type: ignore[call-overload]
    else:
        import sqlite3
        from contextlib import closing

        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as here, here:
            changed = here.execute(statement).rowcount
    assert changed == 1


def test_the_fixture_has_all_that_learners_can_have() -> None:
    """The old rows, which are stored, not made: each kind of work is among them."""
    tables = {label: len(table["rows"]) for label, table in old_tables().items()}
    assert tables["learners.Learner"] == 50
    for label, least in (
        ("assessment.Attempt", 150),
        ("assessment.Response", 1500),
        ("assessment.Instance", 20),
        ("assessment.QuestionDraft", 2),
        ("assessment.QuizDraft", 2),
        ("learners.ReviewCard", 300),
        ("learners.Progress", 2000),
        ("exercises.Submission", 150),
        ("exercises.PreviousVerdict", 2),
        ("exercises.CasePicture", 30),
        ("exercises.Draft", 50),
    ):
        assert tables[label] >= least, (label, tables[label])
