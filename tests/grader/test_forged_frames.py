"""A sandbox that says anything at all: the judge neither crashes nor calls it correct.

`make fuzz` tries far more of it.
"""

import json
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from quizzes.grader.case import Case
from quizzes.grader.case_pack import CasePack, EntryPoint, IdentifySet, Variant
from quizzes.grader.job import Ending, Job, Limits, Run
from quizzes.grader.judge import judge
from quizzes.grader.observation import KINDS, Leaf, Observation
from quizzes.grader.picture import Picture
from quizzes.grader.reading import read_run
from quizzes.grader.report import KnownMistake, Report, Rung, Verdict
from quizzes.grader.tolerance import Tolerance
from quizzes.grader.wire import DTYPES, BadFrame, Bounds, Frame, encode, split

EXPECTED = np.array([[0.5, -1.0, 2.0], [3.0, 1e-9, -7.0]])


def seen(array: np.ndarray) -> Observation:
    return Observation({"out": Leaf("array", "ndarray", "float64", array.shape, values=array)})


def number(value: float) -> Leaf:
    return Leaf("array", "ndarray", "float64", (), values=np.array(value))


FACTS = Observation(
    {
        "fact.offset_only": number(1),
        "fact.distance_matters": number(1),
        "fact.trainable": number(96),
        "fact.moves": number(1),
        "seen.offset_only": number(0.5),
        "grad.x": Leaf("tensor", "Tensor", "float64", (2, 3), values=EXPECTED),
        "changed.x": number(0),
    }
)
CASES = (
    *(Case(str(i), {"x": np.ones(2) * i}, shown=i == 0, identify=i != 1) for i in range(3)),
    Case("facts", {"x": np.ones(2)}, probe="relative_scores", shown=True),
    Case("time", {"x": np.ones(2)}, probe="time"),
)
PACK = CasePack(
    "forged",
    "hash",
    1,
    EntryPoint("f", "function", "numpy", ("float32", "float64"), Tolerance(1e-5, 1e-5), Limits()),
    CASES,
    (*(seen(EXPECTED),) * 3, FACTS, Observation({"seen.seconds": number(0.01)})),
    IdentifySet(
        (CASES[0], CASES[2]),
        (Variant(KnownMistake("neg", "mistake", "S.", None, "1."), (seen(-EXPECTED),) * 2),),
    ),
)

IN_TIME = replace(PACK, entry=replace(PACK.entry, speed_at_most=20.0))

words = st.text(max_size=12) | st.sampled_from(
    ["out", "\ud800", "\x1b[2J", "\0", "seen.seconds", "seen.moves", *FACTS.leaves]
)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
arrays = st.sampled_from(sorted(DTYPES)).flatmap(
    lambda code: npst.arrays(
        DTYPES[code],
        st.sampled_from([(), (2, 3), (3, 2), (6,), (0, 3), (1, 2, 3)]),
    )
)
failures = st.fixed_dictionaries(
    {"rung": st.sampled_from([*Rung, "no rung"])},
    optional={
        "type": words | plain,
        "message": words | plain,
        "traceback": words | plain,
        "line": st.integers() | plain,
        "memory": st.booleans(),
        "time": st.booleans(),
        "exit": st.booleans(),
        "defined": st.lists(words, max_size=3) | plain,
    },
)


@st.composite
def case_frames(draw: st.DrawFn) -> bytes:
    """Nearly right case frames: these get deepest."""
    leaves, given = [], []
    for number in range(draw(st.integers(0, 3))):
        array = draw(arrays)
        given.append((str(number), array))
        leaves.append(
            {
                "key": draw(st.sampled_from(["out", "out.0", "out.1", "changed.x", ""]) | words),
                "kind": draw(st.sampled_from([*KINDS, "spoon"])),
                "type": draw(words),
                "dtype": draw(st.sampled_from(["float64", "float32", "str3", array.dtype.name])),
                "shape": draw(st.just(list(array.shape)) | st.lists(st.integers(), max_size=3)),
                "array": draw(st.sampled_from([str(number), None, "no such array", 3])),
                "length": draw(st.none() | st.integers(-1, 9) | plain),
            }
        )
    failure = draw(st.none() | st.none() | failures | plain)
    index = draw(st.integers(0, len(CASES) - 1) | plain)
    header = {"kind": "case", "index": index, "failure": failure, "leaves": leaves}
    return encode(header, given)


