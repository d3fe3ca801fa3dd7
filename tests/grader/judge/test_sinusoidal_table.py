"""The exercise proves itself: reference, starter, every variant, honest other ways to write it."""

import re

import numpy as np
import pytest

from quizzes.grader.definitions.definition import ExerciseDefinition
from quizzes.grader.definitions.verification import verify
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Stage, Verdict
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Ending, Job, Sandbox
from quizzes.grader.protocol.read_results import read_run
from tests.grader.conftest import EXERCISE, ROOT
from tests.parity.golden_data import load
from tests.shared_sandboxes import shared_pack, shared_sandbox

pytestmark = pytest.mark.sandbox

SLUG = EXERCISE.name
VARIANTS = sorted(path.stem for path in (EXERCISE / "wrong").glob("*.py"))
FROM_THE_TABLE = {
    *("exp_double", "exp_double_cos_next", "cos_own_exponent", "exp_half", "cos_precedence"),
    *("swap", "concat", "t2t_concat", "t2t_interleaved", "pos_one", "overwrite", "sin_only"),
    *("degrees", "base_fixed", "base_1000", "fp16", "transposed", "pos_times_wavelength"),
}
CONVENTIONS = {"concat", "t2t_concat", "t2t_concat_padded", "t2t_interleaved", "pos_one"}
CONVENTIONS |= {"transposed"}
CONVENTIONS |= {"cosines_first"}

HONEST = {
    "loops": """
import math, numpy as np
def sinusoidal_table(n, d, base=10000.0):
    table = np.zeros((n, d))
    for pos in range(n):
        for column in range(d):
            angle = pos / base ** ((column - column % 2) / d)
            table[pos, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return table
""",
    "float32 throughout": """
import numpy as np
def sinusoidal_table(n, d, base=10000.0):
    f = np.float32
    i = np.arange(0, d, 2, dtype=f)
    rates = np.exp(-np.log(f(base)) * i / f(d)).astype(f)
    angles = np.arange(n, dtype=f)[:, None] * rates
    table = np.zeros((n, d), dtype=f)
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles)[:, :d // 2]
    return table
""",
    "where, one line": """
import numpy as np
sinusoidal_table = lambda n, d, base=1e4: np.where(np.arange(d) % 2,
    np.cos(np.arange(n)[:, None] * base ** -(np.arange(d) // 2 * 2 / d)),
    np.sin(np.arange(n)[:, None] * base ** -(np.arange(d) // 2 * 2 / d)))
""",
    "a phase shift instead of a cosine": """
import numpy as np
def sinusoidal_table(n, d, base=10000.0):
    column = np.arange(d)
    return np.sin(np.outer(np.arange(n), base ** (-2 * (column // 2) / d)) + column % 2 * np.pi / 2)
""",
    "a class with __call__": """
import numpy as np
class Table:
    def __call__(self, n: int, d: int, base: float = 10_000.0):
        z = np.exp(1j * np.arange(n)[:, None] / base ** (np.arange(0, d, 2) / d))
        return np.stack([z.imag, z.real], axis=-1).reshape(n, -1)[:, :d]
sinusoidal_table = Table()
""",
    "keywords only, with more of them": """
import numpy as np
def sinusoidal_table(*, n, d, base=10000.0, dtype=np.float32, **more):
    k = np.arange((d + 1) // 2)
    a = np.multiply.outer(np.arange(n), base ** (-2.0 * k / d))
    return np.dstack([np.sin(a), np.cos(a)]).reshape(n, -1)[:, :d].astype(dtype)
""",
    "Fortran order, big-endian, a view": """
import numpy as np
def sinusoidal_table(n, d, base=10000.0):
    t = np.empty((2 * d, n), dtype=">f8")
    for c in range(d):
        a = np.arange(n) / base ** (2 * (c // 2) / d)
        t[2 * c] = np.cos(a) if c % 2 else np.sin(a)
    return t[::2].T
""",
}
TORCH = """
import torch
def sinusoidal_table(n, d, base=10000.0):
    position = torch.arange(n).unsqueeze(1)
    div = torch.exp(torch.arange(0, d, 2) * (-torch.log(torch.tensor(base)) / d))
    pe = torch.zeros(n, d)
    pe[:, 0::2] = torch.sin(position * div)
    pe[:, 1::2] = torch.cos(position * div)[:, : d // 2]
    return pe.requires_grad_()
"""


def test_all_the_known_mistakes_are_there() -> None:
    assert set(VARIANTS) >= FROM_THE_TABLE


@pytest.mark.soak  # in the gate the worker of a site verifies every shipped exercise
def test_it_proves_itself(table: ExerciseDefinition, author: Sandbox, student: Sandbox) -> None:
    assert verify(table, author, student).problems == ()


