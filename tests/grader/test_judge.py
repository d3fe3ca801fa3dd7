"""Reports for what students really send: rungs, limits, lies, mixtures; on the real sandbox."""

import pytest

from quizzes.grader.case_pack import CasePack
from quizzes.grader.job import Sandbox
from quizzes.grader.judge import judge
from quizzes.grader.report import Rung, Verdict
from tests.grader.judged import assert_sound, body

pytestmark = pytest.mark.sandbox


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
    assert report.cases_total == len(report.cases) == 11
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
        ("return good(n, d, base), d", Rung.STRUCTURE, "a tuple or list of 2 ("),
        ("return {'pe': good(n, d, base)}", Rung.STRUCTURE, "a dict with pe ("),
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
    assert report.cases_passed == 10
    assert report.first_fault is not None
    assert report.first_fault.case == "200 positions"
    assert report.smallest_failing is not None
    assert report.smallest_failing.call == "sinusoidal_table(n=200, d=64)"
