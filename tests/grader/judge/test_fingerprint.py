"""Wrong code falls into groups by what it gives, however it is written; no verdict changes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quizzes.grader.judge import fingerprint as fingerprints
from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.judge.fingerprint import (
    content_of,
    digest_of_cases,
    digest_of_results,
    variant_fingerprints,
)
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.protocol.observation import Failure, Leaf, Observation
from quizzes.grader.protocol.verdict import Stage, Verdict
from tests.examples import examples
from tests.exercises.making import REFERENCE, SWAPPED
from tests.shared_sandboxes import shared_pack, shared_sandbox

TABLE = "sinusoidal-table"
TOLERANCE = Tolerance(atol=2.5e-5)
UNNAMED = REFERENCE.replace("np.cos(", "-np.cos(")
IN_OTHER_WORDS = """
import math
import numpy as np
def sinusoidal_table(n, d, base=10000.0):
    rows = []
    for pos in range(n):
        row = []
        for column in range(d):
            angle = pos * math.exp(-math.log(base) * (column - column % 2) / d)
            row.append(math.sin(angle) if column % 2 == 0 else -math.cos(angle))
        rows.append(row)
    return np.array(rows, dtype=np.float32)
"""
RAISES = "def sinusoidal_table(n, d, base=1.0):\n    raise ValueError\n"
OTHER = REFERENCE.replace("np.sin(", "-np.sin(")


def leaf(values):
    return Leaf("array", "ndarray", values=values)


def digest(values, tolerance=TOLERANCE, expected=None):
    expected = values if expected is None else expected
    return content_of("out", leaf(values), leaf(expected), tolerance)


def graded(code, *, seed=3, shown_only=False):
    pack = shared_pack(TABLE, seed)
    return grade_code(pack, code, shared_sandbox("student"), shown_only=shown_only)


@pytest.mark.sandbox
def test_same_mistake_has_one_fingerprint():
    first = graded(UNNAMED)
    assert first.verdict is Verdict.WRONG
    others = [graded(IN_OTHER_WORDS), graded(UNNAMED, seed=4), graded(UNNAMED, shown_only=True)]
    assert {first.fingerprint} == {other.fingerprint for other in others}
    assert graded(OTHER).fingerprint not in {"", first.fingerprint}
    assert "fingerprint" not in first.as_json()


@pytest.mark.sandbox
def test_only_wrong_code_without_name_has_one():
    for code in (REFERENCE, SWAPPED, RAISES, "def"):
        assert graded(code).fingerprint == ""


def test_variants_have_fingerprints_of_their_own():
    digests = variant_fingerprints(shared_pack(TABLE))
    assert len(set(digests.values())) == len(digests) > 20


def test_only_numbers_of_a_tolerance_count():
    pack = shared_pack(TABLE)
    own = pack.entry.tolerance

    def digest_with(**fields):
        entry = replace(pack.entry, tolerance=replace(own, **fields))
        return digest_of_cases(replace(pack, entry=entry))

    whole = replace(pack, entry=replace(pack.entry, tolerance=Tolerance(atol=1)))
    same = replace(pack, entry=replace(pack.entry, tolerance=Tolerance(atol=1.0)))
    assert digest_with(why="Measured in other words.") == digest_of_cases(pack)
    assert digest_of_cases(whole) == digest_of_cases(same)
    for name in ("rtol", "atol", "relative_to_max"):
        assert digest_with(**{name: getattr(own, name) + 1e-3}) != digest_of_cases(pack)


@examples(60)
@given(
    seed=st.integers(0, 2**32),
    shape=st.sampled_from([(3,), (4, 5), (2, 7, 8)]),
    scale=st.sampled_from([1e-3, 1.0, 300.0]),
)
def test_rounding_seldom_parts_equal_results(seed, shape, scale):
    """Each pair of digests may differ by chance, once in some hundred: not two in a row."""
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(3):
        values = rng.normal(size=shape) * scale
        pairs.append(digest(values) == digest(values.astype(np.float32)))
    assert sum(pairs) >= 2


def test_other_numbers_and_shapes_give_other_digests():
    values = np.linspace(0.0, 1.0, 12)
    changed = values.copy()
    changed[7] += 0.05
    strange = values.copy()
    strange[3] = np.nan
    results = (values, changed, strange, values.reshape(3, 4), -values, values[::-1], np.zeros(12))
    assert len({digest(result) for result in results}) == len(results)


def test_raising_is_one_outcome():
    pack = shared_pack(TABLE)
    count = sum(case.identify for case in pack.cases)
    digests = {
        digest_of_results(pack, [Observation({}, Failure(Stage.RETURNED, kind, "words"))] * count)
        for kind in ("ValueError", "KeyError")
    }
    assert len(digests) == 1


@examples(200)
@given(
    values=st.lists(st.floats(width=64), max_size=6),
    tolerance=st.sampled_from(
        [Tolerance(), Tolerance(rtol=1e-6), Tolerance(atol=1e-5), Tolerance(relative_to_max=1e-6)]
    ),
)
@example(values=[5e-324] * 3, tolerance=Tolerance())
@example(values=[1.7e308, -1.7e308], tolerance=Tolerance(rtol=1e-6))
def test_any_numbers_have_a_digest(values, tolerance):
    array = np.array(values)
    assert digest(array, tolerance) == digest(array.copy(), tolerance)
    assert b"nan" not in digest(array, tolerance)


@pytest.mark.sandbox
def test_smallest_numbers_do_not_end_the_grading():
    code = "import numpy as np\ndef alibi_slopes(*a, **k):\n    return np.array([5e-324] * 3)\n"
    pack = shared_pack("alibi-slopes")
    report = grade_code(pack, code, shared_sandbox("student"))
    assert report.verdict is Verdict.WRONG
    assert report.fingerprint


@pytest.mark.sandbox
def test_failing_fingerprint_ends_no_grading(monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(fingerprints, "digest_of_results", fail)
    report = graded(UNNAMED)
    assert (report.verdict, report.fingerprint) == (Verdict.WRONG, "")


def test_content_of_many_numbers_is_small():
    strange = np.full(100_000, np.nan, np.float16)
    assert len(digest(strange, expected=np.ones(3))) < 100
    assert len(digest(strange)) < 4 * strange.size


def test_each_number_that_is_none_counts():
    digests = {
        digest(np.array(values))
        for values in ([np.nan, 1.0], [np.inf, 1.0], [-np.inf, 1.0], [1.0, np.nan], [0.0, 1.0])
    }
    assert len(digests) == 5