@pytest.mark.covering(most=8)  # of all exercises together: shipped_exercises/test_solutions.py
@pytest.mark.parametrize("slug", VARIANTS)
def test_a_variant_gets_its_own_name(
    slug: str, table: ExerciseDefinition, table_pack: CasePack, student: Sandbox
) -> None:
    report = grade_code(table_pack, table.wrong[slug].source, student)
    assert report.known_mistake is not None
    assert report.known_mistake.slug == slug
    convention = slug in CONVENTIONS
    assert table.wrong[slug].kind == ("convention" if convention else "mistake")
    expected = Verdict.CORRECT_OTHER_CONVENTION if convention else Verdict.KNOWN_MISTAKE
    assert report.verdict is expected
    assert report.first_fault is not None
    assert report.smallest_failing is not None
    assert report.cases_passed < report.cases_total


@pytest.mark.covering
@pytest.mark.parametrize("how", HONEST)
@pytest.mark.parametrize("seed", [3, 4])
def test_other_ways_to_write_it_are_correct(how: str, seed: int, student: Sandbox) -> None:
    report = grade_code(shared_pack(SLUG, seed), HONEST[how], student)
    assert report.first_fault is None
    assert report.verdict is Verdict.CORRECT
    assert report.known_mistake is None
    assert report.cases_passed == report.cases_total


@pytest.mark.slow
def test_torch_tensors_are_accepted(table_pack: CasePack) -> None:
    report = grade_code(table_pack, TORCH, shared_sandbox("student"))
    assert report.first_fault is None
    assert report.verdict is Verdict.CORRECT


def test_the_word_torch_in_a_comment_is_no_fault(table_pack: CasePack, student: Sandbox) -> None:
    report = grade_code(table_pack, f"# as torch.arange does\n{HONEST['loops']}", student)
    assert report.verdict is Verdict.CORRECT


@pytest.mark.parametrize("change", ["", ".astype(np.float16).astype(float)", ".astype('f4')"])
def test_a_mistake_is_named_in_any_precision(
    change: str, table: ExerciseDefinition, table_pack: CasePack, student: Sandbox
) -> None:
    source = table.wrong["swap"].source.replace("return table", f"return table{change}")
    report = grade_code(table_pack, source, student)
    named = report.known_mistake.slug if report.known_mistake else None
    assert named == (None if "16" in change else "swap")


def test_a_half_precision_table_is_named_even_when_cast_back(
    table: ExerciseDefinition, table_pack: CasePack, student: Sandbox
) -> None:
    source = table.wrong["fp16"].source.replace("return table", "return table.astype(float)")
    report = grade_code(table_pack, source, student)
    assert report.known_mistake is not None
    assert report.known_mistake.slug == "fp16"
    assert report.first_fault is not None
    assert report.first_fault.stage is Stage.VALUES


def test_the_starter_is_not_correct_and_not_accused(
    table: ExerciseDefinition, table_pack: CasePack, student: Sandbox
) -> None:
    report = grade_code(table_pack, table.starter, student)
    assert report.verdict is Verdict.WRONG
    assert report.known_mistake is None


def test_the_example_of_the_statement_is_true(table: ExerciseDefinition, student: Sandbox) -> None:
    """The statement's `>>>` lines, run with the reference in the sandbox, print what it shows."""
    found = re.search(r"```python\n>>> (?P<call>.+)\n(?P<shown>array[^`]+)```", table.statement)
    assert found is not None
    source = f"{table.reference}\ndef example():\n    print(repr({found['call']}))\n    return 0\n"
    run = student.run(Job(source, "example", (Case("example", shown=True),)))
    assert run.ending is Ending.FINISHED
    assert run.stdout.decode() == found["shown"]


def test_the_reference_agrees_with_fifty_digits(table: ExerciseDefinition, author: Sandbox) -> None:
    """Independent oracle: sines and cosines of 50-digit angles, see the golden manifest."""
    golden = load("sin_mpmath50_d64")
    case = Case("golden", {"n": 1001, "d": 64})
    observed = read_run(author.run(Job(table.reference, table.name, (case,))), [case])
    assert observed.observations[0] is not None
    got = observed.observations[0].leaves["out"].values
    assert got is not None
    near = golden["positions"] <= 1000
    np.testing.assert_allclose(got[golden["positions"][near]], golden["pe"][near], atol=2e-13)


def test_every_step_named_is_a_step_of_the_lesson(table: ExerciseDefinition) -> None:
    lessons = ROOT / "quizzes/content/positional-encodings/lessons"
    steps = [table.step, *(wrong.step for wrong in table.wrong.values())]
    for step in steps:
        assert step is not None
        lesson, slug = step.split("/")
        assert list((lessons / lesson / "steps").glob(f"[0-9][0-9]-{slug}.md")), step


def test_a_drawn_case_differs_from_pack_to_pack() -> None:
    calls = set()
    for seed in (3, 4, 5):
        pack = shared_pack(SLUG, seed)
        calls.add(tuple(str(dict(c.kwargs)) for c in pack.cases if c.label.startswith("drawn")))
    assert len(calls) == 3


def test_float16_values_are_far_outside_the_tolerance(table_pack: CasePack) -> None:
    place = [case.label for case in table_pack.cases].index("200 positions")
    exact = table_pack.expected[place].leaves["out"].values
    assert exact is not None
    error = np.abs(exact.astype(np.float16).astype(float) - exact).max()
    assert 2e-4 < error < 2.5e-4  # the sentence of fp16 says: off by up to 0.00025
