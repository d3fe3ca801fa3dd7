"""Batches of calls: the arrays that leave, what is refused, and that a stop keeps what came."""

import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quizzes.grader.programs import MAX_BYTES, MOST_PLACES, Sample, sample
from quizzes.grader.protocol.job import Limits
from tests.hostile.test_attacks import ATTACKS
from tests.shared_sandboxes import shared_sandbox
from tests.shipped_exercises.folders import definition_of

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]
TABLE = definition_of("sinusoidal-table").reference
CALL = "sinusoidal_table(n, d, base=base)"
PLACES = [{"n": n, "d": 6, "base": 100.0} for n in (5, 4, 6, 3)]
GATE = 3  # attacks; the soak runs all
NUMPY = "import numpy as np\ndef f(n, d=2):\n"
NAP = "__import__('time').sleep(0.05)"  # computing ends the same way
SENTENCES = {
    "an error": (f"{NUMPY}    return np.ones(2)[n]", "IndexError in line 3"),
    "several things": (f"{NUMPY}    return np.ones(n), np.ones(n)", "needs one array"),
    "a number": (f"{NUMPY}    return 1.5", "an array with one or two axes"),
    "three axes": (f"{NUMPY}    return np.ones((n, n, n))", "an array with one or two axes"),
    "nothing inside": (f"{NUMPY}    return np.ones((n, 0))", "an array with one or two axes"),
    "complex numbers": (f"{NUMPY}    return np.ones((n, n), complex)", "must be real"),
    "texts": (f"{NUMPY}    return np.full(n, 'one')", "must be real"),
    "too many numbers": (f"{NUMPY}    return np.ones((1000, 1000))", "at most 1 MB"),
    "10^9 numbers": (f"{NUMPY}    return np.ones(10**9)", "more memory than the 600 MB"),
    "an endless loop": (f"{NUMPY}    while True: {NAP}", "was in line"),
    "a flood of output": (f"{NUMPY}    while True:\n        print('y' * 1000)", "more than 1 MB"),
    "its own end": (f"import os\n{NUMPY}    os._exit(3)", "exit code 3"),
    "a crash": (f"import ctypes\n{NUMPY}    ctypes.string_at(0)", "crashed"),
    "no such name": ("def g(n):\n    pass", "NameError"),
    "no Python": ("def f(:", "SyntaxError in line 1"),
    "another call": ("def f():\n    pass", "TypeError"),
    "the result's descriptor": (f"import os\n{NUMPY}    os.write(3, b'x' * 64)", "descriptor 3"),
}


def directly(source: str, call: str, place: dict[str, Any]) -> Any:
    module = types.ModuleType("direct")
    exec(source, module.__dict__)
    return eval(call, {"np": np, **module.__dict__, **place})


def run(source: str, call: str = "f(n)", **more: Any) -> Sample:
    places = more.pop("places", [{"n": n} for n in (5, 4, 6)])
    limits = Limits(wall_seconds=1)
    return sample(source, call, places, shared_sandbox("student"), limits=limits, **more)


def test_arrays_equal_a_direct_call() -> None:
    batch = run(TABLE, CALL, places=PLACES)
    assert batch.problems == ("",) * len(PLACES)
    for place, array in zip(PLACES, batch.arrays, strict=True):
        expected = directly(TABLE, CALL, place)
        assert array is not None
        np.testing.assert_allclose(array, expected, rtol=0, atol=1e-12)
    assert "direct" not in sys.modules


def test_float32_and_whole_numbers_arrive_exactly() -> None:
    expected = np.array([[0.1, -0.0], [np.inf, np.nan]], np.float32)
    source = f"{NUMPY}    return np.array([[0.1, -0.0], [np.inf, np.nan]], np.float32)"
    np.testing.assert_array_equal(run(source).arrays[0], expected.astype(np.float64))
    np.testing.assert_array_equal(run(f"{NUMPY}    return np.arange(n)").arrays[0], np.arange(5.0))


