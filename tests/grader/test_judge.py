"""Reports for what students really send: rungs, limits, lies, mixtures; on the real sandbox."""

import json

import pytest

from quizzes.grader.case_pack import CasePack
from quizzes.grader.errors import SandboxBroken
from quizzes.grader.job import Job, Run, Sandbox
from quizzes.grader.judge import judge
from quizzes.grader.report import Report, Rung, Verdict
from tests.grader.test_sinusoidal_table import HONEST

pytestmark = pytest.mark.sandbox

GOOD = HONEST["where, one line"].replace("sinusoidal_table =", "good =")


def body(text: str) -> str:
    """A solution whose body may call `good(n, d, base)`."""
    return f"{GOOD}\ndef sinusoidal_table(n, d, base=1e4):\n    {text}\n"


@pytest.mark.parametrize(
    ("code", "rung", "says"),
    [
        ("", Rung.NAME, "does not define `sinusoidal_table`."),
        ("def sinusoidal_tabel(n, d): 1", Rung.NAME, "it defines sinusoidal_tabel"),
        ("sinusoidal_table = [1]", Rung.NAME, "is of type list"),
        ("def f(:", Rung.IMPORTS, "SyntaxError in line 1"),
        ("x = 1 / 0", Rung.IMPORTS, "ZeroDivisionError in line 1"),
        ("import pandas", Rung.IMPORTS, "No module named 'pandas'; only NumPy"),
        ("import torch", Rung.IMPORTS, "use NumPy"),
        ("import posenc", Rung.IMPORTS, "No module named 'posenc'"),
        ("exit()", Rung.IMPORTS, "ends the program"),
        ("\0", Rung.IMPORTS, "null bytes"),
        ("\ud800", Rung.IMPORTS, "raised"),
        ("(" * 100_000, Rung.IMPORTS, "raised"),
        ("def sinusoidal_table(n, dim): 1", Rung.SIGNATURE, "(n, dim) cannot be called as"),
        (body("return undefined"), Rung.RETURNED, "NameError in line 8"),
        (body("import os; os._exit(0)"), Rung.RETURNED, "exit code 0"),
        (body("import os; os.abort()"), Rung.RETURNED, "crashed (SIG"),
        (body("import os; os.write(3, b'PEQ1')"), Rung.RETURNED, "descriptor 3"),
        (body("import sys; sys.exit('bye')"), Rung.RETURNED, "ends the program"),
        (body("raise KeyboardInterrupt"), Rung.RETURNED, "KeyboardInterrupt"),
        (body("def f(): f()\n    f()"), Rung.RETURNED, "RecursionError"),
    ],
)
def test_what_cannot_run(
    code: str, rung: Rung, says: str, table_pack: CasePack, student: Sandbox
) -> None:
    report = judge(table_pack, code, student)
    assert report.verdict is Verdict.COULD_NOT_RUN
    assert report.first_fault is not None
    assert report.first_fault.rung is rung
    assert says in report.first_fault.message
    assert report.known_mistake is None
    assert report.cases_passed == 0
    assert report.cases_total == len(report.cases) == 10
    assert_sound(report)


