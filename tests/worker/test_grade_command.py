"""`manage.py grade` as a program: what it prints, what it exits with, that it needs no database."""

import json
import os
import re
import subprocess
import sys

import pytest
from django.utils import timezone

from quizzes.config.settings import ROOT
from quizzes.exercises import publishing
from quizzes.exercises.files import save_exercise
from quizzes.exercises.models import Exercise
from quizzes.grader.api import Verdict
from quizzes.grader.definitions import read_definition, read_folder
from quizzes.grader.sandbox import conversation
from quizzes.worker.management.commands.grade import (
    Grader,
    SubmittedFile,
    UnknownExercise,
    find_definition,
)
from tests.child_environment import child_environment
from tests.courses import some_course
from tests.exercises import making

pytestmark = pytest.mark.sandbox

NOT_THERE = "sqlite:////nowhere/at/all.sqlite3"


@pytest.fixture
def grade(tmp_path):
    """Run the command in an empty folder, without a database."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), "grade", *arguments],
            cwd=tmp_path,
            env=child_environment()
            | {"DATABASE_URL": NOT_THERE, "ORDINAL_VAR": str(tmp_path / "var")}
            | environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return run


def lines(run) -> list[dict]:
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_one_json_object_a_file_in_the_order_given(grade, tmp_path):
    (tmp_path / "mine.py").write_text(making.SWAPPED + "\nprint('hello')\n")
    (tmp_path / "née.py").write_text(making.REFERENCE)
    run = grade("sinusoidal-table", "mine.py", "née.py", "mine.py", "--json")
    assert (run.returncode, run.stderr) == (0, "")
    first, second, third = lines(run)
    assert [first["file"], second["file"], third["file"]] == ["mine.py", "née.py", "mine.py"]
    assert set(first) == {
        *("file", "exercise", "verdict", "known_mistake", "first_fault"),
        *("cases_passed", "cases_total", "seconds", "stdout"),
    }
    assert first["exercise"] == "sinusoidal-table"
    assert (first["verdict"], first["known_mistake"]) == ("known_mistake", "swap")
    assert set(first["first_fault"]) == {"rung", "case", "message"}
    assert first["first_fault"]["rung"] == "values"
    assert first["stdout"] == "hello\n"
    assert second["verdict"] == "correct"
    assert (second["known_mistake"], second["first_fault"]) == (None, None)
    assert second["cases_passed"] == second["cases_total"] > 5
    assert 0 < second["seconds"] < 2


LOOPS = """
def sinusoidal_table(n, d, base=1e4):
    while True:
        pass
