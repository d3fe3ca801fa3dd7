"""A learner can begin from the starter: sent as it is, it ends, and is not right."""

from dataclasses import replace

import pytest

from quizzes.grader.definitions.verification import verify
from quizzes.grader.protocol.job import Sandbox
from tests.grader.definitions.test_liars import DRAWN, PAIRS, SHOWN, exercise

pytestmark = pytest.mark.sandbox

UNFINISHED = {
    "an endless call": "import time\ndef f(x, n):\n    while True: time.sleep(0.05)\n",
    "an endless file": "import time\nwhile True: time.sleep(0.05)\n",
    "a long sleep": "import time\ndef f(x, n):\n    time.sleep(60)\n",
    "all memory": "def f(x, n):\n    return bytearray(10**12)\n",
    "endless output": "def f(x, n):\n    while True: print('x' * 10**6)\n",
}
FIT = {
    "nothing returned": "def f(x, n): ...\n",
    "another result": "def f(x, n):\n    return x\n",
    "an error": "def f(x, n):\n    raise NotImplementedError\n",
    "no such name": "x = 1\n",
    "no Python": "def f(x, n)\n",
}


def starting_from(source: str):
    whole = exercise("x * n + 1", SHOWN, DRAWN, *PAIRS)
    return replace(whole, starter=source, limits=replace(whole.limits, wall_seconds=0.3))


@pytest.mark.parametrize("source", UNFINISHED.values(), ids=UNFINISHED)
def test_starter_beyond_a_limit_is_refused(source: str, author: Sandbox, student: Sandbox) -> None:
    found = verify(starting_from(source), author, student)
    (said,) = [problem for problem in found.problems if problem.startswith("starter.py")]
    assert said.startswith("starter.py: was graded limit_reached: ")
    assert said.endswith("; expected wrong or could_not_run")


def test_published_starter_beyond_a_limit_is_warned_of(author: Sandbox, student: Sandbox) -> None:
    endless = starting_from(UNFINISHED["an endless call"])
    found = verify(endless, author, student, was_published=True)
    assert found.ok
    (warned,) = [one for one in found.proof.warnings if one.kind == "starter"]
    assert "was graded limit_reached" in warned.message
    assert warned.message in found.proof.remarks


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("source", FIT.values(), ids=FIT)
def test_starter_that_ends_is_accepted(source: str, author: Sandbox, student: Sandbox) -> None:
    found = verify(starting_from(source), author, student, was_published=True)
    assert found.ok
    assert not [one for one in found.proof.warnings if one.kind == "starter"]


def test_right_starter_is_refused_once(author: Sandbox, student: Sandbox) -> None:
    right = starting_from("def f(x, n):\n    return x * n + 1\n")
    for was_published in (False, True):
        found = verify(right, author, student, was_published=was_published)
        said = [problem for problem in found.problems if problem.startswith("starter.py")]
        assert said == ["starter.py: is graded correct as it stands"]
