"""A wrong result is called alone: right there, code keeps something; else it may be chance."""

from dataclasses import replace

import pytest

from quizzes.grader.judge import state_between_calls
from quizzes.grader.judge.built_in_mistakes import (
    BUILT_IN_MISTAKES,
    KEPT_BETWEEN_CALLS,
    OVERWRITTEN_RESULT,
)
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Report, Verdict
from quizzes.grader.judge.stages import Finding
from quizzes.grader.judge.state_between_calls import check_result
from quizzes.grader.protocol.job import Job, Limits, Run, Sandbox
from quizzes.grader.protocol.observation import Observation
from quizzes.grader.protocol.verdict import Stage
from tests.grader.judge.judged import GOOD, assert_sound, body

pytestmark = pytest.mark.sandbox

BY_SIZE = (
    f"kept = {{}}\n{GOOD}"
    + """
def sinusoidal_table(n, d, base=1e4):
    return kept.setdefault((n, d), good(n, d, base))
"""
)


class Counting:
    """A sandbox that remembers its jobs."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.jobs: list[Job] = []

    def run(self, job: Job) -> Run:
        self.jobs.append(job)
        return self._sandbox.run(job)


def message(report: Report) -> str:
    assert report.first_fault is not None
    return report.first_fault.message


def test_both_calls_are_told(table_pack: CasePack, student: Sandbox) -> None:
    report = grade_code(table_pack, BY_SIZE, student)
    assert report.verdict is Verdict.KNOWN_MISTAKE
    assert report.known_mistake == BUILT_IN_MISTAKES[KEPT_BETWEEN_CALLS]
    failing = report.smallest_failing
    assert failing is not None
    assert failing.call == "sinusoidal_table(n=9, d=8, base=500.0)"
    assert failing.before == "sinusoidal_table(n=9, d=8, base=100.0)"
    assert failing.expected_text != failing.got_text
    assert message(report).startswith("This call is right on its own, but not after other calls:")
    assert report.cases_passed == report.cases_total - 1
    assert_sound(report)


def test_a_check_tells_of_pairs_of_shown_cases(table_pack: CasePack, student: Sandbox) -> None:
    counting = Counting(student)
    report = grade_code(table_pack, BY_SIZE, counting, shown_only=True)
    assert report.known_mistake == BUILT_IN_MISTAKES[KEPT_BETWEEN_CALLS]
    first = counting.jobs[0]
    assert {pair.argument for pair in first.pairs} == {"base", "d"}  # a case for n is hidden
    assert all(first.cases[call.place].shown for call in first.paired_calls)


def test_what_is_wrong_after_the_other_call_alone_is_found(
    table_pack: CasePack, student: Sandbox
) -> None:
    """Every case is right; only a call like the last but one is answered by that."""
    code = (
        f"last = [None, None]\n{GOOD}"
        + """
def sinusoidal_table(n, d, base=1e4):
    last.append((n, d, base))
    return good(n, d, last[-2][2] if last[-3] == last[-1] else base)
"""
    )
    report = grade_code(table_pack, code, student)
    assert report.known_mistake == BUILT_IN_MISTAKES[KEPT_BETWEEN_CALLS]
    assert report.smallest_failing is not None
    assert report.smallest_failing.call == "sinusoidal_table(n=9, d=8, base=100.0)"
    assert report.smallest_failing.before == "sinusoidal_table(n=9, d=8, base=500.0)"


@pytest.mark.parametrize("result", ["buffer", "buffer[:n]", "buffer.view()"])
def test_a_result_that_the_next_call_changes_is_found(
    result: str, table_pack: CasePack, student: Sandbox
) -> None:
    """Every call is right when it returns: one buffer of each size is handed out again."""
    code = (
        f"import numpy as np\nbuffers = {{}}\n{GOOD}"
        + f"""
def sinusoidal_table(n, d, base=1e4):
    buffer = buffers.setdefault((n, d), np.empty((n, d)))
    buffer[:] = good(n, d, base)
    return {result}
