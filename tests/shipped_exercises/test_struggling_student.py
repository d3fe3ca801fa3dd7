"""Ten attempts of a student at ALiBi's bias, and the sentence that helps with each.

In `SLIPS` an attempt makes one slip. In `ON_THE_WAY` the student removes one slip after the other,
as students do, so that the first attempts make three or four at once.
"""

import pytest

from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Report, Verdict
from quizzes.grader.protocol.job import Sandbox
from tests.shared_sandboxes import shared_pack
from tests.shipped_exercises.folders import definition_of

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

SLUG = "alibi-bias"
RIGHT_SLOPES = """
    power = 2 ** (n_heads.bit_length() - 1)
    first = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    between = 2.0 ** (-4 * np.arange(1, 2 * power + 1, 2) / power)
    slopes = np.concatenate([first, between[: n_heads - power]])[:, None, None]
"""
NO_SLOPES = "\n    slopes = np.ones((n_heads, 1, 1))\n"
HALVES = "\n    slopes = 0.5 ** np.arange(1, n_heads + 1)[:, None, None]\n"
ONE_FORMULA = "\n    slopes = 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)[:, None, None]\n"
OF_P = RIGHT_SLOPES.replace(
    "-4 * np.arange(1, 2 * power + 1, 2)", "-8 * np.arange(1, power + 1, 2)"
)
LAST_ROWS, FIRST_ROWS, TOO_FAR = "Lk - Lq", "0", "Lk - Lq + 1"
BIAS = "-slopes * (queries - keys)"
MASK = f"np.where(keys > queries, -np.inf, {BIAS})"
LATE_MASK = f"np.where(keys > queries + 1, -np.inf, {BIAS})"
PRODUCT = f"{BIAS} + (keys > queries) * -np.inf"
DISTANCE = "-slopes * np.abs(queries - keys)"


def program(slopes: str, offset: str, result: str) -> str:
    return (
        "import numpy as np\n\n\ndef alibi_bias(n_heads, Lq, Lk):"
        f"{slopes}    queries = np.arange(Lq)[:, None] + {offset}\n"
        f"    keys = np.arange(Lk)[None]\n    return {result}\n"
    )


STARTER = "This is still the starter code"
NO_MASK = "Your numbers are finite where minus infinity is expected"
SILENT = ""  # wherever the slopes are wrong, so are the rows: nothing shows alone
NAN = "and 0 times infinity is NaN"
RIGHT = program(RIGHT_SLOPES, LAST_ROWS, MASK)
# Name, code, the known mistakes that are named, and what else is said.
SLIPS = [
    ("starter", definition_of(SLUG).starter, set(), STARTER),
    ("no slopes", program(NO_SLOPES, LAST_ROWS, MASK), {"no_slopes"}, ""),
    ("1/2^h", program(HALVES, LAST_ROWS, MASK), {"power_h"}, ""),
    ("no mask", program(RIGHT_SLOPES, LAST_ROWS, BIAS), {"no_mask"}, ""),
    ("0 times infinity", program(RIGHT_SLOPES, LAST_ROWS, PRODUCT), set(), NAN),
    ("rows from 0", program(RIGHT_SLOPES, FIRST_ROWS, MASK), {"start_aligned"}, ""),
    ("one too far", program(RIGHT_SLOPES, LAST_ROWS, LATE_MASK), {"mask_late"}, ""),
    ("one formula", program(ONE_FORMULA, LAST_ROWS, MASK), {"geometric_any_n"}, ""),
    ("extras from P", program(OF_P, LAST_ROWS, MASK), {"extra_of_p"}, ""),
    ("right", RIGHT, set(), ""),
]
ON_THE_WAY = [
    ("starter", definition_of(SLUG).starter, set(), STARTER),
    ("no slopes", program(NO_SLOPES, FIRST_ROWS, DISTANCE), set(), NO_MASK),
    ("1/2^h", program(HALVES, FIRST_ROWS, DISTANCE), set(), NO_MASK),
    ("no mask", program(ONE_FORMULA, FIRST_ROWS, BIAS), set(), NO_MASK),
    ("0 times infinity", program(ONE_FORMULA, FIRST_ROWS, PRODUCT), set(), NAN),
    (
        "rows from 0",
        program(ONE_FORMULA, FIRST_ROWS, MASK),
        {"geometric_any_n", "start_aligned"},
        "",
    ),
    ("one too far", program(ONE_FORMULA, TOO_FAR, MASK), set(), SILENT),
    ("one formula", program(ONE_FORMULA, LAST_ROWS, MASK), {"geometric_any_n"}, ""),
    ("extras from P", program(OF_P, LAST_ROWS, MASK), {"extra_of_p"}, ""),
    ("right", RIGHT, set(), ""),
]


def short(item: object) -> str:
    """Return the same id in every process: a set has no order."""
    return str(sorted(item) if isinstance(item, set) else item)[:16]


def assert_helped(report: Report, named: set[str], said: str) -> None:
    mistakes = (report.known_mistake, report.second_mistake)
    assert {mistake.slug for mistake in mistakes if mistake} == named
    if report.verdict is not Verdict.CORRECT:
        assert report.first_fault is not None
        assert said in report.first_fault.message


@pytest.mark.parametrize("attempts", [SLIPS, ON_THE_WAY])
def test_most_failing_attempts_get_a_sentence(
    attempts: list[tuple[str, str, set[str], str]],
) -> None:
    """Of nine that fail; the tests below see that each is said."""
    assert len(attempts) == 10
    assert sum(bool(named or said) for *_, named, said in attempts) >= 8


@pytest.mark.parametrize(("name", "code", "named", "said"), ON_THE_WAY, ids=short)
def test_each_attempt_on_the_way_gets_a_sentence(
    name: str, code: str, named: set[str], said: str, student: Sandbox
) -> None:
    report = grade_code(shared_pack(SLUG), code, student)
    assert (report.verdict is Verdict.CORRECT) == (name == "right")
    assert_helped(report, named, said)


@pytest.mark.soak  # the same slips, each alone
@pytest.mark.parametrize(("name", "code", "named", "said"), SLIPS, ids=short)
def test_each_slip_gets_a_sentence(
    name: str, code: str, named: set[str], said: str, student: Sandbox
) -> None:
    report = grade_code(shared_pack(SLUG), code, student)
    assert (report.verdict is Verdict.CORRECT) == (name == "right")
    assert_helped(report, named, said)
