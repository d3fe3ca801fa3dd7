"""A sandbox that says anything at all: the judge neither crashes nor calls it correct.

`make fuzz` tries far more of it.
"""

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from quizzes.grader.errors import AuthorError
from quizzes.grader.judge.case_pack import (
    CasePack,
    EntryPoint,
    FingerprintSet,
    Variant,
    digest_of_call,
)
from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.picture import Picture
from quizzes.grader.judge.report import KnownMistake, Report, Stage, Verdict
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.frame_grammar import check_leaves
from quizzes.grader.protocol.job import Ending, Job, Limits, Run, count_shown, order_of
from quizzes.grader.protocol.observation import KINDS, Leaf, Observation
from quizzes.grader.protocol.property_measures import measure_properties
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.wire import (
    DTYPES,
    BadFrame,
    Bounds,
    Frame,
    encode,
    is_carried_in,
    split,
)
from tests.examples import examples

EXPECTED = np.array([[0.5, -1.0, 2.0], [3.0, 1e-9, -7.0]])


def number(value: float) -> Leaf:
    return scalar(np.array(float(value)))


def scalar(value: np.ndarray) -> Leaf:
    return Leaf("array", "ndarray", value.dtype.name, (), values=value)


def expected_of(case: Case, sent: Mapping[str, np.ndarray]) -> Observation:
    """What the judge makes of these arrays."""
    leaves = {
        key: Leaf("array", "ndarray", array.dtype.name, array.shape, values=array)
        for key, array in sent.items()
    }
    check_leaves(case, leaves)
    return Observation(measure_properties(case, leaves))


def turned(row: int) -> np.ndarray:
    """One row at every position, turned by its position."""
    angles = np.arange(3.0) + row
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


NO, YES = np.array(False), np.array(True)
CASES = (
    *(Case(str(i), {"x": np.ones(2) * i}, shown=i == 0, identify=i != 1) for i in range(3)),
    Case("scores", {"x": turned(0)}, probe="relative_scores", shown=True),
    Case("registered", {"name": "a"}, {}, probe="buffers_and_state", shown=True),
    Case("trained", {}, {}, probe="parameters", shown=True),
    Case("gradient", {"x": EXPECTED}, {}, probe="grad_input"),
    Case("time", {"x": np.ones(2)}, probe="time"),
)
MEASURED = {"seen.moves": np.array(0.0), "seen.seconds": np.array(0.01)}  # shown, never compared
SENT: tuple[dict[str, np.ndarray], ...] = (
    *({"out": EXPECTED, "changed.x": NO} for _ in range(3)),
    {"look.0": turned(0), "look.1": turned(1)},
    {
        "fact.buffers": YES,
        "fact.buffer_named": YES,
        "fact.moves": YES,
        "seen.moves": MEASURED["seen.moves"],
    },
    {"fact.trainable": np.array(96), "fact.frozen": np.array(0)},
    {"grad.x": EXPECTED, "fact.reaches_input": YES},
    {"seen.seconds": MEASURED["seen.seconds"]},
)
PLACES = {key: place for place, sent in enumerate(SENT) for key in sent if key not in MEASURED}
MISTAKEN = expected_of(CASES[0], {"out": -EXPECTED, "changed.x": NO})
PACK = CasePack(
    "forged",
    "hash",
    1,
    EntryPoint("f", "function", "numpy", ("float32", "float64"), Tolerance(1e-5, 1e-5), Limits()),
    CASES,
    tuple(expected_of(case, sent) for case, sent in zip(CASES, SENT, strict=True)),
    FingerprintSet(
        (CASES[0], CASES[2]),
        (Variant(KnownMistake("neg", "mistake", "S.", None, "1."), (MISTAKEN,) * 2),),
        frozenset(),
    ),
)

IN_TIME = replace(PACK, entry=replace(PACK.entry, speed_at_most=20.0))