"""


def test_slow_code_has_the_exercises_whole_time_on_a_second_run(grade, tmp_path):
    """As on the site; the first run ends after 0.4 s."""
    (tmp_path / "patient.py").write_text("import time\ntime.sleep(0.6)\n" + making.REFERENCE)
    (tmp_path / "loops.py").write_text(LOOPS)
    patient, loops = lines(grade("sinusoidal-table", "patient.py", "loops.py", "--json"))
    assert patient["verdict"] == "correct"
    assert patient["seconds"] >= 0.6
    assert loops["verdict"] == "limit_reached"
    said = r"All cases together ran for 2\.[0-2] s; the limit is 2 s\. It was in line [34]\."
    assert re.fullmatch(said, loops["first_fault"]["message"])


def test_a_machine_too_busy_is_tried_three_times_and_the_next_file_is_graded(monkeypatch, caplog):
    code = SubmittedFile("mine.py", making.REFERENCE)
    with Grader(read_definition(making.FOLDER.name, read_folder(making.FOLDER))) as grader:
        serving = grader._sandbox.numpy.server_pid
        with monkeypatch.context() as busy:
            busy.setattr(conversation, "HARD_END_SECONDS", 0)  # as if a minute had gone by
            assert grader.grade(code).verdict is Verdict.NOT_GRADED
        assert caplog.text.count("'mine.py': the machine was too busy") == 3
        assert grader.grade(code).verdict is Verdict.CORRECT
        assert grader._sandbox.numpy.server_pid == serving


def test_without_json_people_can_read_it(grade, tmp_path):
    (tmp_path / "mine.py").write_text(making.SWAPPED)
    run = grade("sinusoidal-table", "mine.py")
    assert run.returncode == 0
    assert run.stdout.startswith("mine.py: Not yet: a known mistake")
    assert "swap: " in run.stdout
    assert "  sinusoidal_table(n=1, d=4)\n" in run.stdout
    assert "  expected:\n" in run.stdout


def test_the_report_of_an_autograder_with_score_tests_and_images(grade, tmp_path):
    (tmp_path / "mine.py").write_text(making.SWAPPED)
    (tmp_path / "right.py").write_text(making.REFERENCE)
    (tmp_path / "long.py").write_text("# " + "x" * 30_000)
    run = grade("sinusoidal-table", "mine.py", "right.py", "long.py", "--autograder")
    assert run.returncode == 0
    mine, right, long = lines(run)
    assert (mine["file"], mine["score"], right["score"]) == ("mine.py", 0.0, 1.0)
    failed = [test for test in mine["tests"] if test["status"] == "failed"]
    assert failed[0]["output"].startswith("sinusoidal_table(n=1, d=4)\nexpected:\n[[0.0000")
    assert len(failed[0]["images"]) == 3
    assert {test["status"] for test in right["tests"]} == {"passed"}
    assert long["cases_total"] == right["cases_total"] > 5
    assert (long["cases_passed"], long["verdict"]) == (0, "limit_reached")


CONTENTS = {
    "empty": (b"", "could_not_run", "name"),
    "not UTF-8": (b"x = 1\ny = '\xe9'\n", "could_not_run", "imports"),
    "a NUL": (b"x = 1\0", "could_not_run", "imports"),
    "no Python": ("Ceci n’est pas une fonction".encode(), "could_not_run", "imports"),
    "too long": (b"# " + b"x" * 30_000, "limit_reached", "limit"),
    "huge": (b"#" * (3 << 20), "limit_reached", "limit"),
    "binary": (os.urandom(2048) + b"\xff", "could_not_run", "imports"),
    "endless": (b"while True: pass\n", "limit_reached", "limit"),
    "exits": (b"import os\nos._exit(0)\n", "could_not_run", None),
}


def test_whatever_is_in_a_file_is_graded(grade, tmp_path):
    for name, (content, _, _) in CONTENTS.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "with a mark").write_bytes(b"\xef\xbb\xbf" + making.REFERENCE.encode())
    (tmp_path / "from Windows").write_bytes(making.REFERENCE.replace("\n", "\r\n").encode())
    run = grade("sinusoidal-table", *CONTENTS, "with a mark", "from Windows", "--json")
    assert run.returncode == 0, run.stderr
    found = {line["file"]: line for line in lines(run)}
    for name, (_, verdict, stage) in CONTENTS.items():
        assert found[name]["verdict"] == verdict, found[name]
        assert stage is None or found[name]["first_fault"]["rung"] == stage, found[name]
    assert found["not UTF-8"]["first_fault"]["message"] == "line 2 is not UTF-8 text: byte 0xe9"
    assert found["with a mark"]["verdict"] == found["from Windows"]["verdict"] == "correct"


@pytest.mark.covering(most=3)
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("sinusoidal-table", "good.py", "missing.py"), "missing.py: No such file"),
        (("sinusoidal-table", "good.py", "."), ".: "),
        (("sinusoidal-table", "good.py", "/dev/zero"), "not a regular file"),
        (("sinusoidal-table", "good.py", "pipe"), "not a regular file"),
        (("no-such-exercise", "good.py"), "There is no exercise 'no-such-exercise'"),
        (("../../settings", "good.py"), "There is no exercise"),
        (("sinusoidal-table",), "FILE"),
        ((), "exercise"),
        (("sinusoidal-table", "good.py", "--nonsense"), "--nonsense"),
    ],
)
def test_wrong_usage_is_exit_2_before_anything_is_graded(grade, tmp_path, arguments, told):
    (tmp_path / "good.py").write_text(making.REFERENCE)
    os.mkfifo(tmp_path / "pipe")
    run = grade(*arguments, "--json")
    assert (run.returncode, run.stdout) == (2, "")
    assert told in run.stderr
    assert "Traceback" not in run.stderr


def test_without_a_sandbox_nothing_is_graded_and_the_exit_code_is_3(grade, tmp_path):
    (tmp_path / "good.py").write_text(making.REFERENCE)
    run = grade("sinusoidal-table", "good.py", "--json", PATH=str(tmp_path))
    assert (run.returncode, run.stdout) == (3, "")
    assert "bubblewrap" in run.stderr
    assert "apt-get install bubblewrap" in run.stderr


def test_the_check_of_the_machine_says_the_same(tmp_path):
    command = [sys.executable, str(ROOT / "manage.py"), "sandbox_check"]
    fine = subprocess.run(command, capture_output=True, text=True, check=False)
    assert fine.returncode == 0, fine.stdout
    assert "Code can be graded on this machine." in fine.stdout
    off = subprocess.run(
        command,
        env=child_environment() | {"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert off.returncode == 3
    assert "MISSING  bubblewrap" in off.stdout
    assert "what to do" in off.stdout


def test_a_reader_that_goes_away_is_no_error(grade, tmp_path):
    (tmp_path / "good.py").write_text(making.REFERENCE)
    command = f"{sys.executable} {ROOT / 'manage.py'} grade sinusoidal-table good.py good.py --json"
    run = subprocess.run(
        ["bash", "-c", f"{command} | true"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=child_environment() | {"DATABASE_URL": NOT_THERE, "ORDINAL_VAR": str(tmp_path / "var")},
        check=False,
    )
    assert "Traceback" not in run.stderr
    assert "Exception ignored" not in run.stderr


@pytest.mark.parametrize("name", ["causal-attention", "attention-from-scratch/causal-attention"])
def test_an_exercise_of_any_shipped_course_grades(grade, tmp_path, name):
    folder = making.FOLDER.parents[2] / "attention-from-scratch/exercises/causal-attention"
    (tmp_path / "good.py").write_text((folder / "reference.py").read_text())
    run = grade(name, "good.py", "--json")
    assert run.returncode == 0, run.stderr
    (line,) = lines(run)
    assert (line["exercise"], line["verdict"]) == ("causal-attention", "correct")


@pytest.mark.django_db
def test_a_name_that_several_courses_have_is_refused_with_their_names():
    exercise = making.ready_exercise(course="another-course")
    changed = {**exercise.current.files, "starter.py": "def sinusoidal_table(): pass\n"}
    version = publishing.add_version(
        exercise=exercise, definition=read_definition(exercise.slug, changed), files=changed
    )
    Exercise.objects.filter(pk=exercise.pk).update(current=version)
    with pytest.raises(UnknownExercise) as refused:
        find_definition("sinusoidal-table")
    assert str(refused.value) == (
        "2 courses have an exercise 'sinusoidal-table'. Name one: another-course/sinusoidal-table"
        " or positional-encodings/sinusoidal-table."
    )
    here, there = (
        find_definition(f"{course}/sinusoidal-table")
        for course in ("positional-encodings", "another-course")
    )
    assert here.content_hash == making.shipped_source().content_hash
    assert here.content_hash != there.content_hash
    Exercise.objects.update(withdrawn_at=timezone.now())  # learners do not meet it any more
    assert find_definition("sinusoidal-table") == here


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["a/b/c", "/sinusoidal-table", "no-course/sinusoidal-table", "x/"])
def test_a_name_of_no_exercise_is_answered_with_all_there_are(name):
    exercise = making.ready_exercise(course="another-course")
    assert exercise.slug == "sinusoidal-table"
    with pytest.raises(UnknownExercise) as refused:
        find_definition(name)
    said = str(refused.value)
    assert said.startswith(f"There is no exercise '{name}'. The courses here have: another-course:")
    assert "attention-from-scratch: causal-attention, " in said
    assert "another-course: sinusoidal-table;" in said


@pytest.mark.django_db
def test_the_stored_version_is_the_one_that_grades():
    source = making.shipped_source()
    assert find_definition(source.slug).content_hash == source.content_hash
    save_exercise(some_course(), source)
    changed = {**source.files, "starter.py": source.files["starter.py"] + "\n# more\n"}
    definition = read_definition(source.slug, changed)
    exercise = Exercise.objects.get()
    publishing.add_version(exercise=exercise, definition=definition, files=changed)
    assert find_definition(source.slug).content_hash == definition.content_hash
