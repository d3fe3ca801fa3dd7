"""Reports for what students really send: stages, limits, lies, mixtures; on the real sandbox."""

import pytest

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Stage, Verdict
from quizzes.grader.protocol.job import Sandbox
from tests.grader.judge.judged import NAP, assert_sound, body

pytestmark = pytest.mark.sandbox


@pytest.mark.parametrize(
    ("code", "stage", "says"),
    [
        ("", Stage.NAME, "does not define `sinusoidal_table`."),
        ("def sinusoidal_tabel(n, d): 1", Stage.NAME, "it defines sinusoidal_tabel"),
        ("sinusoidal_table = [1]", Stage.NAME, "is of type list"),
        ("def f(:", Stage.IMPORTS, "SyntaxError in line 1"),
        ("x = 1 / 0", Stage.IMPORTS, "ZeroDivisionError in line 1"),
        ("import pandas", Stage.IMPORTS, "No module named 'pandas'; only NumPy"),
        ("import torch", Stage.IMPORTS, "use NumPy"),
        ("import posenc", Stage.IMPORTS, "No module named 'posenc'"),
        ("exit()", Stage.IMPORTS, "ends the program"),
        ("\0", Stage.IMPORTS, "null bytes"),
        ("\ud800", Stage.IMPORTS, "raised"),
        ("(" * 100_000, Stage.IMPORTS, "raised"),
        ("def sinusoidal_table(n, dim): 1", Stage.SIGNATURE, "(n, dim) cannot be called as"),
        (body("return undefined"), Stage.RETURNED, "NameError in line 8"),
        (body("import os; os._exit(0)"), Stage.RETURNED, "exit code 0"),
        (body("import os; os.abort()"), Stage.RETURNED, "crashed (SIG"),
        (body("import os; os.write(3, b'PEQ1')"), Stage.RETURNED, "descriptor 3"),
        (body("import sys; sys.exit('bye')"), Stage.RETURNED, "ends the program"),
        (body("raise KeyboardInterrupt"), Stage.RETURNED, "KeyboardInterrupt"),
        (body("def f(): f()\n    f()"), Stage.RETURNED, "RecursionError"),
    ],
)
def test_what_cannot_run(
    code: str, stage: Stage, says: str, table_pack: CasePack, student: Sandbox
) -> None:
    report = grade_code(table_pack, code, student)
    assert report.verdict is Verdict.COULD_NOT_RUN
    assert report.first_fault is not None
    assert report.first_fault.stage is stage
    assert says in report.first_fault.message
    assert report.known_mistake is None
    assert report.cases_passed == 0
    assert report.cases_total == len(report.cases) > 13
    assert_sound(report)


@pytest.mark.parametrize(
    ("text", "stage", "says"),
    [
        ("good(n, d, base)", Stage.RETURNED, "returned None"),
        ("return good(n, d, base).tolist()", Stage.STRUCTURE, "a list of 1, expected an array"),
        ("return str(good(n, d, base))", Stage.STRUCTURE, "a str, expected an array"),
        ("return b'x'", Stage.STRUCTURE, "a bytes"),
        ("return 1.5", Stage.STRUCTURE, "a single number (float)"),
        ("return iter([])", Stage.STRUCTURE, "a list_iterator"),
        ("return good(n, d, base), d", Stage.STRUCTURE, "a tuple or list of 2 ("),
        ("return {'pe': good(n, d, base)}", Stage.STRUCTURE, "a dict with pe ("),
        ("return [good(n, d, base)] * 300", Stage.STRUCTURE, "a list of 300"),
        ("x = []; x.append(x); return x", Stage.STRUCTURE, "a list of 1"),
        ("return good(n, d, base)[None]", Stage.SHAPE, "shape (1, 1, 4), expected (1, 4)"),
        ("return good(n + 1, d, base)", Stage.SHAPE, "shape (2, 4)"),
        ("return good(n, d, base).astype(object)", Stage.DTYPE, "dtype object"),
        ("return good(n, d, base).astype(str)", Stage.DTYPE, "dtype text"),
        ("return good(n, d, base).astype(int)", Stage.DTYPE, "dtype int64"),
        ("return good(n, d, base).astype(complex)", Stage.DTYPE, "dtype complex128"),
        ("return good(n, d, base).astype('g')", Stage.DTYPE, "dtype float128"),
        ("return good(n, d, base) > 0", Stage.DTYPE, "dtype bool"),
        ("return good(n, d, base).astype('f2')", Stage.DTYPE, "dtype float16"),
        ("return good(n, d, base) / 0", Stage.FINITE, "nan at [0, 0], expected a finite"),
        ("return good(n, d, base) + 1e-3", Stage.VALUES, "12 of 12 numbers differ"),
        ("return good(n, d, base) + 2.6e-5", Stage.VALUES, "got 1.000026"),
    ],
)
def test_what_is_wrong(
    text: str, stage: Stage, says: str, table_pack: CasePack, student: Sandbox
) -> None:
    report = grade_code(table_pack, body(text), student)
    assert report.first_fault is not None
    assert report.first_fault.stage is stage
    assert says in report.first_fault.message
    numbers = stage in (Stage.VALUES, Stage.FINITE)  # of which one row shows too little
    assert report.first_fault.case == ("the example" if numbers else "one position")
    named = "fp16" if "f2" in text else None
    assert (report.known_mistake.slug if report.known_mistake else None) == named
    assert report.verdict is (Verdict.KNOWN_MISTAKE if named else Verdict.WRONG)
    assert report.smallest_failing is not None
    assert report.smallest_failing.call == f"sinusoidal_table(n={3 if numbers else 1}, d=4)"
    assert (report.picture is not None) == numbers
    assert_sound(report)


