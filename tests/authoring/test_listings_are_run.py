"""Listings run in the students' sandbox before a course is published."""

from pathlib import Path

import pytest

from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.loading import load
from quizzes.content_files.files import DiskFiles
from quizzes.grader.api import SandboxUnavailable
from quizzes.lessons.models import Lesson
from quizzes.worker import check_course
from tests.authoring.test_check_and_load import run
from tests.lessons.course import write_course

BLOCK = "Words.\n\n```listing\ntitle: A sum\n---\n{code}\n---\n{output}\n```\n"
PATH = "lessons/first/steps/01-one.md"
WRONG = {  # code, output, line of the fault, words
    "value": ("print(1 + 1)", "3", 8, "prints '2' here; the page says '3'"),
    "digit": ("print(2 / 3)", "0.6667001", 8, "prints '0.6666"),
    "more": ("print(1)\nprint(2)", "1", 10, "prints '2' here; the page shows no more"),
    "less": ("print(1)", "1\n2", 9, "ends here; the page says '2'"),
    "nothing": ("x = 1", "1", 8, "ends here"),
    "raises": ("x = 1\nprint(x / 0)", "1", 7, "ZeroDivisionError"),
    "import": ("import posenc\nprint(1)", "1", 6, "readers have the standard library, NumPy"),
    "warning": ("import numpy as np\nprint(np.log(0.0))", "-inf", 9, "RuntimeWarning"),
    "unseeded": ("import random\nprint(random.random())", "0.123456789", 9, "prints '0."),
    "exit": ("raise SystemExit(3)", "", 6, "SystemExit"),
    "much": ("while True:\n    print('x' * 1000)", "x", 6, "more than 1 MB"),
}
RIGHT = {
    "main": ("if __name__ == '__main__':\n    print(2)", "2"),
    "rounded": ("import math\nprint(math.cos(1))", "0.5403"),
    "class": (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n@dataclass\n"
        "class A:\n    x: int\n\nprint(A(1), A.__module__)",
        "A(x=1) __main__",
    ),
    "silent": ("x = 1", ""),
    "global": ("n = 2\ndef f():\n    return n\nprint(f())", "2"),
}

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


def course_of(folder: Path, code: str, output: str) -> Path:
    return write_course(folder, {"one": BLOCK.format(code=code, output=output)})


@pytest.mark.parametrize(("code", "output", "line", "words"), WRONG.values(), ids=WRONG)
def test_a_listing_that_is_wrong_is_a_fault_with_its_line(
    tmp_path: Path, code: str, output: str, line: int, words: str
) -> None:
    ended, said = run("check_content", course_of(tmp_path, code, output))
    assert ended == 1
    assert f"{PATH}:{line}: the listing 'A sum' " in said, said
    assert words in said
    assert "1 of the listings" in said


@pytest.mark.parametrize(("code", "output"), RIGHT.values(), ids=RIGHT)
def test_a_listing_that_is_right_is_none(tmp_path: Path, code: str, output: str) -> None:
    ended, said = run("check_content", course_of(tmp_path, code, output))
    assert ended == 0, said


def test_an_endless_listing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = check_course.printed_by
    monkeypatch.setattr(
        check_course, "printed_by", lambda *args, **named: real(*args, **named, wall_seconds=0.5)
    )
    ended, said = run(
        "check_content", course_of(tmp_path, "import time\nwhile True:\n    time.sleep(0.05)", "")
    )
    assert ended == 1
    assert f"{PATH}:" in said
    assert "the listing 'A sum' fails: it does not end within 0.5 s" in said, said


def test_nothing_is_run_without_proofs(tmp_path: Path) -> None:
    assert run("check_content", course_of(tmp_path, "print(1)", "2"), "--without-proofs")[0] == 0


@pytest.mark.django_db
def test_a_new_lesson_is_published_after_its_listings_ran(tmp_path: Path) -> None:
    course = course_of(tmp_path, "print(1)", "2")
    ended, said = run("load_content", course)
    assert ended == 1
    assert f"{PATH}:8: the listing 'A sum' prints '1' here; the page says '2'" in said
    assert not Lesson.objects.exists()
    load(read_course_files(DiskFiles(course)))  # as a release before did
    assert run("load_content", course)[0] == 0, "it stands"
    path = course / PATH
    path.write_text(path.read_text().replace("Words.", "Other words."))
    assert run("load_content", course)[0] == 1, "it was changed"
    path.write_text(path.read_text().replace("\n2\n", "\n1\n"))
    assert run("load_content", course)[0] == 0


@pytest.mark.django_db
def test_without_a_sandbox_a_load_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(profile: str) -> None:
        raise SandboxUnavailable("no bubblewrap here", "Install it.")

    monkeypatch.setattr(check_course, "open_sandbox", refuse)
    ended, said = run("load_content", course_of(tmp_path, "print(1)", "2"))
    assert ended == 0
    assert "not all listings were run: no bubblewrap here" in said


def test_a_listing_for_torch_waits_for_a_machine_with_torch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_course, "is_installed", lambda name: False)
    course = course_of(tmp_path, "import torch\nprint(1)", "2")
    ended, said = run("check_content", course)
    assert ended == 0
    assert "1 listings were not run: torch is not installed here" in said
