"""Code that carries hidden arguments out in what it returns or raises tells nobody of them.

Each hidden case has a secret number. A program remembers all that it has met and puts them into the
text of an exception, the name of its class, a shape, numbers: a report may hold the secret of the
one case that it names, and no other.
"""

import json
import re

import pytest

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.definitions.definition import read_definition
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.late_results import MAX_MESSAGE
from quizzes.grader.judge.report import Report, Verdict
from quizzes.grader.protocol.job import Sandbox
from tests.hostile.test_attacks import FUNCTION, PRELUDE
from tests.shared_sandboxes import shared_sandbox

pytestmark = pytest.mark.sandbox

LAST = 9
EXERCISE = {
    **FUNCTION,
    "exercise.yaml": FUNCTION["exercise.yaml"].replace("pe(n, d)", "pe(n, d, secret)"),
    "reference.py": PRELUDE + "\ndef pe(n, d, secret): return good(n, d) + secret\n",
    "cases.py": f"""
from quizzes.grader.case import Case
def cases(rng):
    for n in range(3, {LAST + 1}):
        secret = 0 if n == 3 else int(rng.integers(1_000, 10_000))
        yield Case(f"n={{n}}", {{"n": n, "d": 4, "secret": secret}}, shown=n == 3)
    for secret in (-1, -2):
        arguments = {{"n": 3, "d": 4, "secret": secret}}
        yield Case(f"pair {{secret}}", arguments, pair="secret", shown=True)
""",
}
BEGIN = """
import numpy as np
seen = []
class Wrong(Exception): pass
def right(n, d, secret):
    return good(n, d) + secret
def pe(n, d, secret):
    seen.append(secret)
"""
# What each does in the last hidden call, or in every hidden call.
CARRIERS = {
    "a message": "if n == 9: raise ValueError(f'SEEN {seen}')",
    "messages of all": "if n > 3: raise ValueError(f'SEEN {seen}')",
    "the name of a class": """
    if n == 9: raise type("_".join(map(str, seen[1:])), (Exception,), {})()""",
    "the names of classes": """
    if n > 3: raise type(f"E{seen[1:]}", (Exception,), {})()""",
    "a note": """
    if n == 9:
        error = ValueError("no"); error.add_note(str(seen)); raise error""",
    "a chain of causes": """
    if n == 9: raise ValueError("no") from KeyError(*seen)""",
    "a shape": "if n > 3: return np.zeros((1, seen[-2], secret))",
    "numbers": "if n == 9: return right(n, d, secret) + np.resize(seen, (n, d))",
    "numbers of all": "if n > 3: return np.full((n, d), 1.0 * sum(seen))",
    "one number far away": """
    if n > 3:
        table = right(n, d, secret); table[-1, -1] = seen[-2]; return table""",
    "numbers of a second call": """
    if seen.count(-1) > 1: return right(n, d, secret) + np.resize(seen, (n, d))""",
    "a message of a second call": """
    if seen.count(-2) > 1: raise Wrong(seen)""",
    "parts": "if n == 9: return {f'k{number}': np.zeros(2) for number in seen}",
    "another thing": "if n == 9: return str(seen)",
    "a name that is not there": "if n == 9: getattr(np, f'arange{seen}')",
    "a key that is not there": "if n == 9: return {}[str(seen)]",
    "the program's end": "if n == 9: raise SystemExit(str(seen))",
    "a line": """
    if n == 9: exec(compile("\\n" * sum(seen[-3:-1]) + "1 / 0", "submission.py", "exec"))""",
    "an exit code": "if n == 9: import os; os._exit(seen[-2] % 250 + 1)",
    "a line of the code": """
    if n == 9: exec(compile("\\n" * (seen[-2] - 1) + "1 / 0", "submission.py", "exec"))""",
    "a signature": """
    if n == 8:
        import inspect
        def pe_(*arguments): pass
        globals()["pe"].__signature__ = inspect.Signature()
    if n == 9: raise TypeError(f"{seen}")""",
}