"""
    )
    report = grade_code(table_pack, code, student)
    assert report.verdict is Verdict.KNOWN_MISTAKE
    assert report.known_mistake == BUILT_IN_MISTAKES[OVERWRITTEN_RESULT]
    assert message(report).startswith("A later call changed this result: ")
    assert report.smallest_failing is not None
    assert report.smallest_failing.before == (
        "result = sinusoidal_table(n=9, d=8, base=500.0)\nsinusoidal_table(n=9, d=8, base=100.0)"
    )
    assert report.smallest_failing.call == "result"


def test_a_table_handed_out_again_unchanged_is_correct(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = f"import functools\n{GOOD}\nsinusoidal_table = functools.lru_cache(None)(good)\n"
    assert grade_code(table_pack, code, student).verdict is Verdict.CORRECT


def test_judge_compares_equal_results_once(
    table_pack: CasePack, student: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[int] = []

    def check(pack: CasePack, place: int, *results: Observation) -> Finding | None:
        compared.append(place)
        return check_result(pack, place, *results)

    monkeypatch.setattr(state_between_calls, "check_result", check)
    code = f"{GOOD}\nsinusoidal_table = good\n"
    assert grade_code(table_pack, code, student).verdict is Verdict.CORRECT
    assert len(compared) == len(set(compared)) == 2 * len(table_pack.find_pairs())


def test_an_error_in_a_second_call_is_told(table_pack: CasePack, student: Sandbox) -> None:
    code = (
        f"seen = []\n{GOOD}"
        + """
def sinusoidal_table(n, d, base=1e4):
    assert seen.count((n, d, base)) < 2, "once more"
    seen.append((n, d, base))
    return good(n, d, base)
"""
    )
    report = grade_code(table_pack, code, student)
    assert report.known_mistake == BUILT_IN_MISTAKES[KEPT_BETWEEN_CALLS]
    assert "once more" in message(report)
    assert "AssertionError" in report.traceback


def test_other_numbers_each_time_are_called_so(table_pack: CasePack, student: Sandbox) -> None:
    code = "import numpy as np\n" + body(
        "return good(n, d, base) + np.random.default_rng().normal(size=(n, d))"
    )
    report = grade_code(table_pack, code, student)
    assert report.verdict is Verdict.WRONG
    assert report.known_mistake is None
    assert message(report).startswith("Your code gives different numbers each time: ")
    assert not report.shrunk


def test_chance_that_changes_no_result_is_none(table_pack: CasePack, student: Sandbox) -> None:
    code = "import random\n" + body("random.random()\n    return good(n, d, base)")
    assert grade_code(table_pack, code, student).verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        (body("return good(n, d, base) * 1.5"), Verdict.WRONG),
        (body("return good(n, d, base).T"), Verdict.CORRECT_OTHER_CONVENTION),
        (body("return good(n, d)"), Verdict.KNOWN_MISTAKE),
    ],
)
def test_what_is_wrong_alone_too_stays_what_it_is(
    code: str, verdict: Verdict, table_pack: CasePack, student: Sandbox
) -> None:
    report = grade_code(table_pack, code, student)
    assert report.verdict is verdict
    assert report.known_mistake != BUILT_IN_MISTAKES[KEPT_BETWEEN_CALLS]
    assert "alone" not in message(report)
    assert "each time" not in message(report)
    assert report.smallest_failing is not None
    assert report.smallest_failing.before == ""


@pytest.mark.parametrize(
    ("line", "stage"),
    [
        ("while n == 200: __import__('time').sleep(0.05)", Stage.LIMIT),
        ("if n == 200: import os; os.write(3, b'x')", Stage.RETURNED),
        ("if n == 200: import os; os._exit(0)", Stage.RETURNED),
    ],
)
def test_nothing_is_called_alone_without_a_wrong_result_of_a_whole_run(
    line: str, stage: Stage, table_pack: CasePack, student: Sandbox
) -> None:
    limits = Limits(wall_seconds=0.5)
    pack = replace(table_pack, entry=replace(table_pack.entry, limits=limits))
    counting = Counting(student)
    report = grade_code(pack, body(f"{line}\n    return good(n, d, base) + (n == 9)"), counting)
    assert report.known_mistake is None
    assert not [job for job in counting.jobs if len(job.cases) == 1]
    assert report.first_fault is not None
    if stage is Stage.LIMIT:
        assert report.limit == "time"


def test_a_loop_in_a_pair_is_a_limit(table_pack: CasePack, student: Sandbox) -> None:
    """Or else code could skip its pairs by waiting there."""
    code = (
        f"seen = []\n{GOOD}"
        + """
