"""Nothing of our own modules reaches learners' code: its annotations are those of plain Python.

`compile` hands down the `from __future__` of the module that calls it, and the harness has one.
"""

import pytest

from quizzes.grader.judge import grade_code
from quizzes.grader.programs import look_inside, run_program, sample
from quizzes.grader.programs.typed_call import read_typed_call
from quizzes.grader.protocol.job import Limits
from tests.shared_sandboxes import shared_pack, shared_sandbox
from tests.shipped_exercises.folders import definition_of

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]
TABLE = definition_of("sinusoidal-table").reference
LIMITS = Limits(wall_seconds=5)
# True in plain Python, where an annotation is evaluated: with the flag it is a text.
EVALUATED = "def _own(value: 1 + 1): pass\nassert _own.__annotations__ == {'value': 2}\n"
FUTURE = "from __future__ import annotations\n"
AS_TEXT = f"{FUTURE}{EVALUATED}".replace("'value': 2", "'value': '1 + 1'")


def problem_of(kind: str, code: str) -> str:
    """Return what goes wrong when code is run in one of the ways that there are."""
    student, pack = shared_sandbox("student"), shared_pack("sinusoidal-table")
    call = "sinusoidal_table(n=3, d=4)"
    if kind == "Submit":
        report = grade_code(pack, code, student, shown_only=False)
        return "" if report.verdict == "correct" else str(report.as_json())
    if kind == "Run":
        return run_program(code, call, student, limits=LIMITS).problem
    if kind == "figure":
        batch = sample(code, "sinusoidal_table(n=n, d=4)", [{"n": 3}], student, limits=LIMITS)
        return batch.problem + batch.problems[0]
    if kind == "typed call":
        return read_typed_call(call, code, pack.entry, student, limits=LIMITS).problem
    xray = look_inside(
        code,
        call,
        pack=pack,
        student=student,
        author=None,
        right=(TABLE,),
        limits=LIMITS,
    )
    return xray.problem


@pytest.mark.parametrize("kind", ["Submit", "Run", "figure", "typed call", "X-ray"])
@pytest.mark.parametrize("start", [EVALUATED, AS_TEXT], ids=["plain", "future"])
def test_annotations_are_those_of_plain_python(kind: str, start: str) -> None:
    code = start + TABLE.replace(FUTURE, "")
    assert problem_of(kind, code) == ""
    assert problem_of(kind, code.replace("assert _own", "assert not _own")) != ""
