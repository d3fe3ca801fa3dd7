"""What a report tells a student: which case, which numbers, which text, and nothing else."""

import pytest

from quizzes.grader.errors import SandboxBroken
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Stage, Verdict
from quizzes.grader.protocol.job import Job, Run, Sandbox
from tests.grader.judge.judged import assert_sound, body
from tests.grader.judge.test_sinusoidal_table import HONEST

pytestmark = pytest.mark.sandbox


def test_a_crash_on_one_case_is_wrong_and_says_where(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = body("assert d % 2 == 0, 'odd d'\n    return good(n, d, base)")
    report = grade_code(table_pack, code, student)
    assert report.verdict is Verdict.WRONG
    assert report.first_fault is not None
    assert report.first_fault.case == "odd d"
    assert report.first_fault.message == "Your code raised AssertionError in line 8: odd d."
    assert report.traceback.count("submission.py") == 1
    assert "quizzes" not in report.traceback
    assert report.smallest_failing is not None
    assert report.smallest_failing.got_text == "raises AssertionError: odd d"


def test_the_earliest_stage_is_named_with_its_smallest_case(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = body("t = good(n, d, base) + 1\n    return t if d < 50 else t.T")
    report = grade_code(table_pack, code, student)
    assert report.first_fault is not None
    assert (report.first_fault.stage, report.first_fault.case) == (Stage.SHAPE, "200 positions")
    assert report.smallest_failing is not None
    assert report.smallest_failing.label == "200 positions"


def test_a_mixture_of_mistakes_has_no_name(table_pack: CasePack, student: Sandbox) -> None:
    report = grade_code(table_pack, body("return good(n, d, base)[:, ::-1] * 0.5"), student)
    assert report.verdict is Verdict.WRONG
    assert report.known_mistake is None


def test_small_arrays_are_shown_whole_and_large_ones_by_their_worst_cells(
    table_pack: CasePack, student: Sandbox
) -> None:
    shown = grade_code(table_pack, body("return good(n, d, base) * 0.5"), student).smallest_failing
    assert shown is not None
    assert shown.expected_text == "[[0.0000, 1.0000, 0.0000, 1.0000]]"
    assert shown.got_text == "[[0.0000, 0.5000, 0.0000, 0.5000]]"
    assert shown.tolerance_text == "allowed: an absolute error of 2.5e-05"
    code = body("t = good(n, d, base)\n    if n == 200: t[150, 7] += 3\n    return t")
    report = grade_code(table_pack, code, student)
    assert report.cases_passed == 13
    assert report.smallest_failing is not None
    assert report.smallest_failing.worst_index == (150, 7)
    assert report.smallest_failing.max_error == pytest.approx(3)
    assert report.smallest_failing.got_text.splitlines()[0] == "where numbers differ:"
    assert report.smallest_failing.got_text.splitlines()[1].startswith("[150, 7]  ")
    assert len(report.smallest_failing.got_text.splitlines()) == 2
    assert report.picture is not None
    assert report.picture.worst == (150, 7)
    assert (report.picture.row0, report.picture.column0) == (118, 0)


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
    loop = body("while d == 6: pass\n    return good(n, d, base)")
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
        ("open('/x', 'w')", "Files, network, processes and threads are out of reach"),
        ("import threading; threading.Thread(target=print).start()", "are out of reach"),
        ("raise AssertionError('Torch not compiled with CUDA enabled')", "no graphics card"),
    ],
)
def test_what_cannot_be_had_here_is_explained(
    text: str, said: str, table_pack: CasePack, student: Sandbox
) -> None:
    report = grade_code(table_pack, body(text), student)
    assert report.first_fault is not None
    assert said in report.first_fault.message
    assert report.first_fault.message.endswith(".")
