"""The proof of an exercise: matrix, score, weakest case, executed examples, ambiguities."""

import json
from dataclasses import replace

import pytest

from quizzes.grader.definitions.definition import ExerciseDefinition, WrongSolution
from quizzes.grader.definitions.verification import Verification, verify
from quizzes.grader.definitions.worked_examples import run_examples
from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.protocol.job import Sandbox
from tests.grader.shipped import definition as shipped

pytestmark = pytest.mark.sandbox

FEW = ("half", "dim_bug", "out_concat", "sign_il", "mix_slice_cat")


@pytest.fixture(scope="module")
def rope(author: Sandbox, student: Sandbox) -> Verification:
    exercise = shipped("apply-rope")
    return verify(replace(exercise, wrong=few_of(exercise, *FEW)), author, student)


def few_of(exercise: ExerciseDefinition, *slugs: str) -> dict[str, WrongSolution]:
    """Return some of its known mistakes: to run them all takes a second."""
    return {slug: exercise.wrong[slug] for slug in slugs}


def warnings(found: Verification) -> str:
    return "\n".join(f"{item.kind}: {item.message}" for item in found.proof.warnings)


def test_the_proof_is_plain_data(rope: Verification) -> None:
    data = json.loads(json.dumps(rope.proof.as_json(), allow_nan=False))
    total = len(FEW)
    assert data["score"] == {"caught": total, "told_apart": total, "total": total}
    through = data["weakest"]["lets_through"]
    assert total / 2 < through < total
    missed = f"{through} of {total} wrong solutions"
    sentence = f"On its own, the case “position 0” lets {missed} through."
    assert data["weakest"]["sentence"] == sentence
    assert {case["label"] for case in data["cases"]} >= {"D = 2", "scores and distance", "lengths"}
    assert "4 heads, 128 tokens" not in {case["label"] for case in data["cases"]}
    assert all(example["ok"] for example in data["examples"])
    assert data["schema"] == 1


def test_the_matrix_says_which_case_catches_what(rope: Verification) -> None:
    passed = {case.label: case.passed_by for case in rope.proof.cases}
    assert "half" in passed["D = 2"]
    assert "dim_bug" not in passed["D = 2"]
    assert passed["two sequences, three heads"] == ()
    assert {"half", "out_concat", "sign_il"} <= set(passed["scores and distance"])
    assert not [slug for slug in passed["scores and distance"] if slug.startswith("mix_")]
    for variant in rope.proof.variants:
        let_through = sum(variant.slug in slugs for slugs in passed.values())
        assert variant.caught_by == len(passed) - let_through


def test_a_mixture_that_calls_itself_a_convention_is_refused(
    author: Sandbox, student: Sandbox
) -> None:
    right = shipped("apply-rope")
    wrong = few_of(right, "half", "sign_il")
    mixture = right.wrong["mix_slice_cat"]
    wrong["mix_slice_cat"] = replace(mixture, header=mixture.header._replace(kind="convention"))
    found = verify(replace(right, wrong=wrong), author, student, was_published=True)
    assert found.problems == (
        "wrong/mix_slice_cat.py: is not a convention: it breaks a property of the reference",
    )


def test_an_example_that_disagrees_is_a_problem_with_its_line(
    table: ExerciseDefinition, author: Sandbox, student: Sandbox
) -> None:
    statement = table.statement.replace("0.5403,  0.01  ", "0.5403,  0.02  ")
    odd = replace(table, statement=statement, wrong={})
    found = verify(odd, author, student, was_published=True)
    assert len(found.problems) == 1
    line = odd.statement[: odd.statement.index(">>>")].count("\n") + 1
    assert found.problems[0].startswith(f"statement.md:{line}: np.round(sinusoidal_table(n=3, d=4)")
    assert "0.01" in found.problems[0]
    assert [example.ok for example in found.proof.examples] == [False]


