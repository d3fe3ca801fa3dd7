"""What a report tells a student: which case, which numbers, which text, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.errors import SandboxBroken
from quizzes.grader.judge import reporting
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Stage, Verdict
from quizzes.grader.protocol.job import Job, Run, Sandbox
from quizzes.grader.protocol.observation import Leaf
from tests.grader.judge.judged import GOOD, NAP, assert_sound, body
from tests.grader.judge.test_sinusoidal_table import HONEST
from tests.grader.shipped import definition

pytestmark = pytest.mark.sandbox


def test_a_crash_on_one_case_is_wrong_and_says_where(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = body("assert d != 6, 'six'\n    return good(n, d, base)")
    report = grade_code(table_pack, code, student)
    assert report.verdict is Verdict.WRONG
    assert report.first_fault is not None
    assert (report.found_in, report.first_fault.case) == ("three pairs", "n=2, d=6")
    assert report.first_fault.message == "Your code raised AssertionError in line 8: six."
    assert report.traceback.count("submission.py") == 1
    assert "quizzes" not in report.traceback
    assert report.smallest_failing is not None
    assert report.smallest_failing.got_text == "raises AssertionError: six"


def test_a_broken_relation_changes_no_verdict(
    table_pack: CasePack,
    student: Sandbox,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def overflow(*_: object) -> str:
        raise OverflowError("cannot convert float infinity to integer")

    monkeypatch.setattr(reporting, "find_relation", overflow)
    report = grade_code(table_pack, body("return 3 * good(n, d, base)"), student)
    assert report.verdict is Verdict.WRONG
    assert "relation sinusoidal_table" in caplog.text


def test_the_earliest_stage_is_named_with_its_smallest_case(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = body("t = good(n, d, base) + 1\n    return t if d < 50 else t.T")
    report = grade_code(table_pack, code, student)
    assert report.first_fault is not None
    assert (report.first_fault.stage, report.first_fault.case) == (Stage.SHAPE, "200 positions")
    assert report.smallest_failing is not None
    assert report.smallest_failing.label == "200 positions"


@pytest.mark.parametrize(
    ("code", "headline"),
    [
        (
            "def sinusoidal_table(n, d, base=1e4):\n    x = []\n    return x[n]",
            "your code stopped with an IndexError in line 3",
        ),
        ("x = 1\ndef sinusoidal_table(n, d:\n", "your code stopped with a SyntaxError in line 2"),
        ("def table(n, d): pass", "your code does not define sinusoidal_table"),
        (
            "def sinusoidal_table(n, d): return n",
            "your sinusoidal_table cannot be called with base",
        ),
        (
            "def sinusoidal_table(n, d, size, base=1e4): return n",
            "your sinusoidal_table cannot be called without size",
        ),
        ("def sinusoidal_table(n, d, base=1e4): exit()", "your code ends the program"),
        ("def sinusoidal_table(n, d, base=1e4): pass", "your code returned None"),
        (
            body("return good(n, d, base), 1"),
            "you returned a tuple or list of 2, not an array",
        ),
        (body("return {'table': 1}"), "you returned a dict with table, not an array"),
        (body("return good(n, d, base).tolist()"), "you returned a list, not an array"),
        (body("return 'text'"), "you returned a str, not an array"),
        (body("return 2.5"), "you returned a single number, not an array"),
        (body("return good(n, d, base)[:1, :3]"), "the result has shape (1, 3), not (1, 4)"),
        (
            body("return good(n, d, base).astype(int)"),
            "the result has dtype int64, not float32 or float64",
        ),
        (
            body("return good(n, d, base) * float('nan')"),
            "the result contains NaN where a finite number belongs",
        ),
        (
            body("return 1 / (good(n, d, base) * 0)"),
            "the result contains an infinite number where a finite one belongs",
        ),
        (body("return good(n, d, base) + 1"), "the result differs"),
    ],
)
def test_the_headline_is_of_the_first_fault(
    code: str, headline: str, table_pack: CasePack, student: Sandbox
) -> None:
    report = grade_code(table_pack, code, student)
    assert report.headline == f"Not yet: {headline}"
    assert_sound(report)


@pytest.mark.torch
def test_wrong_numbers_are_told_before_an_error_that_is_missing(
    author: Sandbox, torch_student: Sandbox
) -> None:
    exercise = definition("sinusoidal-module")
    pack = build_case_pack(exercise, author, seed=11)
    check = "if length > most:"
    assert check in exercise.reference
    unchecked = exercise.reference.replace(check, "if length < 0:")
    for code, stage in (
        (unchecked, Stage.RAISES),
        (unchecked.replace("x + self", "2 * x + self"), Stage.VALUES),
    ):
        report = grade_code(pack, code, torch_student)
        assert report.first_fault is not None
        assert report.first_fault.stage is stage


CRASHES = "assert n < 200, 'too long'\n    return concat(n, d, base)"


@pytest.mark.parametrize(
    ("text", "case", "headline"),
    [
        (CRASHES, "200 positions", "your code stopped with an AssertionError in line {line}"),
        (
            "return concat(n, d, base)[:199]",
            "200 positions",
            "the result has shape (199, 2), not (200, 2)",
        ),
        ("return concat(n, d, base) + (n == 200)", "200 positions", "the result differs"),
    ],
)
def test_what_else_is_wrong_is_told_beside_another_convention(
    text: str, case: str, headline: str, table_pack: CasePack, student: Sandbox
) -> None:
    other = definition("sinusoidal-table").wrong["concat"].source
    code = other.replace("def sinusoidal_table", "def concat")
    line = len(f"{code}\n\n".splitlines()) + 1
    code = f"{code}\ndef sinusoidal_table(n, d, base=1e4):\n    {text}\n"
    report = grade_code(table_pack, code, student)
    assert report.verdict is Verdict.WRONG
    assert report.headline == f"Not yet: another convention, and {headline.format(line=line)}"
    assert report.known_mistake is not None
    assert report.known_mistake.slug == "concat"
    assert report.first_fault is not None
    assert (report.found_in or report.first_fault.case) == case
    assert_sound(report)


def test_the_fault_beside_a_convention_is_not_the_convention_itself(
    table_pack: CasePack, student: Sandbox
) -> None:
    """By the reference's results all numbers are wrong, in every case."""
    other = definition("sinusoidal-table").wrong["concat"].source
    code = other.replace("def sinusoidal_table", "def concat") + (
        "\ndef sinusoidal_table(n, d, base=1e4):\n    t = concat(n, d, base)\n"
        "    if n == 200: t[150, 1] += 3\n    return t\n"
    )
    report = grade_code(table_pack, code, student)
    assert report.verdict is Verdict.WRONG
    assert report.headline == "Not yet: another convention, and the result differs"
    fault, failing = report.first_fault, report.smallest_failing
    assert fault is not None
    assert fault.message.startswith("Compared with the results of that convention: 1 of ")
    assert failing is not None
    assert failing.worst_index == (150, 1)
    assert failing.max_error == pytest.approx(3)
    assert failing.got_text.count("[150, 1]") == 1
    assert len(failing.expected_text.splitlines()) == 2
    assert not report.shrunk
    assert report.picture is not None
    assert report.picture.worst == (150, 1)
    assert_sound(report)


