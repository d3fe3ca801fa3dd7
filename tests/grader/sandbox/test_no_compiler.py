"""torch.compile finds neither threads nor a compiler in the sandbox: it says so, with the line."""

import pytest

from quizzes.grader.inside.rehearsal import NO_COMPILER
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Verdict
from quizzes.grader.sandbox.supervisor import Supervisor

pytestmark = pytest.mark.sandbox

ABOVE = "import torch\n"
COMPILED = {
    "a decorator": "@torch.compile\ndef sinusoidal_table(n, d, base=1e4): ...\n",
    "a decorator with options": "@torch.compile(fullgraph=True)\ndef sinusoidal_table(n, d): ...\n",
    "a function": "sinusoidal_table = torch.compile(lambda n, d, base=1e4: torch.ones(n, d))\n",
    "a module": "torch.nn.Linear(2, 2).compile()\n",
}
IN_A_CALL = """
def sinusoidal_table(n, d, base=1e4):
    return torch.compile(torch.sin)(torch.ones(n, d))
"""


@pytest.mark.parametrize("code", COMPILED.values(), ids=COMPILED)
def test_to_compile_is_an_error_of_its_own(
    code: str, table_pack: CasePack, torch_student: Supervisor
) -> None:
    report = grade_code(table_pack, ABOVE + code, torch_student)
    assert report.verdict is Verdict.COULD_NOT_RUN
    assert report.first_fault is not None
    assert report.first_fault.message.endswith(f"RuntimeError in line 2: {NO_COMPILER}.")


def test_to_compile_in_a_call_is_an_error_of_that_call(
    table_pack: CasePack, torch_student: Supervisor
) -> None:
    report = grade_code(table_pack, ABOVE + IN_A_CALL, torch_student)
    assert report.verdict is Verdict.COULD_NOT_RUN
    assert report.first_fault is not None
    assert f"in line 4: {NO_COMPILER}." in report.first_fault.message
