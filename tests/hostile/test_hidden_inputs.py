"""Code that prints every object it can reach shows no argument of a hidden case.

The arguments of the hidden case hold a secret, as text and as the bytes of an array. Each spy goes
through all that its process holds (every frame, every object known to the garbage collector, and
whatever those refer to) from another place, and shows what it found in another way.
"""

import json

import pytest

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.definitions.definition import read_definition
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Report, Verdict
from quizzes.grader.protocol.job import Sandbox
from tests.hostile.test_attacks import FUNCTION, PRELUDE
from tests.shared_sandboxes import shared_sandbox

pytestmark = pytest.mark.sandbox

PREFIX, SECRET = "hidden-canary-", "zqwv"  # no digits: a report has seconds, too
EXERCISE = {
    **FUNCTION,
    "exercise.yaml": FUNCTION["exercise.yaml"].replace("pe(n, d)", "pe(n, d, word, letters)"),
    "reference.py": PRELUDE + "\ndef pe(n, d, word, letters): return good(n, d)\n",
    "cases.py": f"""
import numpy as np
from quizzes.grader.case import Case
def cases(rng):
    for n, word in ((2, "shown-canary-0000"), (3, "{PREFIX}{SECRET}")):
        letters = np.frombuffer(word.encode(), np.uint8)
        d = 4 if n == 2 else 2 * int(rng.integers(2, 9))
        arguments = {{"n": n, "d": d, "word": word, "letters": letters}}
        yield Case(f"n={{n}}", arguments, shown=n == 2)
""",
}

SEARCH = (
    PRELUDE
    + '''
import gc, os, sys, threading

WANTED = "-".join(["hidden", "canary", ""])


def text_of(item):
    if isinstance(item, str):
        return item
    if isinstance(item, (bytes, bytearray, memoryview)):
        return bytes(item).decode("latin-1")
    if isinstance(item, np.ndarray) and item.dtype != object:
        return item.tobytes().decode("latin-1")
    return ""


def search():
    """Four letters after each place at which the prefix stands in this process."""
    frames = [*sys._current_frames().values()]
    for frame in list(frames):
        while frame:
            frames.append(frame)
            frame = frame.f_back
    todo = [*gc.get_objects(), *frames, *(frame.f_locals for frame in frames)]
    seen, found = set(), set()
    while todo:
        item = todo.pop()
        if id(item) in seen or item is seen or item is todo:
            continue
        seen.add(id(item))
        text = text_of(item)
        at = text.find(WANTED)
        while at >= 0:
            found.add(text[at + len(WANTED) : at + len(WANTED) + 4])
            at = text.find(WANTED, at + 1)
        todo += gc.get_referents(item)
    return " ".join(sorted(found))


def pe(n, d, word, letters):
    return good(n, d)
'''
)
SPIES = {
    "the module's body": "print('FOUND', search())",
    "a shown call": """
def pe(n, d, word, letters):
    if n == 2:
        print("FOUND", search())
    return good(n, d)
""",
    "the error of a shown call": """
def pe(n, d, word, letters):
    if n == 2:
        print("FOUND")
        raise ValueError(search())
    return good(n, d)
""",
    "a hook of the profiler": """
def hook(frame, event, _):
    if event == "call" and frame.f_code.co_name == "pe":
        os.write(keep, f"FOUND {search()} ".encode())


keep = os.dup(1)
sys.setprofile(hook)
""",
    "a thread, or where there is none the garbage collector": """
keep, left = os.dup(1), iter(range(4, 0, -1))


def tell(*_):
    if next(left, 0):
        os.write(keep, f"FOUND {search()} ".encode())


try:
    threading.Thread(target=tell).start()
except RuntimeError:
    gc.callbacks.append(tell)
    gc.set_threshold(5)
gc.collect()
""",
    "a hidden call, on a descriptor kept": """
keep = os.dup(1)
def pe(n, d, word, letters):
    os.write(keep, f"FOUND {word[-4:]} {search()} ".encode())
    return good(n, d)
""",
    "a hidden call, on standard error kept": """
keep = os.dup(2)
print("FOUND")
def pe(n, d, word, letters):
    os.write(keep, f"FOUND {word[-4:]} {search()} ".encode())
    return good(n, d)
""",
}


@pytest.fixture(scope="module")
def pack() -> CasePack:
    return build_case_pack(read_definition("searched", EXERCISE), shared_sandbox("author"), seed=3)


@pytest.fixture(scope="module")
def student() -> Sandbox:
    return shared_sandbox("student")


@pytest.mark.covering
@pytest.mark.parametrize("check", [False, True], ids=["submit", "check"])
@pytest.mark.parametrize("spy", SPIES)
def test_no_hidden_argument_is_shown(
    spy: str, check: bool, pack: CasePack, student: Sandbox
) -> None:
    report = grade_code(pack, SEARCH + SPIES[spy], student, shown_only=check)
    assert "FOUND" in report.stdout, f"the search did not take place: {report.first_fault}"
    assert SECRET not in shown_by(report)


def test_a_search_finds_what_is_there(pack: CasePack, student: Sandbox) -> None:
    """A shown argument is found by the same search, so that finding nothing means something."""
    seeker = SEARCH.replace('"hidden"', '"shown"') + SPIES["a shown call"]
    report = grade_code(pack, seeker, student)
    assert report.verdict in (Verdict.CORRECT, Verdict.WRONG)
    assert "0000" in report.stdout.split("FOUND")[1]


def shown_by(report: Report) -> str:
    """Everything of a report that anybody can read."""
    return json.dumps({**report.as_json(), "stdout": report.stdout})