@pytest.mark.parametrize(
    ("lines", "got", "ok"),
    [
        (">>> 1 + 1\n2\n", "2\n", True),
        (">>> 1 + 1\n3\n", "2\n", False),
        (">>> x = 4\n>>> x\n4\n", "4\n", True),
        (">>> for i in range(2):\n...     print(i)\n0\n1\n", "0\n1\n", True),
        (">>> sinusoidal_table(d=1)\nTraceback (most recent call last):\nTypeError\n",
         "Traceback: TypeError", True),
        (">>> 1 +\n", "Traceback: SyntaxError", False),
        (">>> print('a\\n\\nb')\na\n<BLANKLINE>\nb\n", "a\n\nb\n", True),
        (">>> while True: __import__('time').sleep(0.05)\n", "(not reached)", False),
        (">>> import os; os._exit(0)\n", "(not reached)", False),
        (">>> open('/etc/passwd')\n", "Traceback: ", False),
        (">>>1\n", "lacks blank", False),
    ],
)  # fmt: skip
def test_examples_are_run(
    lines: str, got: str, ok: bool, table: ExerciseDefinition, author: Sandbox
) -> None:
    endless = "while True" in lines
    quick = replace(table, limits=replace(table.limits, wall_seconds=0.5 if endless else 10))
    examples = run_examples(replace(quick, statement=f"A.\n\n```python\n{lines}```\n"), author)
    assert got in examples[-1].got
    assert examples[-1].ok is ok
    assert examples[0].line == 4 or ">>>1" in lines


def test_a_statement_without_examples_is_warned_of(
    table: ExerciseDefinition, author: Sandbox, student: Sandbox
) -> None:
    plain = replace(table, statement="Make it in float16. It may be `int64`.", wrong={})
    found = verify(plain, author, student, was_published=True)
    assert found.ok
    assert "example: The statement has no worked example" in warnings(found)
    assert "dtype: The statement names float16, but no case tests it." in warnings(found)
    assert "names int64" in warnings(found)


def test_a_tolerance_that_swallows_a_mistake_is_warned_of(
    table: ExerciseDefinition, author: Sandbox, student: Sandbox
) -> None:
    wrong = few_of(table, "fp16", "swap")
    wide = replace(table, tolerance=Tolerance(atol=1e-3, why="too wide"), wrong=wrong)
    found = verify(wide, author, student)
    assert "tolerance: The tolerance is too wide to catch fp16" in warnings(found)
    assert "wrong/fp16.py: was graded wrong" in "\n".join(found.problems)
    near = verify(
        replace(table, tolerance=Tolerance(atol=1e-4, why="wide"), wrong=wrong), author, student
    )
    assert "tolerance: fp16 differs from the right result by only" in warnings(near)


def test_no_tolerance_swallows_a_mistake_that_gives_nan(
    table: ExerciseDefinition, author: Sandbox, student: Sandbox
) -> None:
    """Its other numbers are off by rounding alone, and NaN is no number within a tolerance."""
    (fp16,) = [one for slug, one in table.wrong.items() if slug == "fp16"]
    nan = "\n\n_right = sinusoidal_table\n\n\ndef sinusoidal_table(n, d, base=10000.0):\n"
    nan += (
        "    table = _right(n, d, base) * (1 + 1e-12)\n    table[0, 0] = np.nan\n    return table\n"
    )
    few = replace(table, wrong={"fp16": replace(fp16, source=table.reference + nan)})
    found = verify(few, author, student, was_published=True)
    assert found.ok
    assert "tolerance: " not in warnings(found)


def test_an_argument_that_is_never_passed_and_an_idle_case_are_warned_of(
    table: ExerciseDefinition, author: Sandbox, student: Sandbox
) -> None:
    more = replace(
        table,
        signature="sinusoidal_table(n: int, d: int, base: float = 1e4, *, scale: float = 1.0)",
        cases=table.cases
        + '    yield Case("nothing", {"n": 1, "d": 2}, probe="input_unchanged")\n',
        wrong=few_of(table, "swap", "sin_only"),
    )
    found = verify(more, author, student)
    assert "case: No case passes a value for the argument scale." in warnings(found)
    assert "argument n" not in warnings(found)
    assert "case: The case “nothing” catches no known mistake." in warnings(found)