@pytest.mark.parametrize("sign", ["+", "-"])
def test_just_inside_the_tolerance_is_correct(
    sign: str, table_pack: CasePack, student: Sandbox
) -> None:
    report = grade_code(table_pack, body(f"return good(n, d, base) {sign} 2.4e-5"), student)
    assert report.verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("text", "limit", "says"),
    [
        (f"while True: {NAP}", "time", "s; the limit is 2 s. It was in line 8."),
        ("return [0] * 10**9", "memory", "needs more memory than the 600 MB"),
        ("print('x' * (2 << 20))", "output", "printed more than 1 MB"),
        ("import os\n    while 1: os.write(3, bytes(1 << 20))", "result", "more than 32 MB"),
    ],
)
def test_limits(text: str, limit: str, says: str, table_pack: CasePack, student: Sandbox) -> None:
    report = grade_code(table_pack, body(text), student)
    assert report.verdict is Verdict.LIMIT_REACHED
    assert report.limit == limit
    assert report.first_fault is not None
    assert report.first_fault.stage is Stage.LIMIT
    assert says in report.first_fault.message
    assert report.first_fault.case == "one position"
    assert_sound(report)


def test_a_loop_while_loading_belongs_to_no_case(table_pack: CasePack, student: Sandbox) -> None:
    report = grade_code(table_pack, f"while True: {NAP}", student)
    assert (report.verdict, report.limit) == (Verdict.LIMIT_REACHED, "time")
    assert report.first_fault is not None
    assert report.first_fault.case is None


def test_a_late_loop_keeps_the_earlier_cases(table_pack: CasePack, student: Sandbox) -> None:
    code = body(f"while n == 200: {NAP}\n    return good(n, d, base)")
    report = grade_code(table_pack, code, student)
    assert (report.verdict, report.limit) == (Verdict.LIMIT_REACHED, "time")
    assert report.cases_passed == report.cases_total - 1
    assert report.first_fault is not None
    assert report.first_fault.case == "200 positions"
    assert report.smallest_failing is not None
    assert report.smallest_failing.call == "sinusoidal_table(n=200, d=64)"


WRONG_BUT_FOR_THE_EXAMPLE = """t = good(n, d, base)
    if (n, d) != (3, 4):
        t[-1] += 0.25 * np.arange(d)
    return t"""


def test_shown_input_has_rows_and_columns(table_pack: CasePack, student: Sandbox) -> None:
    """The example passes, and one row of four numbers fails; two rows say more."""
    report = grade_code(table_pack, body(WRONG_BUT_FOR_THE_EXAMPLE), student)
    assert report.shrunk
    assert report.smallest_failing is not None
    assert report.smallest_failing.call == "sinusoidal_table(n=2, d=4)"
    assert_sound(report)


def test_small_input_is_shown_where_no_larger_fails(table_pack: CasePack, student: Sandbox) -> None:
    code = "t = good(n, d, base)\n    if n == 1: t[0, -1] += 3\n    return t"
    report = grade_code(table_pack, body(code), student)
    assert report.smallest_failing is not None
    assert report.smallest_failing.call.startswith("sinusoidal_table(n=1, d=")