@pytest.mark.parametrize(
    ("text", "rung", "says"),
    [
        ("good(n, d, base)", Rung.RETURNED, "returned None"),
        ("return good(n, d, base).tolist()", Rung.STRUCTURE, "a list of 1, expected an array"),
        ("return str(good(n, d, base))", Rung.STRUCTURE, "a str, expected an array"),
        ("return b'x'", Rung.STRUCTURE, "a bytes"),
        ("return 1.5", Rung.STRUCTURE, "a single number (float)"),
        ("return iter([])", Rung.STRUCTURE, "a list_iterator"),
        ("return good(n, d, base), d", Rung.STRUCTURE, "2 parts"),
        ("return {'pe': good(n, d, base)}", Rung.STRUCTURE, "1 parts"),
        ("return [good(n, d, base)] * 300", Rung.STRUCTURE, "a list of 300"),
        ("x = []; x.append(x); return x", Rung.STRUCTURE, "a list of 1"),
        ("return good(n, d, base)[None]", Rung.SHAPE, "shape (1, 1, 4), expected (1, 4)"),
        ("return good(n + 1, d, base)", Rung.SHAPE, "shape (2, 4)"),
        ("return good(n, d, base).astype(object)", Rung.DTYPE, "dtype object"),
        ("return good(n, d, base).astype(str)", Rung.DTYPE, "dtype text"),
        ("return good(n, d, base).astype(int)", Rung.DTYPE, "dtype int64"),
        ("return good(n, d, base).astype(complex)", Rung.DTYPE, "dtype complex128"),
        ("return good(n, d, base).astype('g')", Rung.DTYPE, "dtype float128"),
        ("return good(n, d, base) > 0", Rung.DTYPE, "dtype bool"),
        ("return good(n, d, base).astype('f2')", Rung.DTYPE, "dtype float16"),
        ("return good(n, d, base) / 0", Rung.FINITE, "nan at [0, 0], expected a finite"),
        ("return good(n, d, base) + 1e-3", Rung.VALUES, "4 of 4 numbers differ"),
        ("return good(n, d, base) + 2.6e-5", Rung.VALUES, "got 1.000026"),
    ],
)
def test_what_is_wrong(
    text: str, rung: Rung, says: str, table_pack: CasePack, student: Sandbox
) -> None:
    report = judge(table_pack, body(text), student)
    assert report.first_fault is not None
    assert report.first_fault.rung is rung
    assert says in report.first_fault.message
    assert report.first_fault.case == "one position"
    named = "fp16" if "f2" in text else None
    assert (report.known_mistake.slug if report.known_mistake else None) == named
    assert report.verdict is (Verdict.KNOWN_MISTAKE if named else Verdict.WRONG)
    assert report.smallest_failing is not None
    assert report.smallest_failing.call == "sinusoidal_table(n=1, d=4)"
    assert (report.picture is not None) == (rung in (Rung.VALUES, Rung.FINITE))
    assert_sound(report)


@pytest.mark.parametrize("sign", ["+", "-"])
def test_just_inside_the_tolerance_is_correct(
    sign: str, table_pack: CasePack, student: Sandbox
) -> None:
    report = judge(table_pack, body(f"return good(n, d, base) {sign} 2.4e-5"), student)
    assert report.verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("text", "limit", "says"),
    [
        ("while True: pass", "time", "still running after 2 s (it was in line 8)"),
        ("return [0] * 10**9", "memory", "needs more memory than the 600 MB"),
        ("print('x' * (2 << 20))", "output", "printed more than 1 MB"),
        ("import os\n    while 1: os.write(3, bytes(1 << 20))", "result", "more than 32 MB"),
    ],
)
def test_limits(text: str, limit: str, says: str, table_pack: CasePack, student: Sandbox) -> None:
    report = judge(table_pack, body(text), student)
    assert report.verdict is Verdict.LIMIT_REACHED
    assert report.limit == limit
    assert report.first_fault is not None
    assert report.first_fault.rung is Rung.LIMIT
    assert says in report.first_fault.message
    assert report.first_fault.case == "one position"
    assert_sound(report)


def test_a_loop_while_loading_belongs_to_no_case(table_pack: CasePack, student: Sandbox) -> None:
    report = judge(table_pack, "while True: pass", student)
    assert (report.verdict, report.limit) == (Verdict.LIMIT_REACHED, "time")
    assert report.first_fault is not None
    assert report.first_fault.case is None


def test_a_late_loop_keeps_the_earlier_cases(table_pack: CasePack, student: Sandbox) -> None:
    code = body("while n == 200: pass\n    return good(n, d, base)")
    report = judge(table_pack, code, student)
    assert (report.verdict, report.limit) == (Verdict.LIMIT_REACHED, "time")
    assert report.cases_passed == 9
    assert report.first_fault is not None
    assert report.first_fault.case == "200 positions"
    assert report.smallest_failing is not None
    assert report.smallest_failing.call == "sinusoidal_table(n=200, d=128)"


