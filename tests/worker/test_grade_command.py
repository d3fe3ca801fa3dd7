"""`manage.py grade` as a program: what it prints, what it exits with, that it needs no database."""

import json
import os
import re
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from quizzes.config.settings import ROOT
from quizzes.content_files.files import DiskFiles
from quizzes.exercises import publishing
from quizzes.exercises.files import save_exercise
from quizzes.exercises.models import Exercise
from quizzes.grader.api import Verdict
from quizzes.grader.definitions import read_definition, read_folder
from quizzes.grader.sandbox import conversation
from quizzes.worker.management.commands import grade as grade_module
from quizzes.worker.management.commands import sandbox_check
from quizzes.worker.management.commands.grade import (
    Grader,
    SubmittedFile,
    UnknownExercise,
    find_definition,
)
from tests.child_environment import child_environment
from tests.courses import some_course
from tests.exercises import making
from tests.shared_sandboxes import open_shared

pytestmark = pytest.mark.sandbox

NOT_THERE = "sqlite:////nowhere/at/all.sqlite3"


def run_grade(folder, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, without a database."""
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "grade", *arguments],
        cwd=folder,
        env=child_environment() | {"DATABASE_URL": NOT_THERE, "ORDINAL_VAR": str(folder / "var")},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def grade(tmp_path, monkeypatch, db):
    """Run the command in this process and an empty folder; return what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(grade_module, "open_sandbox", open_shared)

    def run(*arguments: str) -> str:
        out = StringIO()
        call_command("grade", *arguments, stdout=out)
        return out.getvalue()

    return run


def lines(said: str) -> list[dict]:
    return [json.loads(line) for line in said.splitlines()]


LOOPS = """
def sinusoidal_table(n, d, base=1e4):
    while True:
        __import__("time").sleep(0.05)
"""
CONTENTS = {
    "empty": (b"", "could_not_run", "name"),
    "not UTF-8": (b"x = 1\ny = '\xe9'\n", "could_not_run", "imports"),
    "a NUL": (b"x = 1\0", "could_not_run", "imports"),
    "no Python": ("Ceci n’est pas une fonction".encode(), "could_not_run", "imports"),
    "too long": (b"# " + b"x" * 30_000, "limit_reached", "limit"),
    "huge": (b"#" * (3 << 20), "limit_reached", "limit"),
    "binary": (os.urandom(2048) + b"\xff", "could_not_run", "imports"),
    "endless": (b"while True: __import__('time').sleep(1)\n", "limit_reached", "limit"),
    "exits": (b"import os\nos._exit(0)\n", "could_not_run", None),
}
ORDERED = ["mine.py", "née.py", "mine.py"]


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> list[dict]:
    """What a program without a database prints of all these files, one line for each."""
    folder = tmp_path_factory.mktemp("graded")
    (folder / "mine.py").write_text(making.SWAPPED + "\nprint('hello')\n")
    (folder / "née.py").write_text(making.REFERENCE)
    (folder / "patient.py").write_text("import time\ntime.sleep(0.6)\n" + making.REFERENCE)
    (folder / "loops.py").write_text(LOOPS)
    for name, (content, _, _) in CONTENTS.items():
        (folder / name).write_bytes(content)
    (folder / "with a mark").write_bytes(b"\xef\xbb\xbf" + making.REFERENCE.encode())
    (folder / "from Windows").write_bytes(making.REFERENCE.replace("\n", "\r\n").encode())
    files = [*ORDERED, "patient.py", "loops.py", *CONTENTS, "with a mark", "from Windows"]
    run = run_grade(folder, "sinusoidal-table", *files, "--json")
    assert (run.returncode, run.stderr) == (0, "")
    found = lines(run.stdout)
    assert [line["file"] for line in found] == files
    return found


def of_file(graded, name: str) -> dict:
    return next(line for line in graded if line["file"] == name)


def test_one_json_object_a_file_in_the_order_given(graded):
    first, second, third = graded[: len(ORDERED)]
    assert first["verdict"] == third["verdict"]
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


def test_slow_code_has_the_exercises_whole_time_on_a_second_run(graded):
    """As on the site; the first run ends after 0.4 s."""
    patient, loops = of_file(graded, "patient.py"), of_file(graded, "loops.py")
    assert patient["verdict"] == "correct"
    assert patient["seconds"] > 0.4
    assert loops["verdict"] == "limit_reached"
    said = r"All cases together ran for 2\.[0-2] s; the limit is 2 s\. It was in line [34]\."
    assert re.fullmatch(said, loops["first_fault"]["message"])


def test_a_machine_too_busy_is_tried_three_times_and_the_next_file_is_graded(monkeypatch, caplog):
    code = SubmittedFile("mine.py", making.REFERENCE)
    monkeypatch.setattr(grade_module, "open_sandbox", open_shared)
    with Grader(
        read_definition(making.FOLDER.name, read_folder(DiskFiles(making.FOLDER)))
    ) as grader:
        serving = grader._sandbox.numpy.server_pid
        with monkeypatch.context() as busy:
            busy.setattr(conversation, "HARD_END_SECONDS", 0)  # as if a minute had gone by
            assert grader.grade(code).verdict is Verdict.NOT_GRADED
        assert caplog.text.count("'mine.py': the machine was too busy") == 3
        assert grader.grade(code).verdict is Verdict.CORRECT
        assert grader._sandbox.numpy.server_pid == serving


def test_without_json_people_can_read_it(grade, tmp_path):
    (tmp_path / "mine.py").write_text(making.SWAPPED)
    said = grade("sinusoidal-table", "mine.py")
    assert said.startswith("mine.py: Not yet: a known mistake")
    assert "swap: " in said
    assert "  sinusoidal_table(n=3, d=4)\n" in said
    assert "  expected:\n" in said


def test_the_report_of_an_autograder_with_score_tests_and_images(grade, tmp_path):
    (tmp_path / "mine.py").write_text(making.SWAPPED)
    (tmp_path / "right.py").write_text(making.REFERENCE)
    (tmp_path / "long.py").write_text("# " + "x" * 30_000)
    files = ("mine.py", "right.py", "long.py")
    mine, right, long = lines(grade("sinusoidal-table", *files, "--autograder"))
    assert (mine["file"], mine["score"], right["score"]) == ("mine.py", 0.0, 1.0)
    failed = [test for test in mine["tests"] if test["status"] == "failed"]
    assert failed[0]["output"].startswith("sinusoidal_table(n=1, d=4)\nexpected:\n[[0.0000")
    pictured = [test for test in failed if test["images"]]
    assert [len(test["images"]) for test in pictured] == [3]
    assert pictured[0]["output"].startswith("sinusoidal_table(n=3, d=4)\n")  # the example teaches
    assert {test["status"] for test in right["tests"]} == {"passed"}
    assert long["cases_total"] == right["cases_total"] > 5
    assert (long["cases_passed"], long["verdict"]) == (0, "limit_reached")


def test_whatever_is_in_a_file_is_graded(graded):
    found = {line["file"]: line for line in graded}
    for name, (_, verdict, stage) in CONTENTS.items():
        assert found[name]["verdict"] == verdict, found[name]
        assert stage is None or found[name]["first_fault"]["rung"] == stage, found[name]
    assert found["not UTF-8"]["first_fault"]["message"] == "line 2 is not UTF-8 text: byte 0xe9"
    assert found["with a mark"]["verdict"] == found["from Windows"]["verdict"] == "correct"


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
        ((), "EXERCISE"),
    ],
)
def test_wrong_usage_is_exit_2_before_anything_is_graded(
    grade, tmp_path, monkeypatch, arguments, told
):
    (tmp_path / "good.py").write_text(making.REFERENCE)
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(grade_module, "Grader", lambda _: pytest.fail("something is graded"))
    with pytest.raises(CommandError) as refused:
        grade(*arguments, "--json")
    # The arguments' own parser ends a program with 2; in a test it raises an error of its own.
    assert refused.value.returncode == 2 or arguments in ((), ("sinusoidal-table",))
    assert told in str(refused.value)


