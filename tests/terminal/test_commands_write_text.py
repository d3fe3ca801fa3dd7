"""Whatever authors' code says and however a folder is called, commands write text to a terminal.

Nothing here knows which command quotes which text: each is fed a course whose code puts escapes,
marks of direction and half a surrogate pair into all that it may say.
"""

import json
import os
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command, get_commands
from django.core.management import load_command_class as load

from quizzes.content_files.characters import REFUSED
from quizzes.terminal import PlainCommand
from tests.authoring.small_course import COURSE
from tests.lessons.course import write_course

SAID = "\x1b[2J\u202e\u2066\ud800\x9b"
EXERCISE = "exercises/sinusoidal-table"
OWN = sorted(
    (name, app)
    for name, app in get_commands().items()
    if isinstance(app, str) and app.startswith("quizzes.")
)
HARMS = {
    "error of the reference": ("reference.py", "raise ValueError({0!a})"),
    "type of an error": ("reference.py", "raise type({0!a}[:-2], (Exception,), {{}})()"),
    "error of the cases": ("cases.py", "raise ValueError({0!a})"),
    "result of an example": (
        "statement.md",
        "\n```python\n>>> print({0!a}[:3] + chr(10) + 'a course; no errors')\n1\n```\n",
    ),
}

ALL = """
import json, os, sys
from django.core.management import execute_from_command_line
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")
for command in json.loads(sys.argv[1]):
    try:
        execute_from_command_line(["manage.py", *command])
    except SystemExit as end:
        print(end.code)
"""


class Streams:
    """Both streams of a command, and what became of it."""

    def __init__(self, name: str, *arguments: str) -> None:
        out = StringIO()
        self.code = 0
        try:
            call_command(name, *arguments, stdout=out, stderr=out)
        except CommandError as error:
            self.code = error.returncode
            command = load(dict(OWN)[name], name)
            command.stderr = BaseCommand(stderr=out).stderr  # as Django ends a command
            command.stderr.write(f"CommandError: {error}")
        self.said = out.getvalue()


def test_every_command_of_the_site_writes_through_one_cleaning() -> None:
    assert len(OWN) > 10
    assert [name for name, app in OWN if not isinstance(load(app, name), PlainCommand)] == []


@pytest.mark.parametrize(("name", "app"), OWN, ids=[name for name, _ in OWN])
def test_a_replaced_stream_is_clean_too_and_ends_its_lines_once(name: str, app: str) -> None:
    out = StringIO()
    command = load(app, name)
    command.stdout = BaseCommand(stdout=out).stdout
    command.stdout.write(f"a{SAID}\nb")
    command.stdout.write("c", ending="")
    assert out.getvalue() == "a\\u001b[2J\\u202e\\u2066\\ud800\\u009b\nb\nc"


@pytest.mark.sandbox
@pytest.mark.parametrize(("file", "harm"), HARMS.values(), ids=HARMS)
def test_what_an_exercise_says_is_one_line_of_text(tmp_path: Path, file: str, harm: str) -> None:
    shutil.copytree(COURSE / EXERCISE, tmp_path / EXERCISE)
    changed = tmp_path / EXERCISE / file
    changed.write_text(f"{changed.read_text()}\n{harm.format(SAID)}\n")
    for variant in list((tmp_path / EXERCISE / "wrong").glob("*.py"))[2:]:
        variant.unlink()
    found = Streams("verify_exercise", str(tmp_path))
    assert found.code == 1
    assert f"sinusoidal-table: {file}" in found.said
    assert not REFUSED.search(found.said)
    assert "\na course; no errors" not in found.said


@pytest.mark.sandbox
@pytest.mark.parametrize("command", ["check_content", "draw_question"])
def test_what_a_generator_says_is_text(tmp_path: Path, command: str) -> None:
    course = write_course(tmp_path, {"one": "Words."})
    folder = course / "questions/drawn"
    folder.mkdir(parents=True)
    (folder / "question.yaml").write_text("kind: single\nstep: first/one\nprompt: Numbers.\n")
    text = f"def generate(rng, exercise):\n    raise ValueError({SAID!a})\n"
    (folder / "generate.py").write_text(text)
    found = Streams(command, str(folder if command == "draw_question" else course))
    assert found.code == 1
    assert "generate.py:2: " in found.said
    assert not REFUSED.search(found.said)


@pytest.mark.parametrize(
    "command", ["check_content", "load_content", "verify_exercise", "draw_question"]
)
def test_the_path_that_was_given_is_one_line_of_text(tmp_path: Path, command: str) -> None:
    found = Streams(command, str(tmp_path / "gone\x1b[2J\u202e\nno errors"))
    assert found.code == 2
    assert "gone\\u001b[2J\\u202e no errors" in found.said
    assert not REFUSED.search(found.said)


@pytest.mark.slow
def test_a_database_without_tables_is_told_in_one_line(tmp_path: Path) -> None:
    """A newcomer with a database of their own met thirty lines of traceback."""
    course = write_course(tmp_path, {"one": "Words."})
    asked = [["load_content", str(course)], ["copy_course", "a", "b"], ["export_content", "a"]]
    database = {"DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}"}
    ended = subprocess.run(
        [sys.executable, "-c", ALL, json.dumps(asked)],
        cwd=settings.ROOT,
        env={**os.environ, **database, "ORDINAL_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout == "2\n" * len(asked)
    told = "CommandError: the database is not that of this release: run `manage.py migrate` first\n"
    assert ended.stderr == told * len(asked)