@pytest.fixture(scope="module")
def pack() -> CasePack:
    return build_case_pack(read_definition("carried", EXERCISE), shared_sandbox("author"), seed=3)


@pytest.fixture(scope="module")
def student() -> Sandbox:
    return shared_sandbox("student")


def code_with(carrier: str) -> str:
    lines = "\n" * 10_000  # so that each secret is the number of a line, too
    return f"{PRELUDE}{BEGIN}    {carrier.strip()}\n    return right(n, d, secret)\n{lines}"


def told_by(report: Report) -> str:
    return json.dumps({**report.as_json(), "stdout": report.stdout, "seconds": 0})


def calls_named(report: Report) -> tuple[set[str], set[str]]:
    """Return the secrets in the failing call that a report names, and in the call before it."""
    failing = report.smallest_failing
    calls = (failing.call, failing.before) if failing else ("", "")
    return tuple(set(re.findall(r"secret=(\d{4})", call)) for call in calls)


def secrets_of(pack: CasePack) -> set[str]:
    drawn = {str(case.kwargs["secret"]) for case in pack.cases if not case.shown}
    assert len(drawn) == LAST - 3
    return drawn


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_report_tells_of_one_hidden_case(carrier: str, pack: CasePack, student: Sandbox) -> None:
    report = grade_code(pack, code_with(CARRIERS[carrier]), student)
    assert not report.verdict.solves
    assert "exit code" not in told_by(report)
    numbers = set(re.findall(r"\d{4,}", told_by(report)))
    own, before = calls_named(report)
    assert (len(own), len(before)) <= (1, 1)
    own |= before
    for secret in secrets_of(pack) - own:
        assert not [number for number in numbers if secret in number], told_by(report)
    picture = report.picture
    if picture is not None:
        shown = {f"{number:.0f}" for number in picture.yours.ravel()}
        assert not (secrets_of(pack) - own) & shown


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_check_tells_of_no_hidden_case(carrier: str, pack: CasePack, student: Sandbox) -> None:
    told = told_by(grade_code(pack, code_with(CARRIERS[carrier]), student, shown_only=True))
    assert not [secret for secret in secrets_of(pack) if secret in told]


def test_an_honest_exception_is_told_whole(pack: CasePack, student: Sandbox) -> None:
    report = grade_code(pack, code_with("if n == 9: raise ValueError(f'no {secret}')"), student)
    assert report.first_fault is not None
    secret = pack.cases[LAST - 3].kwargs["secret"]
    assert "raised ValueError in line 43" in report.first_fault.message
    assert report.first_fault.message.endswith(f": no {secret}.")
    assert f"ValueError: no {secret}" in report.traceback


def test_a_long_message_is_cut(pack: CasePack, student: Sandbox) -> None:
    report = grade_code(pack, code_with("if n == 9: raise ValueError('long ' * 1000)"), student)
    assert report.first_fault is not None
    assert report.first_fault.message.count("long") <= MAX_MESSAGE // 5
    assert report.traceback.count("long") <= MAX_MESSAGE // 5 + 1


def test_a_fault_that_needs_more_calls_is_told_without_numbers(
    pack: CasePack, student: Sandbox
) -> None:
    code = code_with("if len(seen) == 6: return np.full((n, d), 7777.25)")
    report = grade_code(pack, code, student)
    assert report.verdict is Verdict.KNOWN_MISTAKE
    assert "7777" not in told_by(report)
    assert report.first_fault is not None
    assert report.first_fault.message.startswith("This call is right on its own")


def test_an_exception_that_needs_more_calls_keeps_its_type(
    pack: CasePack, student: Sandbox
) -> None:
    code = code_with("if len(seen) == 6: raise IndexError('secret words')")
    report = grade_code(pack, code, student)
    assert report.verdict is Verdict.WRONG
    assert "secret words" not in told_by(report)
    assert report.first_fault is not None
    assert report.first_fault.message.startswith("Your code raised IndexError, but not")