other_frames = st.fixed_dictionaries(
    {"kind": st.sampled_from(["case", "load", "loaded", "stopped", "end", "listed", "?"]) | plain},
    optional={"failure": failures | plain, "leaves": plain, "index": plain, "cases": plain},
).map(encode)
streams = st.lists(case_frames() | other_frames, max_size=5).map(b"".join)


def frames_of(stream: bytes) -> tuple[Frame, ...]:
    def whole() -> Iterator[Frame]:
        try:
            yield from split(stream, Bounds())
        except BadFrame:
            return

    return tuple(whole())


class Forger:
    """A sandbox whose child wrote these frames."""

    def __init__(self, stream: bytes, ending: Ending) -> None:
        self._run = Run(ending, frames_of(stream), b"\xff\x1b[0m", 0.1, "detail")

    def run(self, job: Job) -> Run:
        return self._run


@settings(max_examples=150)
@given(streams, st.sampled_from(list(Ending)), st.booleans(), st.sampled_from([PACK, IN_TIME]))
def test_the_judge_takes_whatever_comes(
    stream: bytes, ending: Ending, check: bool, pack: CasePack
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = judge(pack, "", Forger(stream, ending), shown_only=check)
    assert_storable(report)
    if report.verdict is Verdict.CORRECT:
        assert report.cases_passed == report.cases_total > 0


@settings(max_examples=80)
@given(arrays, arrays, arrays)
def test_any_array_is_judged(one: Any, other: Any, third: Any) -> None:
    stream = b""
    for index, array in enumerate((one, other, third)):
        leaf = {"key": "out", "kind": "array", "type": "ndarray", "dtype": array.dtype.name}
        leaf |= {"shape": list(array.shape), "array": "0"}
        header = {"kind": "case", "index": index, "failure": None, "leaves": [leaf]}
        stream += encode(header, [("0", array)])
    stream += encode({"kind": "end"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = judge(PACK.keep([True] * 3 + [False] * 2), "", Forger(stream, Ending.FINISHED))
    assert_storable(report)
    right = all(
        a.dtype.name in ("float32", "float64")
        and a.shape == EXPECTED.shape
        and np.allclose(a, EXPECTED, rtol=1e-5, atol=1e-5)
        for a in (one, other, third)
    )
    assert (report.verdict is Verdict.CORRECT) == right


@pytest.mark.parametrize("code", ["c16", "f2", "u1", "b1"])
def test_an_array_that_is_not_what_it_is_said_to_be_is_judged(code: str) -> None:
    """Found by `make fuzz`: a warning of numpy's, for numbers complex or half as wide."""
    array = np.ones(EXPECTED.shape, dtype=DTYPES[code])
    leaf = {"key": "out", "kind": "array", "type": "", "dtype": "float64", "array": "0"}
    leaf["shape"] = list(array.shape)
    header = {"kind": "case", "index": 0, "failure": None, "leaves": [leaf]}
    stream = encode(header, [("0", array)]) + encode({"kind": "end"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = judge(PACK.keep([True] + [False] * 4), "", Forger(stream, Ending.FINISHED))
    assert_storable(report)
    assert report.verdict is not Verdict.CORRECT


@settings(max_examples=100)
@given(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            [*FACTS.leaves, "seen.distance_matters", "seen.moves", "fact.nothing", "out"],
            arrays | st.just(np.array(1)) | npst.arrays("f8", (), elements=st.floats()),
        ),
    ),
    st.sampled_from(["array", "tensor", "random"]),
)
def test_any_fact_is_judged(values: dict[str, Any], kind: str) -> None:
    leaves = [
        {"key": key, "kind": kind, "type": "Tensor", "dtype": array.dtype.name,
         "shape": list(array.shape), "array": None if kind == "random" else key}
        for key, array in values.items()
    ]  # fmt: skip
    header = {"kind": "case", "index": 0, "failure": None, "leaves": leaves}
    named = [] if kind == "random" else list(values.items())
    stream = encode(header, named) + encode({"kind": "end"})
    pack = PACK.keep([False] * 3 + [True, False])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = judge(pack, "", Forger(stream, Ending.FINISHED))
    assert_storable(report)
    assert [item.name for item in report.properties][:2] == ["offset_only", "distance_matters"]
    if report.verdict is Verdict.CORRECT:
        for key in FACTS.leaves:
            assert key in values or key.startswith(("seen.", "changed.")), key


def told_frame(index: int, told: Mapping[str, Any]) -> bytes:
    leaves = [
        {"key": key, "kind": "array", "type": "ndarray", "dtype": "float64",
         "shape": list(array.shape), "array": key}
        for key, array in told.items()
    ]  # fmt: skip
    header = {"kind": "case", "index": index, "failure": None, "leaves": leaves}
    return encode(header, told.items())


def right(observation: Observation) -> dict[str, Any]:
    return {key: leaf.values for key, leaf in observation.leaves.items()}


@pytest.mark.parametrize("missing", [*FACTS.leaves])
def test_a_fact_that_is_not_told_is_no_pass(missing: str) -> None:
    told = {key: array for key, array in right(FACTS).items() if key != missing}
    pack = PACK.keep([False] * 3 + [True, False])
    stream = told_frame(0, told) + encode({"kind": "end"})
    report = judge(pack, "", Forger(stream, Ending.FINISHED))
    passes = missing.startswith(("seen.", "changed."))  # shown only; not told is not changed
    assert (report.verdict is Verdict.CORRECT) == passes


@pytest.mark.parametrize("seconds", [1e308, 1e300, 5e-324, 0.0, -1.0, np.nan, np.inf])
def test_a_forged_time_has_no_card(seconds: float) -> None:
    stream = b""
    for index, (key, told) in enumerate([("out", EXPECTED), ("seen.seconds", np.array(seconds))]):
        leaf = {"key": key, "kind": "array", "type": "", "dtype": "float64", "array": "0"}
        leaf["shape"] = list(told.shape)
        header = {"kind": "case", "index": index, "failure": None, "leaves": [leaf]}
        stream += encode(header, [("0", told)])
    pack = PACK.keep([True, False, False, False, True])
    report = judge(pack, "", Forger(stream + encode({"kind": "end"}), Ending.FINISHED))
    assert_storable(report)
    assert report.verdict is Verdict.CORRECT
    assert report.speed is None


@given(st.binary(max_size=200))
def test_reading_never_raises(data: bytes) -> None:
    read_run(Run(Ending.FINISHED, frames_of(data), b"", 0.0), 3)


@pytest.mark.parametrize("missing", [None, *range(len(CASES))])
def test_a_missing_result_is_the_codes_own_fault(missing: int | None) -> None:
    stream = b"".join(
        told_frame(index, right(expected))
        for index, expected in enumerate(PACK.expected)
        if index != missing
    )
    report = judge(PACK, "", Forger(stream + encode({"kind": "end"}), Ending.FINISHED))
    assert report.verdict is (Verdict.CORRECT if missing is None else Verdict.COULD_NOT_RUN)


def assert_storable(report: Report) -> None:
    assert report.verdict is not Verdict.NOT_GRADED
    text = json.dumps(report.as_json(), allow_nan=False, ensure_ascii=False)
    text.encode()
    assert "\\u0000" not in json.dumps(report.as_json())
    assert Report.from_json(json.loads(text)) == report
    if report.picture is not None:
        Picture.from_bytes(report.picture.to_bytes())
