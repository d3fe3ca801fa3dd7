"""What authors' code makes is held to the same characters as what they write: where it is made."""

import shutil
from pathlib import Path

import pytest

from quizzes.content_files.characters import REFUSED
from tests.authoring.small_course import COURSE
from tests.authoring.test_check_and_load import run
from tests.lessons.course import write_course

UNSEEN = {
    "escape": "\x1b[2J",
    "NUL": "\0",
    "delete": "\x7f",
    "control of eight bits": "\x9b",
    "override": "\u202e",
    "isolate": "\u2066",
    "separator": "\u2028",
    "surrogate": "\ud800",
}
EXERCISE = "exercises/sinusoidal-table"
QUESTION = """\
def generate(rng, exercise):
    right = {{"text": "4", "value": 4, "reason": "Count."}}
    wrong = [{{"text": str(n), "value": n, "reason": "No."}} for n in (5, 6, 7)]
    made = {{"prompt": "2 + 2?", "key": right, "distractors": wrong, "proof": 4}}
    made["facts"] = {{"a": 1}}
    {change}
    return made
"""
PLACES = {
    "prompt": "made['prompt'] += {0!a}",
    "text": "right['text'] += {0!a}",
    "reason": "wrong[1]['reason'] += {0!a}",
    "a fact": "made['facts']['b'] = {0!a}",
    "the name of a fact": "made['facts'][{0!a}] = 1",
}

pytestmark = pytest.mark.sandbox


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("unseen", UNSEEN.values(), ids=UNSEEN)
def test_a_label_that_cannot_be_read_is_refused_where_it_is_given(
    tmp_path: Path, unseen: str
) -> None:
    shutil.copytree(COURSE / EXERCISE, tmp_path / EXERCISE)
    file = tmp_path / EXERCISE / "cases.py"
    lines = file.read_text().splitlines()
    at = next(number for number, line in enumerate(lines, 1) if "    yield Case(" in line)
    indent = lines[at - 1].removesuffix(lines[at - 1].lstrip())
    lines.insert(at - 1, f"{indent}yield Case(label='one' + {unseen!a}, kwargs={{}})")
    file.write_text("\n".join(lines))
    code, said = run("verify_exercise", tmp_path)
    assert code == 1
    assert f"sinusoidal-table: cases.py:{at}: " in said
    assert "label=" in said
    assert not REFUSED.search(said)


@pytest.mark.covering(most=2)
@pytest.mark.parametrize(
    ("place", "unseen"), list(zip(PLACES.values(), UNSEEN.values(), strict=False))
)
def test_a_generated_question_that_cannot_be_read_is_refused(
    tmp_path: Path, place: str, unseen: str
) -> None:
    code, said = run("check_content", course_with(tmp_path, place.format(unseen)))
    assert code == 1
    assert "questions/drawn/generate.py:1: seed 0: " in said
    assert f"U+{ord(unseen[0]):04X}" in said or (unseen == "\0" and "NUL" in said)
    assert not REFUSED.search(said)


def test_the_question_is_right_without_them(tmp_path: Path) -> None:
    assert run("check_content", course_with(tmp_path, "pass"))[0] == 0


def course_with(folder: Path, change: str) -> Path:
    """Return a course with one generated question, whose program does one thing more."""
    course = write_course(folder, {"one": "Words."})
    question = course / "questions/drawn"
    question.mkdir(parents=True)
    (question / "question.yaml").write_text("kind: single\nstep: first/one\nprompt: Numbers.\n")
    (question / "generate.py").write_text(QUESTION.format(change=change))
    return course
