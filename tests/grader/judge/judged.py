"""Solutions made from a right one, and what every report must fulfil."""

import json

from quizzes.grader.judge.report import Report
from tests.grader.judge.test_sinusoidal_table import HONEST
from tests.grader.shipped import assert_of_one_input

GOOD = HONEST["where, one line"].replace("sinusoidal_table =", "good =")

NAP = "__import__('time').sleep(0.05)"  # of a loop that never ends: computing ends the same way


def body(text: str) -> str:
    """A solution whose body may call `good(n, d, base)`."""
    return f"{GOOD}\ndef sinusoidal_table(n, d, base=1e4):\n    {text}\n"


def assert_sound(report: Report) -> None:
    """It can be stored and read back, and its sentence is one."""
    text = json.dumps(report.as_json(), allow_nan=False)
    assert Report.from_json(json.loads(text)) == report
    text.encode()
    assert "\0" not in text
    if report.first_fault is not None:
        message = report.first_fault.message
        assert message.endswith((".", "?", "!", "…"))
        assert not message[0].islower()
        assert_of_one_input(report)