def test_a_convention_that_changes_an_argument_does_not_ask_for_that(
    table_pack: CasePack, student: Sandbox
) -> None:
    """Code with its numbers that leaves the argument alone has no fault beside the convention."""
    given = list(table_pack.conventions["transposed"])
    at = next(
        place
        for place, case in enumerate(table_pack.cases)
        if case.graded and not case.identify and case.probe == "call"
    )
    changed = {"changed.n": Leaf("number", "bool", values=np.array([True]))}
    given[at] = replace(given[at], leaves={**given[at].leaves, **changed})
    conventions = {**table_pack.conventions, "transposed": tuple(given)}
    pack = replace(table_pack, conventions=conventions)
    report = grade_code(pack, body("return good(n, d, base).T"), student)
    assert report.verdict is Verdict.CORRECT_OTHER_CONVENTION


def test_a_convention_kept_in_some_cases_only_is_none(
    table_pack: CasePack, student: Sandbox
) -> None:
    other = definition("sinusoidal-table").wrong["concat"].source
    code = f"{GOOD}\n{other}".replace("def sinusoidal_table", "def concat")
    code += "\ndef sinusoidal_table(n, d, base=1e4):\n    "
    report = grade_code(
        table_pack, f"{code}return (good if n == d else concat)(n, d, base)", student
    )
    assert report.verdict is Verdict.WRONG
    assert report.known_mistake is None
    assert report.headline == "Not yet: the result differs"


