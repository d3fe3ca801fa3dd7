"""Sentences to a student are made in four modules, and nothing of theirs gets into them raw."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizzes.grader.judge import headlines, messages
from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.protocol.job import Death
from quizzes.grader.protocol.observation import Failure, Leaf
from quizzes.grader.protocol.verdict import Stage
from tests.grader.conftest import ROOT

GRADER = ROOT / "quizzes/grader"
ROOMS = ("judge", "protocol")
WORDS = 3  # that many in a row are a sentence
# The words of an enumeration stand with it; the others are of errors that no student sees, or are
# what Python says.
ELSEWHERE = {"_LABELS", "_STAGE_LABELS", "NO_EVIDENCE", "_READERS", "_SAID"}
# The modules that make them, and how many texts of several words each has at least.
OF_SENTENCES = {"messages.py": 60, "property_messages.py": 50, "headlines.py": 20, "words.py": 25}
FILES = sorted(path for room in ROOMS for path in (GRADER / room).rglob("*.py"))


def sentences(path: Path) -> Iterator[str]:
    """Its texts of several words but for docstrings and errors, with their lines."""
    tree = ast.parse(path.read_text())
    left_out: set[int] = set()
    for node in ast.walk(tree):
        assigned = isinstance(node, ast.Assign | ast.AnnAssign)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = {target.id for target in targets if isinstance(target, ast.Name)}
        statement = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if statement or isinstance(node, ast.Raise) or (assigned and names & ELSEWHERE):
            left_out |= {id(part) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = [word for word in node.value.split() if word.strip("().,:;`'\"").isalpha()]
            if len(words) >= WORDS and id(node) not in left_out:
                yield f"{path.name}:{node.lineno}: {node.value}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_sentences_are_made_in_the_modules_of_sentences_alone(path: Path) -> None:
    found = list(sentences(path))
    if path.name in OF_SENTENCES:
        assert len(found) >= OF_SENTENCES[path.name]
    else:
        assert found == []


@pytest.mark.parametrize(
    ("death", "said"),
    [
        (None, "your code ended unexpectedly"),
        (Death(), "your code ended unexpectedly: it closed its result channel"),
        (
            Death(exit_code=0),
            "your code ended unexpectedly: it ended the interpreter with exit code 0",
        ),
        (
            Death(signal="SIGSEGV"),
            "your code ended unexpectedly: the interpreter crashed (SIGSEGV)",
        ),
    ],
)
def test_how_code_broke_off(death: Death | None, said: str) -> None:
    assert messages.broke_off(death) == said


def test_every_stage_has_a_headline_of_its_own() -> None:
    said = {headlines.headline("", stage) for stage in Stage}
    assert len(said) == len(Stage)
    assert "Not yet: an expected error is missing" in said
    assert all(line.startswith("Not yet: ") and len(line) < 80 for line in said)


@pytest.mark.parametrize(
    ("tolerance", "said"),
    [
        (Tolerance(), "allowed: no error at all"),
        (Tolerance(atol=1e-6), "allowed: an absolute error of 1e-06"),
        (
            Tolerance(rtol=0.01, atol=1e-6, relative_to_max=1e-3),
            "allowed: an absolute error of 1e-06 plus a relative error of 0.01 plus 0.001 of the "
            "largest expected number",
        ),
    ],
)
def test_what_error_is_allowed(tolerance: Tolerance, said: str) -> None:
    assert messages.describe_tolerance(tolerance) == said


def test_what_the_student_named_is_cleaned() -> None:
    raw = "ev\x1b[31mil\u202e\nname"
    leaf = Leaf(kind="object", type=raw)
    failure = Failure(Stage.RETURNED, type=raw, message=raw)
    for said in (
        messages.no_array(f"out.{raw}", leaf),
        messages.describe_leaves({f"out.{raw}": leaf, "out.b": leaf}),
        messages.describe_failure(failure, "f", "f()"),
        messages.no_gradient(raw),
        messages.sentence(raw),
    ):
        assert not {"\x1b", "\u202e"} & set(said), said
    assert "\n" not in messages.no_array(f"out.{raw}", leaf)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("the result is wrong", "The result is wrong."),
        ("is it? It is?", "Is it? It is?"),
        ("it goes on…", "It goes on…"),
        ("`f` is of type int", "`f` is of type int."),
    ],
)
def test_a_finding_becomes_a_sentence(message: str, said: str) -> None:
    assert messages.sentence(message) == said