words = st.text(max_size=12) | st.sampled_from(
    ["out", "\ud800", "\x1b[2J", "\0", "seen.seconds", "seen.moves", *PLACES, "look.2"]
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
    {"rung": st.sampled_from([*Stage, "no rung"])},
    optional={
        "type": words | plain,
        "message": words | plain,
        "traceback": words | plain,
        "line": st.integers() | plain,
        "memory": st.booleans(),
        "time": st.booleans(),
        "exit": st.booleans(),
        "defined": st.lists(words, max_size=3) | plain,
        "suggestion": words | plain,
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
                "key": draw(st.sampled_from(["out", "out.0", "look.0", "changed.x", ""]) | words),
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


@pytest.mark.slow
@examples(150)
@given(streams, st.sampled_from(list(Ending)), st.booleans(), st.sampled_from([PACK, IN_TIME]))
def test_the_judge_takes_whatever_comes(
    stream: bytes, ending: Ending, check: bool, pack: CasePack
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = grade_code(pack, "", Forger(stream, ending), shown_only=check)
    assert_storable(report)
    if report.verdict is Verdict.CORRECT:
        assert report.cases_passed == report.cases_total > 0


def told_frame(index: int, told: Mapping[str, Any], **claims: Any) -> bytes:
    """The frame of a case; `claims` replace what is said of each of its leaves."""
    leaves = [
        {"key": key, "kind": "array", "type": "ndarray", "dtype": array.dtype.name,
         "shape": list(array.shape), "array": key, **claims}
        for key, array in told.items()
    ]  # fmt: skip
    header = {"kind": "case", "index": index, "failure": None, "leaves": leaves}
    return encode(header, told.items())


def stream_of(cases: Sequence[Case], frames: Mapping[int, bytes]) -> bytes:
    """These frames of cases, in the order and among the frames of an honest run."""
    order, shown = order_of(cases), count_shown(cases)
    asks = [encode({"kind": "hidden"})] if shown < len(order) else []
    parts = [frames.get(place, b"") for place in order]
    ends = encode({"kind": "loaded"}), encode({"kind": "end"})
    return b"".join([ends[0], *parts[:shown], *asks, *parts[shown:], ends[1]])


def judged(pack: CasePack, sent: Mapping[int, bytes], *, check: bool = False) -> Report:
    """The report on such a run; warnings of numpy's are errors."""
    stream = stream_of(pack.cases, sent)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = grade_code(pack, "", Forger(stream, Ending.FINISHED), shown_only=check)
    assert_storable(report)
    return report


def honest() -> dict[int, bytes]:
    """A frame for each case of PACK."""
    return {place: told_frame(place, sent) for place, sent in enumerate(SENT)}


@pytest.mark.slow
@examples(80)
@given(arrays, arrays, arrays)
def test_any_array_is_judged(one: Any, other: Any, third: Any) -> None:
    sent = {
        index: told_frame(index, {"out": array, "changed.x": NO})
        for index, array in enumerate((one, other, third))
    }
    report = judged(PACK.keep([True] * 3 + [False] * 5), sent)
    right = all(
        a.dtype.name in ("float32", "float64")
        and a.shape == EXPECTED.shape
        and np.allclose(a, EXPECTED, rtol=1e-5, atol=1e-5)
        for a in (one, other, third)
    )
    assert (report.verdict is Verdict.CORRECT) == right


@pytest.mark.parametrize("code", ["c16", "f2", "u1", "b1", "f4"])
def test_an_array_that_is_not_what_it_is_said_to_be_is_a_bad_frame(code: str) -> None:
    """Complex numbers of any imaginary part passed as float64, and warnings were raised."""
    for claimed in ("float64", "bfloat16", "float", "int", "complex"):
        if is_carried_in(claimed, DTYPES[code]):
            continue
        array = EXPECTED.astype(DTYPES[code])
        forged = told_frame(1, {"out": array}, dtype=claimed)
        report = judged(PACK, {**honest(), 1: forged})
        assert report.verdict is Verdict.COULD_NOT_RUN, (code, claimed)
        assert report.first_fault is not None
        assert "descriptor 3" in report.first_fault.message


@pytest.mark.slow
@examples(100)
@given(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            [*PLACES, "seen.distance_matters", "seen.moves", "fact.nothing", "out"],
            arrays | st.just(np.array(1)) | npst.arrays("f8", (), elements=st.floats()),
        ),
    ),
    st.integers(0, len(CASES) - 1),
)
def test_any_leaves_are_judged(values: dict[str, Any], place: int) -> None:
    """Of a case whose frame was made up, `correct` says only what the true frame would have."""
    report = judged(PACK, {**honest(), place: told_frame(place, values)})
    if report.verdict is Verdict.CORRECT:
        for key, array in SENT[place].items():
            if key not in MEASURED:
                np.testing.assert_allclose(values[key], array, rtol=1e-4, atol=1e-4)


def test_what_is_right_is_correct() -> None:
    assert judged(PACK, honest()).verdict is Verdict.CORRECT


@pytest.mark.parametrize(("key", "place"), PLACES.items())
def test_what_is_not_told_is_no_pass(key: str, place: int) -> None:
    told = {name: array for name, array in SENT[place].items() if name != key}
    report = judged(PACK, {**honest(), place: told_frame(place, told)})
    assert report.verdict is Verdict.COULD_NOT_RUN


@pytest.mark.parametrize(("key", "place"), PLACES.items())
def test_chance_excuses_nothing(key: str, place: int) -> None:
    header = {"kind": "case", "index": place, "failure": None}
    leaf = {"key": key, "kind": "random", "type": "", "dtype": "float64", "shape": []}
    forged = encode({**header, "leaves": [leaf]})
    report = judged(PACK, {**honest(), place: forged})
    assert report.verdict is not Verdict.CORRECT


@pytest.mark.parametrize("fact", [key for key in PLACES if key.startswith("fact.")])
@pytest.mark.parametrize(
    "value",
    [
        np.array(0.5),
        np.array(-1),
        np.array([1]),
        np.array(1.0),
        np.array(1 + 0j),
        np.array(1 << 60),
    ],
)
def test_a_fact_is_one_whole_number_in_its_range(fact: str, value: np.ndarray) -> None:
    place = PLACES[fact]
    forged = told_frame(place, {**SENT[place], fact: value})
    assert judged(PACK, {**honest(), place: forged}).verdict is Verdict.COULD_NOT_RUN


@pytest.mark.parametrize("row", [1, 2])
def test_a_property_of_other_numbers_is_no_pass(row: int) -> None:
    """Any rotation keeps scores by distance: these are of the wrong one, and all else is right."""
    forged = told_frame(3, {"look.0": turned(0), "look.1": turned(row)})
    report = judged(PACK, {**honest(), 3: forged})
    assert (report.verdict is Verdict.CORRECT) == (row == 1)


@pytest.mark.parametrize(
    "array", [EXPECTED + 1j, np.full((2, 3), 1.7e308 * (1 + 1j)), EXPECTED.astype("i8")]
)
def test_a_gradient_is_real(array: np.ndarray) -> None:
    """The size of such a complex number is beyond every float: Python raised OverflowError."""
    forged = told_frame(6, {"grad.x": array, "fact.reaches_input": YES})
    assert judged(PACK, {**honest(), 6: forged}).verdict is Verdict.WRONG


def test_code_that_says_it_was_stopped_was_not() -> None:
    failure = {"rung": "returned", "type": "OutOfTime", "time": True, "traceback": "all inputs"}
    frames = [encode({"kind": "loaded"}), encode({"kind": "stopped", "failure": failure})]
    stream = b"".join([*frames, encode({"kind": "end"})])
    report = grade_code(PACK, "", Forger(stream, Ending.FINISHED))
    assert (report.verdict, report.traceback) == (Verdict.COULD_NOT_RUN, "")


@pytest.mark.parametrize("seconds", [1e308, 1e300, 5e-324, 0.0])
def test_a_forged_time_has_no_card(seconds: float) -> None:
    time = len(CASES) - 1
    forged = told_frame(time, {"seen.seconds": np.array(seconds)})
    report = judged(PACK, {**honest(), time: forged})
    assert report.verdict is Verdict.CORRECT
    assert report.speed is None


@pytest.mark.parametrize("seconds", [-1.0, np.nan, np.inf])
def test_a_time_that_is_none_is_a_bad_frame(seconds: float) -> None:
    time = len(CASES) - 1
    forged = told_frame(time, {"seen.seconds": np.array(seconds)})
    assert judged(PACK, {**honest(), time: forged}).verdict is Verdict.COULD_NOT_RUN


@pytest.mark.parametrize("kept", [0, 3, 4, 5, 6])
def test_without_a_hidden_drawn_result_nothing_is_correct(kept: int) -> None:
    """Not by what is shown, and not by what a program says of itself: that is the author's."""
    pack = PACK.keep([place == kept for place in range(len(CASES))])
    with pytest.raises(AuthorError, match="drawn"):
        judged(pack, {0: told_frame(0, SENT[kept])})
    same = replace(PACK.fingerprints, same_calls=frozenset(map(digest_of_call, CASES)))
    with pytest.raises(AuthorError, match="drawn"):
        judged(replace(PACK, fingerprints=same), honest())


@given(st.binary(max_size=200))
def test_reading_never_raises(data: bytes) -> None:
    read_run(Run(Ending.FINISHED, frames_of(data), b"", 0.0), CASES)


@pytest.mark.parametrize("missing", range(len(CASES)))
def test_a_missing_result_is_the_codes_own_fault(missing: int) -> None:
    sent = {place: frame for place, frame in honest().items() if place != missing}
    assert judged(PACK, sent).verdict is Verdict.COULD_NOT_RUN


def assert_storable(report: Report) -> None:
    assert report.verdict is not Verdict.NOT_GRADED
    text = json.dumps(report.as_json(), allow_nan=False, ensure_ascii=False)
    text.encode()
    assert "\\u0000" not in json.dumps(report.as_json())
    assert Report.from_json(json.loads(text)) == report
    if report.picture is not None:
        Picture.from_bytes(report.picture.to_bytes())
