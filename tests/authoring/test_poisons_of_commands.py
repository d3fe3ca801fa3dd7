"""Every command that reads a course ends with the fault, whatever is in the files: a selection.

`test_poisons` puts every poison before `check_content`; here one of each class is put before each
other command, and authors' Python that is nested beyond any parser before those that run it.
"""

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from quizzes.content_files.characters import REFUSED
from tests.authoring.poisons import poisons_of
from tests.authoring.small_course import COURSE, copy_course, leave_out_variants
from tests.authoring.test_poisons import Found, commands
from tests.databases import copy_database, migrated_database, name_of_database

EXERCISE = "exercises/sinusoidal-table"
QUESTION = "questions/which-heatmap"
SELECTION = (
    "tag bool",
    "nested brackets",
    "FIFO",
    "link out of the course",
    "NUL",
    "terminal escape",
    "not UTF-8",
)
READERS = {
    "load_content": (f"{QUESTION}/question.yaml", ""),
    "verify_exercise": (f"{EXERCISE}/exercise.yaml", ""),
    "draw_question": (f"{QUESTION}/question.yaml", QUESTION),
}
PROGRAMS = ("cases.py", "reference.py", "wrong/base_1000.py", "starter.py", "generate.py")
NESTED = {
    "brackets": "x = " + "[" * 30_000 + "]" * 30_000,
    "signs": "x = " + "-" * 60_000 + "1",
    "attributes": "x = a" + ".a" * 60_000,
    "blocks": "".join(" " * depth + "if 1:\n" for depth in range(300)) + " " * 300 + "pass",
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory, shared_folder: Path) -> Path:
    """The file of a database with tables and no rows."""
    copied = copy_database(migrated_database(shared_folder), tmp_path_factory.mktemp("database"))
    return Path(name_of_database(copied))


@pytest.fixture(scope="module")
def run(database: Path) -> Iterator[Callable[..., Found]]:
    """A function that runs a command on the database, in a process of its own."""
    with commands(DATABASE_URL=f"sqlite:///{database}") as run_command:
        yield run_command


def rows(database: Path) -> Mapping[str, int]:
    """Return how many rows each table has."""
    with sqlite3.connect(database) as open_database:
        names = open_database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {
            name: open_database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            for (name,) in names.fetchall()
        }


def small_course(folder: Path) -> Path:
    """Return a course that has the exercise and the question which are poisoned here."""
    course = copy_course(folder / COURSE.name)
    for item in (EXERCISE, QUESTION):
        ignore = leave_out_variants
        shutil.copytree(COURSE / item, course / item, ignore=ignore, dirs_exist_ok=True)
    return course


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.covering(most=3)
@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("poison", SELECTION)
def test_no_other_command_falls_over_a_poison(
    tmp_path: Path,
    database: Path,
    run: Callable[..., Found],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    poison: str,
) -> None:
    monkeypatch.setenv("POISON_OUTSIDE", str(tmp_path))
    file, inside = READERS[command]
    course = small_course(tmp_path)
    poisons_of(course / file)[poison](course / file)
    asked = ["sinusoidal-table"] if command == "verify_exercise" else []
    before = rows(database)
    assert len(before) > 10
    found = run(command, str(course / inside), *asked)
    _expect_problem(poison, found, file.rpartition("/")[2])
    assert rows(database) == before


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.covering
@pytest.mark.parametrize("nested", NESTED.values(), ids=NESTED)
@pytest.mark.parametrize("program", PROGRAMS)
def test_python_beyond_the_parser_is_its_authors_fault(
    tmp_path: Path, run: Callable[..., Found], nested: str, program: str
) -> None:
    course = small_course(tmp_path)
    asked = ["draw_question", str(course / QUESTION)]
    file = course / QUESTION / program
    if program != "generate.py":
        file = course / EXERCISE / program
        asked = ["verify_exercise", str(course), "sinusoidal-table"]
    assert file.exists()
    file.write_text(f"{file.read_text()}\n{nested}\n")
    found = run(*asked)
    if program == "starter.py":  # it may fail: a learner begins with it, and is told so
        assert found[0] in (0, 1), found
        assert "Traceback" not in found[1]
    else:
        _expect_problem(program, found, file.name)


def _expect_problem(key: str, found: Found, name: str) -> None:
    code, output, _ = found
    assert code == 1, f"{key}: {code}: {output[-2000:]}"
    assert name in output, f"{key}: {output[-2000:]}"
    assert "Traceback" not in output, f"{key}: {output[-2000:]}"
    assert not REFUSED.search(output), f"{key}: {output[-2000:]!a}"