def test_a_wrong_option_ends_the_program_with_2_and_no_traceback(capsys):
    words = ["manage.py", "grade", "sinusoidal-table", "good.py", "--nonsense", "--json"]
    with pytest.raises(SystemExit) as ended:
        grade_module.Command().run_from_argv(words)
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert "--nonsense" in err
    assert "Traceback" not in err


@pytest.mark.django_db
def test_without_a_sandbox_nothing_is_graded_and_the_exit_code_is_3(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "good.py").write_text(making.REFERENCE)
    out = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("grade", "sinusoidal-table", "good.py", "--json", stdout=out)
    assert (refused.value.returncode, out.getvalue()) == (3, "")
    assert "apt-get install bubblewrap" in str(refused.value)


@pytest.mark.parametrize(
    "starts_all", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["open", "started"]
)
def test_the_check_of_the_machine_says_the_same(starts_all, tmp_path, monkeypatch):
    """Its four sandboxes take 8 s of the processor to start: at night it does start them."""
    if not starts_all:
        routes = {"torch": "student", "author-torch": "author"}
        monkeypatch.setattr(
            sandbox_check, "open_sandbox", lambda name: open_shared(routes.get(name, name))
        )
    out = StringIO()
    call_command("sandbox_check", stdout=out)
    assert out.getvalue().count("a sandbox for") == 4
    assert "Code can be graded on this machine." in out.getvalue()


def test_the_check_of_a_machine_without_bubblewrap_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    out = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("sandbox_check", stdout=out)
    assert refused.value.returncode == 3
    assert "MISSING  bubblewrap" in out.getvalue()
    assert "what to do" in out.getvalue()


def test_a_reader_that_goes_away_is_no_error(tmp_path):
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
    (line,) = lines(grade(name, "good.py", "--json"))
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
    assert said.startswith(
        f"There is no exercise '{name}'. The exercises here are: another-course:"
    )
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
