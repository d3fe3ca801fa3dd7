"""Every command that reads a course ends with the fault, whatever is in the files: a selection.

`test_poisons` puts every poison before `check_content`; here one of each class is put before each
other command, and authors' Python that is nested beyond any parser before those that run it.
"""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from quizzes.content_files.characters import REFUSED
from tests.authoring.poisons import poisons_of
from tests.authoring.small_course import COURSE, copy_course
from tests.authoring.test_poisons import Found
from tests.child_environment import child_environment

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
PROGRAMS = ("cases.py", "reference.py", "wrong/cos_first.py", "starter.py", "generate.py")
NESTED = {
    "brackets": "x = " + "[" * 30_000 + "]" * 30_000,
    "signs": "x = " + "-" * 60_000 + "1",
    "attributes": "x = a" + ".a" * 60_000,
    "blocks": "".join(" " * depth + "if 1:\n" for depth in range(300)) + " " * 300 + "pass",
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database with its tables."""
    path = tmp_path_factory.mktemp("database") / "site.sqlite3"
    run_all([["migrate", ["migrate", "--verbosity", "0"]]], path)
    return path


def run_all(jobs: list[list[object]], database: Path) -> dict[str, Found]:
    """Run commands one by one on a database, each in a process of its own."""
    driver = [sys.executable, "-m", "tests.authoring.run_poisoned"]
    done = subprocess.run(
        driver,
        input=json.dumps(jobs),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**child_environment(), "DATABASE_URL": f"sqlite:///{database}"},
    )
    return {key: tuple(value) for key, value in json.loads(done.stdout).items()}


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
        shutil.copytree(COURSE / item, course / item, dirs_exist_ok=True)
    return course


@pytest.mark.slow
@pytest.mark.sandbox
def test_no_other_command_falls_over_a_poison(
    tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POISON_OUTSIDE", str(tmp_path))
    jobs: list[list[object]] = []
    for command, (file, inside) in READERS.items():
        for poison in SELECTION:
            course = small_course(tmp_path / f"{command}-{poison}")
            poisons_of(course / file)[poison](course / file)
            asked = ["sinusoidal-table"] if command == "verify_exercise" else []
            jobs.append([f"{command}: {poison}", [command, str(course / inside), *asked]])
    before = rows(database)
    assert len(before) > 10
    for key, found in run_all(jobs, database).items():
        _expect_problem(key, found, READERS[key.partition(":")[0]][0].rpartition("/")[2])
    assert rows(database) == before


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.parametrize("nested", NESTED.values(), ids=NESTED)
def test_python_beyond_the_parser_is_its_authors_fault(
    tmp_path: Path, database: Path, nested: str
) -> None:
    jobs: list[list[object]] = []
    for program in PROGRAMS:
        course = small_course(tmp_path / program.replace("/", "-"))
        asked = ["draw_question", str(course / QUESTION)]
        file = course / QUESTION / program
        if program != "generate.py":
            file = course / EXERCISE / program
            asked = ["verify_exercise", str(course), "sinusoidal-table"]
        assert file.exists() or program.startswith("wrong/")
        if program.startswith("wrong/"):
            file = sorted((course / EXERCISE / "wrong").glob("*.py"))[0]
        file.write_text(f"{file.read_text()}\n{nested}\n")
        jobs.append([f"{file.name}", asked])
    for key, found in run_all(jobs, database).items():
        if key == "starter.py":  # it may fail: a learner begins with it, and is told so
            assert found[0] in (0, 1), found
            assert "Traceback" not in found[1]
        else:
            _expect_problem(key, found, key)


def _expect_problem(key: str, found: Found, name: str) -> None:
    code, output, _ = found
    assert code == 1, f"{key}: {code}: {output[-2000:]}"
    assert name in output, f"{key}: {output[-2000:]}"
    assert "Traceback" not in output, f"{key}: {output[-2000:]}"
    assert not REFUSED.search(output), f"{key}: {output[-2000:]!a}"