def test_a_crash_on_one_case_is_wrong_and_says_where(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = body("assert d % 2 == 0, 'odd d'\n    return good(n, d, base)")
    report = judge(table_pack, code, student)
    assert report.verdict is Verdict.WRONG
    assert report.first_fault is not None
    assert report.first_fault.case == "odd d"
    assert report.first_fault.message == "Your code raised AssertionError in line 8: odd d."
    assert report.traceback.count("submission.py") == 1
    assert "quizzes" not in report.traceback
    assert report.smallest_failing is not None
    assert report.smallest_failing.got_text == "raises AssertionError: odd d"


def test_the_lowest_rung_is_named_with_its_smallest_case(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = body("t = good(n, d, base) + 1\n    return t if d < 50 else t.T")
    report = judge(table_pack, code, student)
    assert report.first_fault is not None
    assert (report.first_fault.rung, report.first_fault.case) == (Rung.SHAPE, "200 positions")
    assert report.smallest_failing is not None
    assert report.smallest_failing.label == "200 positions"


def test_a_mixture_of_mistakes_has_no_name(table_pack: CasePack, student: Sandbox) -> None:
    report = judge(table_pack, body("return good(n, d, base)[:, ::-1] * 0.5"), student)
    assert report.verdict is Verdict.WRONG
    assert report.known_mistake is None


def test_small_arrays_are_shown_whole_and_large_ones_by_their_worst_cells(
    table_pack: CasePack, student: Sandbox
) -> None:
    shown = judge(table_pack, body("return good(n, d, base) * 0.5"), student).smallest_failing
    assert shown is not None
    assert shown.expected_text == "[[0.0000, 1.0000, 0.0000, 1.0000]]"
    assert shown.got_text == "[[0.0000, 0.5000, 0.0000, 0.5000]]"
    assert shown.tolerance_text == "allowed: an absolute error of 2.5e-05"
    code = body("t = good(n, d, base)\n    if n == 200: t[150, 7] += 3\n    return t")
    report = judge(table_pack, code, student)
    assert report.cases_passed == 9
    assert report.smallest_failing is not None
    assert report.smallest_failing.worst_index == (150, 7)
    assert report.smallest_failing.max_error == pytest.approx(3)
    assert report.smallest_failing.got_text.startswith("the 8 worst of 25600 numbers:")
    assert "[150, 7]" in report.smallest_failing.got_text
    assert report.picture is not None
    assert report.picture.worst == (150, 7)
    assert (report.picture.row0, report.picture.column0) == (118, 0)


def test_hidden_cases_that_pass_tell_nothing(table_pack: CasePack, student: Sandbox) -> None:
    report = judge(table_pack, HONEST["loops"], student)
    for case in report.cases:
        assert case.passed
        assert bool(case.call) == case.shown
        assert not case.expected_text


def test_a_check_tells_of_the_shown_cases_alone(table_pack: CasePack, student: Sandbox) -> None:
    code = body("print(n)\n    return good(n, d, base) + (n > 100 or d == 6)")
    report = judge(table_pack, code, student, shown_only=True)
    assert report.verdict is Verdict.CORRECT
    assert report.cases_total == report.cases_passed == 4
    assert all(case.shown for case in report.cases)
    assert report.stdout.split() == ["1", "3", "5", "9"]
    loop = body("while d == 6: pass\n    return good(n, d, base)")
    assert judge(table_pack, loop, student, shown_only=True).verdict is Verdict.CORRECT


def test_a_check_names_a_mistake(table_pack: CasePack, student: Sandbox) -> None:
    report = judge(table_pack, body("return good(n, d, base).T"), student, shown_only=True)
    assert report.verdict is Verdict.CORRECT_OTHER_CONVENTION
    assert report.known_mistake is not None
    assert report.known_mistake.slug == "transposed"


def test_text_of_the_student_is_cleaned(table_pack: CasePack, student: Sandbox) -> None:
    nasty = r"'\x1b[2J\x1b]0;owned\x07<b>\u202e' + '^' * 500"
    code = body(
        f"import sys\n    sys.stdout.buffer.write(b'\\xff\\xfe\\x00')\n    print({nasty})\n"
        f"    raise ValueError({nasty})"
    )
    report = judge(table_pack, code, student)
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
        report = judge(table_pack, code, student)
        assert report.verdict not in (Verdict.CORRECT, Verdict.NOT_GRADED)
        assert report.cases_passed == 0
        assert_sound(report)


class Dead:
    """A sandbox that is broken."""

    def run(self, job: Job) -> Run:
        raise SandboxBroken("no fork server")


def test_our_failure_is_never_a_verdict(table_pack: CasePack) -> None:
    with pytest.raises(SandboxBroken):
        judge(table_pack, "", Dead())


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