@pytest.mark.parametrize("name", SENTENCES)
def test_every_place_without_array_has_sentence(name: str) -> None:
    """And the next batch works."""
    source, words = SENTENCES[name]
    batch = run(source)
    assert batch.arrays == (None,) * 3
    for problem in batch.problems:
        assert words in problem
        assert problem[0].isupper()
        assert problem[-1] == "."
    assert run(f"{NUMPY}    return np.ones(n)").problems == ("",) * 3


def test_stop_keeps_what_came_before() -> None:
    source = f"{NUMPY}    while n > 5: {NAP}\n    return np.ones((n, d))"
    batch = run(source)
    assert [array is not None for array in batch.arrays] == [True, True, False]
    assert "was in line 3" in batch.problem
    assert batch.line == 3
    assert not batch.ran_out_of_time, "no hand waits for the slow lane"


def test_all_arrays_together_are_bounded() -> None:
    """Places come in the order of the hand: the last ones have no room."""
    source = f"{NUMPY}    return np.ones((250, 200))"
    batch = run(source, places=[{"n": n} for n in range(4)])
    assert [array is not None for array in batch.arrays] == [True, True, False, False]
    assert "1 MB" in batch.problems[2]
    assert len(batch.picture) < MAX_BYTES + 4096


def test_call_has_names_of_place_and_program() -> None:
    source = "import numpy as np\nscale = 3.0\ndef f(n):\n    return np.full(n, scale)"
    batch = run(source, "np.outer(f(n), [scale, math.pi])[:, :d]", places=[{"n": 2, "d": 1}])
    np.testing.assert_array_equal(batch.arrays[0], [[9.0], [9.0]])


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_tensors_and_arrays_say_what_they_are(library: str) -> None:
    """Graded cases take both as well, so both are drawn."""
    tensors = run("import torch\ndef f(n):\n    return torch.ones(n)", library=library)
    arrays = run(f"{NUMPY}    return np.ones(n)", library=library)
    for batch, kind in ((tensors, "tensor"), (arrays, "array")):
        np.testing.assert_array_equal(batch.arrays[0], np.ones(5))
        assert batch.kind == kind


@pytest.mark.parametrize("places", [[], [{"n": 1}] * (MOST_PLACES + 1)])
def test_number_of_places_is_bounded(places: list[dict[str, int]]) -> None:
    with pytest.raises(ValueError, match="expected 1 to 64"):
        run(TABLE, places=places)


def test_call_must_be_one_expression() -> None:
    for call in ("", "x = 1", "f(n", "f(n)\nf(n)"):
        with pytest.raises(ValueError, match="expected a Python expression"):
            run(TABLE, call)


def test_stored_batch_is_read_again() -> None:
    batch = run(TABLE, CALL, places=PLACES)
    batch = batch.beside(batch)
    again = Sample.from_stored(batch.as_json(), batch.picture)
    assert again.problems == batch.problems
    assert again.references is not None
    for array, other in zip(again.references, batch.arrays, strict=True):
        np.testing.assert_array_equal(array, other)
    for damaged in (None, b"", batch.picture[:-1], batch.picture.replace(b"f8", b"f4")):
        with pytest.raises(ValueError, match="not what came"):
            Sample.from_stored(batch.as_json(), damaged)
    with pytest.raises(ValueError, match="not what came"):
        Sample.from_stored({"problems": "none"}, batch.picture)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=() if place < GATE else pytest.mark.soak)
        for place, path in enumerate(ATTACKS)
    ],
)
def test_attack_as_a_batch_changes_nothing(path: Path) -> None:
    """What leaves are bounded arrays and sentences; the sandbox serves on."""
    prelude = (path.parents[1] / "prelude.py").read_text()
    batch = run(f"{prelude}\n{path.read_text()}", "pe(n, d)", places=[{"n": 2, "d": 4}] * 2)
    assert "LEAK" not in str(batch.as_json())
    assert b"LEAK" not in batch.picture
    texts = [array.astype(np.uint8).tobytes() for array in batch.arrays if array is not None]
    assert not any(b"LEAK" in text for text in texts), "nor as one number for each letter"
    assert len(batch.picture) + len(str(batch.as_json())) < MAX_BYTES
    assert all(array is None or array.dtype == np.float64 for array in batch.arrays)
    assert run(f"{NUMPY}    return np.ones(n)").problems == ("",) * 3
