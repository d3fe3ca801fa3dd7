"""An exercise that a program passes which computes nothing is refused, whatever the exercise is."""

import pytest

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.definitions.definition import ExerciseDefinition, read_definition
from quizzes.grader.definitions.liars import lies_about
from quizzes.grader.definitions.verification import verify
from quizzes.grader.errors import AuthorError
from quizzes.grader.protocol.job import Sandbox

pytestmark = pytest.mark.sandbox

FILES = {
    "exercise.yaml": """
title: Lied about
name: f
kind: function
library: numpy
signature: f(x, n)
returns: array
dtypes: [float64]
tolerance: {atol: 1.0e-6, why: for the test}
""",
    "statement.md": "A sum.",
    "starter.py": "def f(x, n): ...",
}
SHOWN = 'yield Case("shown", {"x": np.ones(3), "n": 2}, shown=True)'
DRAWN = 'yield Case("drawn", {"x": rng.normal(size=3), "n": 2})'
PAIRS = [
    f'yield Case("{argument}{number}", {{"x": np.arange(3.0) * {x}, "n": {n}}}, pair="{argument}")'
    for argument, values in (("x", ((1, 4), (2, 4))), ("n", ((3, 4), (3, 5))))
    for number, (x, n) in enumerate(values)
]


def exercise(reference: str, *cases: str) -> ExerciseDefinition:
    """`f(x, n)` and its cases."""
    head = "import numpy as np\nfrom quizzes.grader.case import Case\ndef cases(rng):\n"
    listing = head + "".join(f"    {case}\n" for case in cases)
    source = f"import numpy as np\ndef f(x, n):\n    return {reference}\n"
    return read_definition("lied-about", {**FILES, "reference.py": source, "cases.py": listing})


@pytest.mark.parametrize(
    ("reference", "lie"),
    [
        ("np.arange(3.0) * n + 1", "what 'drawn' expected in another drawing"),
        ("x * 0", "zeros"),
        ("x * 0 + 1", "ones"),
        ("x", "the argument x unchanged"),
        ("x * 0 + n", "the argument n unchanged"),
        ("np.arange(3.0) + len(x)", "what the case 'shown' expects"),
        ("x * 1e-9", "zeros"),
    ],
)
def test_what_needs_no_computing_is_refused(
    reference: str, lie: str, author: Sandbox, student: Sandbox
) -> None:
    found = verify(exercise(reference, SHOWN, DRAWN), author, student)
    told = f"cases.py: code that computes nothing and returns {lie} is graded correct"
    assert any(problem.startswith(told) for problem in found.problems), found.problems


def test_what_needs_computing_is_not(author: Sandbox, student: Sandbox) -> None:
    assert verify(
        exercise("x * n + 1", SHOWN, DRAWN, *PAIRS), author, student, was_published=True
    ).ok


@pytest.mark.parametrize(
    "cases",
    [
        [SHOWN],
        [SHOWN, 'yield Case(f"drawn {rng.integers(10**9)}", {"x": np.ones(2), "n": 3})'],
        [SHOWN, 'yield Case("hidden", {"x": np.ones(2), "n": 3})'],
        [DRAWN.replace("})", "}, shown=True)")],
        [SHOWN, DRAWN.replace("})", '}, probe="input_unchanged")')],
        [SHOWN, DRAWN.replace("})", '}, probe="rows_unique")')],
        [SHOWN, DRAWN.replace("})", "}, spare=True)")],
        [SHOWN, DRAWN.replace("})", '}, probe="time")')],
    ],
    ids=[
        "shown",
        "only its name is drawn",
        "hidden",
        "drawn and shown",
        "claimed",
        "looked at",
        "spare",
        "timed",
    ],
)
def test_without_a_hidden_drawn_result_an_exercise_is_refused(
    cases: list[str], author: Sandbox, student: Sandbox
) -> None:
    with pytest.raises(AuthorError, match=r"cases.py:1: has no hidden case that is drawn"):
        verify(exercise("np.stack([x * n + 1, x])", *cases), author, student)


def test_a_drawn_error_is_no_result(author: Sandbox, student: Sandbox) -> None:
    drawn = DRAWN.replace('"n": 2})', '"n": -1}, raises=True)')
    reference = "np.ones(n) if n > 0 else 1 / 0"
    with pytest.raises(AuthorError, match="has no hidden case"):
        verify(exercise(reference, SHOWN, drawn), author, student)


def test_a_number_that_is_drawn_seldom_alike_counts_as_drawn(author: Sandbox) -> None:
    """By drawing four times: an author's word for it would be a claim."""
    few = 'yield Case("drawn", {"x": np.ones(3), "n": int(rng.integers(9))})'
    pack = build_case_pack(exercise("x * n + 1", SHOWN, few), author, seed=9)
    assert [pack.is_drawn(place) for place in range(2)] == [False, True]
    assert [pack.is_evidence(place) for place in range(2)] == [False, True]


def test_liars_say_what_is_right_of_themselves(author: Sandbox) -> None:
    raising = 'yield Case("raises", {"x": np.ones(3), "n": 0}, raises=True)'
    pack = build_case_pack(exercise("x * n if n else 1 / 0", SHOWN, raising, DRAWN), author, seed=9)
    for _, observed in lies_about(pack, ()):
        assert observed.observations[1] is pack.expected[1]
        for seen, expected in zip(observed.observations, pack.expected, strict=True):
            assert seen is not None
            assert seen.leaves.keys() == expected.leaves.keys()
            assert all(
                seen.leaves[key].shape == leaf.shape for key, leaf in expected.leaves.items()
            )