def sinusoidal_table(n, d, base=1e4):
    while seen.count((n, d, base)) == 2: __import__("time").sleep(0.05)
    seen.append((n, d, base))
    return good(n, d, base)
"""
    )
    limits = Limits(wall_seconds=0.5)
    pack = replace(table_pack, entry=replace(table_pack.entry, limits=limits))
    report = grade_code(pack, code, student)
    assert (report.verdict, report.limit) == (Verdict.LIMIT_REACHED, "time")
    assert report.first_fault is not None
    assert report.first_fault.case == "the example"
    assert report.smallest_failing is not None
    assert report.smallest_failing.got_text == ""


def test_the_call_before_is_blamed_only_where_it_is_of_the_same_pair(
    table_pack: CasePack, student: Sandbox
) -> None:
    """The fourth call is wrong, whatever the third was."""
    code = f"calls = []\n{GOOD}" + (
        "\ndef sinusoidal_table(n, d, base=1e4):\n    calls.append(n)\n"
        "    return good(n, d, base) + (len(calls) == 4)\n"
    )
    report = grade_code(table_pack, code, student)
    assert report.known_mistake == BUILT_IN_MISTAKES[KEPT_BETWEEN_CALLS]
    assert report.smallest_failing is not None
    call, note = report.smallest_failing.before.splitlines()
    assert call.startswith("sinusoidal_table(")
    assert note == "# the call just before; an earlier one may be to blame"


def test_another_convention_that_keeps_something_is_both(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = BY_SIZE.replace("good(n, d, base))", "good(n, d, base).T)")
    report = grade_code(table_pack, code, student)
    assert report.verdict is Verdict.KNOWN_MISTAKE
    assert report.known_mistake == BUILT_IN_MISTAKES[KEPT_BETWEEN_CALLS]
    assert report.second_mistake is not None
    assert report.second_mistake.slug == "transposed"
    assert report.headline == "Not yet: another convention, and at least one known mistake"
    assert report.smallest_failing is not None
    assert report.smallest_failing.call == "sinusoidal_table(n=9, d=8, base=500.0)"
    assert report.smallest_failing.before == "sinusoidal_table(n=9, d=8, base=100.0)"
    assert "compared with the results of that convention" in message(report)
    assert_sound(report)
    code = code.replace("(n, d)", "(n, d, base)")
    assert grade_code(table_pack, code, student).verdict is Verdict.CORRECT_OTHER_CONVENTION


def test_another_convention_that_is_wrong_in_a_case_after_others_is_both(
    table_pack: CasePack, student: Sandbox
) -> None:
    """That case is wrong by the reference and by the convention, and alone right by this."""
    code = f"kept = {{}}\n{GOOD}" + (
        "\ndef sinusoidal_table(n, d, base=1e4):\n"
        "    base = kept.get('base', base) if n == 200 else base\n"
        "    kept['base'] = 77.0\n"
        "    return good(n, d, base).T\n"
    )
    report = grade_code(table_pack, code, student)
    assert report.known_mistake == BUILT_IN_MISTAKES[KEPT_BETWEEN_CALLS]
    assert report.second_mistake is not None
    assert report.second_mistake.slug == "transposed"
    assert not report.shrunk


@pytest.mark.covering(most=1)
@pytest.mark.parametrize("dice", ["np.random.default_rng()", "np.random"])
def test_code_that_throws_dice_keeps_nothing(
    dice: str, table_pack: CasePack, student: Sandbox
) -> None:
    """Right alone by luck: in 24 gradings it is hardly ever wrong in the same call again."""
    throw = "dice.random() < 0.1"
    code = f"{GOOD}\ndice = {dice}\ndef sinusoidal_table(n, d, base=1e4):\n"
    code += f"    return good(n, d, base) * (1 + ({throw}))\n"
    named = [grade_code(table_pack, code, student).known_mistake for _ in range(24)]
    kept = sum(mistake == BUILT_IN_MISTAKES[KEPT_BETWEEN_CALLS] for mistake in named)
    assert kept <= 9  # of 24 with a chance of 0.1 each: less than once in a million runs