def test_a_type_that_students_name_is_harmless_in_the_headline(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = body(r"raise type('A\x1b[2J\u202e\n' + 'x' * 5000, (Exception,), {})()")
    headline = grade_code(table_pack, code, student).headline
    assert headline.startswith("Not yet: your code stopped with an A")
    assert headline.isprintable()
    assert len(headline) < 250


def test_a_verdict_that_says_enough_is_its_own_headline(
    table_pack: CasePack, student: Sandbox
) -> None:
    for code in (HONEST["loops"], body("return good(n, d, base).T"), body(f"while True: {NAP}")):
        report = grade_code(table_pack, code, student)
        assert report.headline == report.verdict.label


def test_a_mixture_of_mistakes_has_no_name(table_pack: CasePack, student: Sandbox) -> None:
    report = grade_code(table_pack, body("return good(n, d, base)[:, ::-1] * 0.5"), student)
    assert report.verdict is Verdict.WRONG
    assert report.known_mistake is None


def test_small_arrays_are_shown_whole_and_large_ones_by_their_worst_cells(
    table_pack: CasePack, student: Sandbox
) -> None:
    shown = grade_code(table_pack, body("return good(n, d, base) * 0.5"), student).smallest_failing
    assert shown is not None
    assert shown.expected_text.splitlines()[0] == "[[ 0.0000,  1.0000,  0.0000,  1.0000],"
    assert shown.got_text.splitlines()[0] == "[[ 0.0000,  0.5000,  0.0000,  0.5000],"
    assert len(shown.got_text.splitlines()) == 3
    assert shown.tolerance_text == "allowed: an absolute error of 2.5e-05"
    code = body("t = good(n, d, base)\n    if n == 200: t[150, 7] += 3\n    return t")
    report = grade_code(table_pack, code, student)
    assert report.cases_passed == report.cases_total - 1
    assert report.smallest_failing is not None
    assert report.smallest_failing.worst_index == (150, 7)
    assert report.smallest_failing.max_error == pytest.approx(3)
    assert report.smallest_failing.got_text.splitlines()[0] == "where numbers differ:"
    assert report.smallest_failing.got_text.splitlines()[1].startswith("[150, 7]  ")
    assert len(report.smallest_failing.got_text.splitlines()) == 2
    assert report.picture is not None
    assert report.picture.worst == (150, 7)
    assert (report.picture.row0, report.picture.column0) == (118, 0)


def test_an_error_as_large_as_a_number_can_be_is_read_back(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = body("return good(n, d, base) * 0 + 1.7976931348623157e308")
    report = grade_code(table_pack, code, student)
    assert report.smallest_failing is not None
    assert report.smallest_failing.max_error == 1.7976931348623157e308
    assert_sound(report)


def test_hidden_cases_that_pass_tell_nothing(table_pack: CasePack, student: Sandbox) -> None:
    report = grade_code(table_pack, HONEST["loops"], student)
    for case in report.cases:
        assert case.passed
        assert bool(case.call) == case.shown
        assert not case.expected_text


def test_a_check_tells_of_the_shown_cases_alone(table_pack: CasePack, student: Sandbox) -> None:
    code = body("print(n)\n    return good(n, d, base) + (n > 100 or d == 6)")
    report = grade_code(table_pack, code, student, shown_only=True)
    assert report.verdict is Verdict.CORRECT
    assert report.cases_total == report.cases_passed == 7
    assert all(case.shown for case in report.cases)
    assert report.stdout.split() == ["1", "3", "5", "5", "9", "9", "20"]
    loop = body(f"while d == 6: {NAP}\n    return good(n, d, base)")
    assert grade_code(table_pack, loop, student, shown_only=True).verdict is Verdict.CORRECT


def test_a_check_names_a_mistake(table_pack: CasePack, student: Sandbox) -> None:
    report = grade_code(table_pack, body("return good(n, d, base).T"), student, shown_only=True)
    assert report.verdict is Verdict.CORRECT_OTHER_CONVENTION
    assert report.known_mistake is not None
    assert report.known_mistake.slug == "transposed"


def test_text_of_the_student_is_cleaned(table_pack: CasePack, student: Sandbox) -> None:
    nasty = r"'\x1b[2J\x1b]0;owned\x07<b>\u202e' + '^' * 500"
    code = body(
        f"import sys\n    sys.stdout.buffer.write(b'\\xff\\xfe\\x00')\n    print({nasty})\n"
        f"    raise ValueError({nasty})"
    )
    report = grade_code(table_pack, code, student)
    assert report.first_fault is not None
    for text in (report.stdout, report.traceback, report.first_fault.message):
        assert "<b>" in text
        assert not set(text) & set("\x1b\x07\u202e\x00")
        assert "^" * 50 not in text
        assert len(text) < 10_000
    assert report.stdout.startswith("\ufffd\ufffd")


def test_a_false_frame_is_only_a_claim_about_its_own_outputs(
    table_pack: CasePack, student: Sandbox
) -> None:
    forge = """
import json, os, struct
def frame(**header):
    text = json.dumps({**header, "arrays": []}).encode()
    os.write(3, struct.pack("<4sIQ", b"PEQ1", len(text), 0) + text)
"""
    for claim in (
        "frame(kind='end', verdict='correct')",
        "[frame(kind='case', index=i, failure=None, leaves=[]) for i in range(10)]",
        "frame(kind='case', index=99, failure=None, leaves=[])",
        "frame(kind='case', index=True, failure=None, leaves=[])",
        "frame(kind='load', failure={'rung': 'values'})",
        "frame(kind='stopped', failure={'rung': 'limit', 'time': True})",
        "frame(kind='verdict', score=1)",
    ):
        code = f"{forge}{claim}; frame(kind='end')\nos._exit(0)"
        report = grade_code(table_pack, code, student)
        assert report.verdict not in (Verdict.CORRECT, Verdict.NOT_GRADED)
        assert report.cases_passed == 0
        assert_sound(report)


class Dead:
    """A sandbox that is broken."""

    def run(self, job: Job) -> Run:
        raise SandboxBroken("no fork server")


def test_our_failure_is_never_a_verdict(table_pack: CasePack) -> None:
    with pytest.raises(SandboxBroken):
        grade_code(table_pack, "", Dead())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("open('/x', 'w')", "Files, the network, processes and threads are not available"),
        ("import threading; threading.Thread(target=print).start()", "are not available"),
    ],
)
def test_what_cannot_be_had_here_is_explained(
    text: str, said: str, table_pack: CasePack, student: Sandbox
) -> None:
    report = grade_code(table_pack, body(text), student)
    assert report.first_fault is not None
    assert said in report.first_fault.message
    assert report.first_fault.message.endswith(".")


def test_relation_is_said_of_unnamed_numbers(table_pack: CasePack, student: Sandbox) -> None:
    """A Check says it as a Submit does."""
    half, turned = body("return good(n, d, base) * 0.5"), "return good(n, d, base)[:, ::-1].copy()"
    for shown_only in (False, True):
        report = grade_code(table_pack, half, student, shown_only=shown_only)
        assert report.first_fault is not None
        assert report.first_fault.message.endswith(" Your result is half of the expected one.")
    report = grade_code(table_pack, body(turned), student)
    assert report.first_fault is not None
    assert "has the expected columns in reverse order" in report.first_fault.message
