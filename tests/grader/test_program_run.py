"""Programs that run for their own sake: what is shown, and a sentence for what goes wrong."""

from pathlib import Path

import numpy as np
import pytest

from quizzes.grader.programs import ProgramRun, ValuePicture, run_program
from quizzes.grader.programs.runner import program_job
from quizzes.grader.programs.shown_value import MOST_CELLS, first_part, printed_cells
from quizzes.grader.protocol.job import Limits
from quizzes.grader.protocol.wire import BadFrame
from quizzes.grader.sandbox.factory import RoutedSandbox, _needs_torch
from tests.hostile.test_attacks import ATTACKS
from tests.shared_sandboxes import shared_sandbox

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

TABLE = """import numpy as np
def f(n, d):
    print("n is", n)
    return np.arange(n * d).reshape(n, d) / 8
"""
PATIENT = Limits(wall_seconds=10)
GATE = 6  # attacks; the soak runs all
# What a learner may send, the call, and a part of the sentence.
STOPPED = {
    "an endless loop": ("while True:\n    pass", "1", "was in line 1"),
    "an endless call": (
        "import time\ndef f():\n    while True:\n        time.sleep(0.05)",
        "f()",
        "was in line",
    ),
    "a flood of output": ("while True:\n    print('y' * 1000)", "", "printed more than 1 MB"),
    "10^9 numbers": ("import numpy as np", "np.ones(10**9)", "more memory than the 600 MB"),
    "10^9 items": ("", "[0] * 10**9", "more memory than the 600 MB"),
    "wrong shapes": (
        "import numpy as np",
        "np.ones((2, 3)) @ np.ones((2, 3))",
        "ValueError: matmul",
    ),
    "no such name": ("def table(n):\n    return n", "tabel(1)", "NameError"),
    "no such line": ("def f(n):\n    return n / 0", "f(1)", "ZeroDivisionError in line 2"),
    "no Python": ("def f(:\n    pass", "f(1)", "SyntaxError in line 1"),
    "a call that is none": ("def f(n):\n    return n", "f((", "The call is not Python"),
    "a call with a NUL byte's escape": ("", "'\\0", "The call is not Python"),
    "its own end": ("import os\nos._exit(3)", "", "exit code 3"),
    "a crash": ("import ctypes\nctypes.string_at(0)", "", "crashed"),
    "the result's descriptor": ("import os\nos.write(3, b'x' * 64)", "", "file descriptor 3"),
    "a frame of its own": (
        "import os, struct, json\nh = json.dumps({'kind': 'end', 'arrays': []}).encode()\n"
        "os.write(3, struct.pack('<4sIQ', b'PEQ1', len(h), 0) + h)\nos._exit(0)",
        "",
        "file descriptor 3",
    ),
    "its own repr": (
        "class A:\n    def __repr__(self):\n        raise ValueError('no')",
        "A()",
        "ValueError",
    ),
    "a file": ("open('/etc/passwd')", "", "raised"),
    "somebody to type": ("input()", "", "Nobody can type here"),
}


@pytest.fixture(scope="module")
def student() -> RoutedSandbox:
    return shared_sandbox("student")


def run(code: str, call: str, student: RoutedSandbox, limits: Limits = PATIENT) -> ProgramRun:
    return run_program(code, call, student, limits=limits)


def test_run_shows_prints_and_the_value(student: RoutedSandbox) -> None:
    outcome = run(TABLE, "x = 3\nf(x, 4)", student)
    (value,) = outcome.values
    assert outcome.output == "n is 3\n"
    assert outcome.problem == ""
    assert (value.kind, value.what) == ("array", "an array of shape (3, 4), float64")
    assert value.text.startswith("[[0.   , 0.125, 0.25 ,")
    assert outcome.picture is not None
    picture = ValuePicture.from_bytes(outcome.picture)
    assert np.array_equal(picture.values, np.arange(12).reshape(3, 4) / 8)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("1 + 1", "2"),
        ("'a' * 3", "'aaa'"),
        ("None", "None"),
        ("{'a': [1, 2]}", "{'a': [1, 2]}"),
        ("import math; math.pi", "3.141592653589793"),
        ("np.float32(0.5)", "np.float32(0.5)"),
    ],
)
def test_value_of_no_array_is_its_repr(student: RoutedSandbox, call: str, text: str) -> None:
    outcome = run(TABLE, call, student)
    assert [(value.kind, value.text) for value in outcome.values] == [("text", text)]
    assert outcome.picture is None


@pytest.mark.parametrize("code", [TABLE, "import torch"])
def test_run_takes_torch_only_by_name(code: str) -> None:
    """The text that runs the code must not name torch: a NumPy Run would wait for its start."""
    job = program_job(code, "f(1, 1)", path="submission.py", limits=PATIENT)
    assert _needs_torch(job.source, job.library) == ("torch" in code)


def test_statement_at_the_end_has_no_value(student: RoutedSandbox) -> None:
    outcome = run(TABLE, "y = f(1, 2)", student)
    assert (outcome.values, outcome.problem, outcome.output) == ((), "", "n is 1\n")


def test_nan_and_infinity_are_shown_as_such(student: RoutedSandbox) -> None:
    outcome = run(TABLE, "np.array([[1, np.nan], [np.inf, -np.inf]])", student)
    (value,) = outcome.values
    assert "nan" in value.text
    assert "inf" in value.text
    assert value.note == "3 of 4 numbers are not finite: 1 NaN and 2 infinite."
    assert ProgramRun.from_json(outcome.as_json()).values == outcome.values


