"""check_content tries what questions bring: their generators, and the known mistakes they name."""

import shutil
from pathlib import Path

import pytest

from quizzes.content_files.python_source import line_of_wrong_parameters
from quizzes.grader.judge import BUILT_IN_MISTAKES
from tests.authoring.test_check_and_load import run
from tests.lessons.course import write_course

EXAMPLE = Path(__file__).resolve().parents[2] / "docs/example-exercise"
YAML = "kind: single\nstep: first/one\nprompt: Other numbers every time.\n"
OPTIONS = "options: [{text: a, key: true, reason: x}, {text: b, reason: y, mistake: gone/swap}]\n"
LOOP = "def generate(rng, exercise):\n    return {}[rng]\n"


@pytest.fixture
def question(tmp_path: Path) -> Path:
    """The folder of a question in a course that has nothing else wrong."""
    folder = write_course(tmp_path, {"one": "Words."}) / "questions" / "drawn"
    folder.mkdir(parents=True)
    (folder / "question.yaml").write_text(YAML)
    return folder


@pytest.mark.parametrize(
    ("more", "source", "words"),
    [
        (OPTIONS, "", "there is no known mistake gone/swap"),
        ("exercise: gone\n", LOOP, "question.yaml:4: exercise: there is no exercise 'gone'"),
        ("", "x = 1\n", "generate.py:1: must define generate"),
        ("", "\0", "generate.py:1: contains a NUL"),
        ("", "def generate(rng):\n    ...\n", "generate.py:1: generate must take (rng, exercise)"),
        pytest.param("", LOOP, "generate.py:2: seed 0:", marks=pytest.mark.sandbox),
    ],
)
def test_check_content_names_faults_of_a_question(
    question: Path, more: str, source: str, words: str
) -> None:
    (question / "question.yaml").write_text(YAML + more)
    if source:
        (question / "generate.py").write_text(source)
    code, said = run("check_content", question.parent.parent)
    assert code == 1
    assert words in said
    assert not source or f"questions/drawn/{words}" in said


def test_a_header_of_the_older_form_is_remarked_and_no_fault(question: Path) -> None:
    course = question.parent.parent
    shutil.rmtree(question)
    exercise = shutil.copytree(EXAMPLE, course / "exercises/causal-mask")
    assert run("check_content", course, "--without-proofs")[1].count("warning") == 0
    (exercise / "wrong/future.py").write_text(
        '"""Later tokens are seen: they must not.\n\nBreaks: 3. No later key.\n"""\n'
        "def causal_mask(n, past=0):\n    return n\n"
    )
    code, said = run("check_content", course, "--without-proofs")
    assert code == 0
    assert "warning: exercises/causal-mask/wrong/future.py:1: one sentence" in said
    assert said.count("warning") == 1


@pytest.mark.parametrize("mistake", BUILT_IN_MISTAKES)
def test_a_mistake_that_every_exercise_knows_may_be_named(question: Path, mistake: str) -> None:
    shutil.copytree(EXAMPLE, question.parent.parent / "exercises" / "causal-mask")
    named = OPTIONS.replace("gone/swap", f"causal-mask/{mistake}")
    (question / "question.yaml").write_text(YAML + named)
    code, said = run("check_content", question.parent.parent)
    assert code == 0, said
    (question / "question.yaml").write_text(YAML + named.replace("causal-mask/", "gone/"))
    code, said = run("check_content", question.parent.parent)
    assert code == 1
    assert f"there is no known mistake gone/{mistake}" in said


@pytest.mark.parametrize(
    ("parameters", "fits"),
    [
        ("rng, exercise", True),
        ("rng, exercise=None", True),
        ("*both", True),
        ("rng, exercise, /", True),
        ("rng", False),
        ("", False),
        ("rng, exercise, seed", False),
        ("rng, exercise, *, seed", False),
    ],
)
def test_a_generator_takes_its_two_values(parameters: str, *, fits: bool) -> None:
    source = f"import numpy\n\ndef generate({parameters}):\n    return None\n"
    assert line_of_wrong_parameters(source, "generate", count=2) == (0 if fits else 3)
    for other in (f"@wrap\n{source[14:]}", f"{source}\nif rng:\n    generate = print\n", "x = 1"):
        assert line_of_wrong_parameters(other, "generate", count=2) == 0


@pytest.mark.sandbox
def test_an_author_sees_what_learners_would_meet(question: Path) -> None:
    (question / "generate.py").write_text(
        "def generate(rng, exercise):\n"
        "    n = int(rng.integers(2, 9))\n"
        "    wrong = [{'text': str(n + k), 'reason': 'Too many.'} for k in (1, 2, 3)]\n"
        "    return {'prompt': f'Is it {n}?', 'facts': {'n': n}, 'proof': str(n),\n"
        "            'key': {'text': str(n), 'reason': 'It is.'}, 'distractors': wrong}\n"
    )
    code, said = run("draw_question", question, "--seeds=2")
    assert code == 0
    assert "2 of 2 seeds give a question" in said
    assert "Too many." in said