def test_parts_of_a_value_have_names(student: RoutedSandbox) -> None:
    outcome = run(TABLE, "{'cos': np.eye(2), 'n': 5}, ", student)
    assert [value.kind for value in outcome.values] == ["text"], "no arrays at its top"
    outcome = run(TABLE, "dict(cos=np.eye(2), n=5)", student)
    assert [(part.name, part.kind, part.text) for part in outcome.values] == [
        ("cos", "array", "[[1., 0.],\n [0., 1.]]"),
        ("n", "text", "5"),
    ]


def test_large_array_is_shown_without_numbers(student: RoutedSandbox) -> None:
    outcome = run(TABLE, "np.ones((2000, 2000))", student)
    (value,) = outcome.values
    assert value.what == "an array of shape (2000, 2000), float64"
    assert "at most 8 MB" in value.note
    assert outcome.picture is None


@pytest.mark.parametrize("shape", [(6,) * 8, (9,) * 7, (2,) * 20, (7, 1, 2000), (3000,), (6, 21)])
def test_few_cells_are_printed(shape: tuple[int, ...]) -> None:
    """NumPy leaves nothing out of an axis of six; nothing limits the time that this takes."""
    part = first_part(np.zeros(shape, "u1"))
    assert printed_cells(part).size <= MOST_CELLS
    assert part.ndim == len(shape)


def test_array_of_many_axes_says_what_is_printed(student: RoutedSandbox) -> None:
    (*_, value) = run("", "import numpy as np; [np.zeros((6,) * 7, 'u1')] * 8", student).values
    assert value.what == "an array of shape (6, 6, 6, 6, 6, 6, 6), uint8"
    assert value.text.count("0") <= MOST_CELLS
    assert "first part is printed, of shape (1, 1, 1, 1, 6, 6, 6)" in value.note


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("np.array([1, 1e-5])", "[1.e+00, 1.e-05]"),
        ("np.array([0, 0.001, 20])", "[ 0.   ,  0.001, 20.   ]"),
        ("{'a': np.eye(1), 'b': 1e-7}", "1e-07"),
    ],
)
def test_small_number_is_not_shown_as_zero(student: RoutedSandbox, call: str, text: str) -> None:
    assert run(TABLE, call, student).values[-1].text == text


def test_note_does_not_show_small_numbers_as_zero(student: RoutedSandbox) -> None:
    (value,) = run(TABLE, "np.linspace(1e-7, 1e-5, 200)", student).values
    assert value.note == "All numbers lie between 1e-07 and 1e-05."


@pytest.mark.torch
def test_tensor_is_shown_as_a_tensor(student: RoutedSandbox) -> None:
    outcome = run("import torch", "torch.eye(2)", student)
    assert [(value.kind, value.what) for value in outcome.values] == [
        ("tensor", "a tensor of shape (2, 2), float32")
    ]


@pytest.mark.parametrize(("code", "call", "sentence"), STOPPED.values(), ids=STOPPED)
def test_stopped_run_gets_a_sentence(
    student: RoutedSandbox, code: str, call: str, sentence: str
) -> None:
    """And the next one works."""
    limits = Limits(wall_seconds=0.5) if "while" in code else PATIENT
    outcome = run(code, call, student, limits)
    assert sentence in f"{outcome.problem} {outcome.hint}"
    assert outcome.values == ()
    assert run(TABLE, "f(1, 1)", student).problem == ""


def test_output_is_bounded_and_says_so(student: RoutedSandbox) -> None:
    outcome = run("for i in range(20_000):\n    print(i, '\\x1b[31m', '\\u202e')", "", student)
    assert outcome.is_cut
    assert len(outcome.output) <= 16_000
    assert not set(outcome.output) & set("\x1b\u202e")


def test_value_text_is_bounded(student: RoutedSandbox) -> None:
    (value,) = run("", "'a' * 10**6", student).values
    assert len(value.text) <= 4_000


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=() if place < GATE else pytest.mark.soak)
        for place, path in enumerate(ATTACKS)
    ],
)
def test_attack_as_a_run_changes_nothing(student: RoutedSandbox, path: Path) -> None:
    """No leak, and the sandbox serves on; what it says of itself is text of a bounded length."""
    prelude = (path.parents[1] / "prelude.py").read_text()
    outcome = run(f"{prelude}\n{path.read_text()}", "pe(2, 4)", student, Limits())
    assert "LEAK" not in outcome.output
    assert len(str(outcome.as_json())) < 100_000
    assert run(TABLE, "f(1, 1)", student).problem == ""


@pytest.mark.parametrize(
    "data", [b"", b"PEQ1", ValuePicture("x", np.ones((1, 1)), (1, 1)).to_bytes()[:-1]]
)
def test_damaged_picture_is_refused(data: bytes) -> None:
    with pytest.raises(BadFrame):
        ValuePicture.from_bytes(data)


@pytest.mark.parametrize("stored", [None, [], {}, {"values": [{"no": "value"}]}, {"values": 3}])
def test_damaged_outcome_is_refused(stored: object) -> None:
    with pytest.raises(ValueError, match="not what came"):
        ProgramRun.from_json(stored)
