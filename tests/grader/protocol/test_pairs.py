"""Two cases that differ in one argument alone, and the frames of the calls of such a pair."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from quizzes.grader.inside.harness import do_job
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Ending, Job, Run
from quizzes.grader.protocol.observation import Observed
from quizzes.grader.protocol.pairs import Pair, PairedCall, calls_of, pairs_of, unpaired
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.wire import Bounds, Frame, decode

X = np.arange(6.0).reshape(2, 3)


def case(label: str, pair: str | None = "base", **kwargs: Any) -> Case:
    return Case(label, {"n": 3, "base": 10.0, "x": X, **kwargs}, pair=pair)


A, B = case("a"), case("b", base=20.0)


def test_two_cases_that_differ_as_they_say_are_a_pair() -> None:
    cases = [case("neither", None), B, case("x", "x"), A, case("y", "x", x=X + 1)]
    assert pairs_of(cases) == (Pair("base", 1, 3), Pair("x", 2, 4))
    assert unpaired(cases) == []


@pytest.mark.parametrize(
    "other",
    [
        case("the same value"),
        case("another type", base=20),
        case("two arguments", base=20.0, n=4),
        case("another shape", base=20.0, x=X[:1]),
        case("another dtype", base=20.0, x=X.astype("f4")),
        case("another word", "n", base=20.0),
        case("no word", None, base=20.0),
        Case("one argument more", {**B.kwargs, "k": 1}, pair="base"),
    ],
    ids=lambda other: other.label,
)
def test_others_are_none(other: Case) -> None:
    assert pairs_of([A, other]) == ()
    assert A in unpaired([A, other])


def test_an_array_of_another_shape_makes_no_pair_for_it() -> None:
    assert pairs_of([case("a", "x"), case("b", "x", x=X[:, :2])]) == ()


def test_three_that_fit_each_other_are_no_pair() -> None:
    """Or else the cases of a Check would be paired in another way than those of a Submit."""
    cases = [A, B, case("c", base=30.0)]
    assert pairs_of(cases) == ()
    assert unpaired(cases) == cases


def test_probe_and_fill_are_the_same_in_a_pair() -> None:
    init = {"width": 4}
    one = Case("a", {"x": X}, init=init, probe="call_eval", fill=True, pair="x")
    other = replace(one, label="b", kwargs={"x": X + 1})
    assert pairs_of([one, other]) == (Pair("x", 0, 1),)
    assert pairs_of([one, replace(other, fill=False)]) == ()
    assert pairs_of([one, replace(other, init={"width": 5})]) == ()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pair": "bass"}, "pair='bass': expected an argument of the case: n, base, x"),
        ({"raises": True}, "expected probe='call', no raises, no spare"),
        ({"spare": True}, "expected probe='call', no raises, no spare"),
        ({"probe": "rows_unique"}, "expected probe='call'"),
        ({"init": {"width": 4}}, "expected probe='call_eval'"),
    ],
)
def test_a_case_that_is_no_half_of_a_pair_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=r"pair='\w+'") as caught:
        replace(A, **changes)
    assert message in str(caught.value)


def test_each_pair_is_called_three_times_and_a_filled_module_once_more() -> None:
    filled = Case("m", {"x": X}, init={"d": 4}, probe="call_eval", fill=True, pair="x")
    cases = [A, filled, B, replace(filled, label="o", kwargs={"x": X + 1})]
    assert calls_of(pairs_of(cases), cases) == (
        PairedCall(0),
        PairedCall(2, 0),
        PairedCall(0, 2),
        PairedCall(2, 0, looks_back=True),
        PairedCall(1),
        PairedCall(3, 1),
        PairedCall(1, 3),
        PairedCall(3, 1, looks_back=True),
        PairedCall(1, 1, refilled=True),
    )


# ---- frames


SOURCE = """
called = []
def f(n, base, x):
    called.append(base)
    return x * base + len(called)
"""
CASES = (
    replace(A, shown=True),
    Case("timed", A.kwargs, probe="time"),
    replace(B, shown=True),
    Case("hidden", {**A.kwargs, "base": 7.0}),
)


def job(cases: Sequence[Case] = CASES) -> Job:
    return Job(SOURCE, "f", tuple(cases), pairs=pairs_of(cases))


def frames_of(job: Job) -> list[Frame]:
    """What the harness sends for a job, run in this process."""
    asked = [decode(frame, Bounds()) for frame in job.to_frames()]
    sent: list[Frame] = []
    main = sys.modules["__main__"]
    try:
        do_job(
            asked[0],
            lambda data: sent.append(decode(data, Bounds())),
            lambda: asked[1],
            silence=lambda: None,
        )
    finally:
        sys.modules["__main__"] = main
        del sys.modules["submission"]
    return sent


def read(frames: Sequence[Frame]) -> Observed:
    run = Run(Ending.FINISHED, tuple(frames), b"", 0.1)
    return read_run(run, CASES, job().paired_calls)


def test_pairs_are_called_after_hidden_cases_and_before_timed_ones() -> None:
    said = [(frame.header["kind"], frame.header.get("index")) for frame in frames_of(job())]
    assert said == [
        ("parsed", None),
        ("loaded", None),
        ("case", 0),
        ("case", 2),
        ("hidden", None),
        ("case", 3),
        ("again", 0),
        ("again", 1),
        ("again", 2),
        ("case", 1),
        ("end", None),
    ]
    assert len(said) <= job().most_frames
    results = [got.leaves["out"].values[0, 0] for _, got in read(frames_of(job())).paired if got]
    # The first three calls were of cases. The last here is no call: the second's result, later.
    assert results == [4, 5, 6, 5]
    assert [call.place for call, _ in read(frames_of(job())).paired] == [0, 2, 0, 2]


def test_pairs_of_shown_cases_alone_wait_until_nothing_printed_counts() -> None:
    shown = [case for case in CASES if case.shown]
    first, second = (decode(frame, Bounds()) for frame in job(shown).to_frames())
    assert first.header["more"]
    assert second.header["pairs"] == [[0, 1]]
    assert second.header["cases"] == []
    assert len(list(replace(job(shown), pairs=()).to_frames())) == 1


Change = Callable[[list[Frame]], list[Frame]]


AGAIN = 6  # the first frame of a call of a pair


def says(**header: Any) -> Change:
    """The first call of the pair says something else."""

    def change(frames: list[Frame]) -> list[Frame]:
        first = Frame({**frames[AGAIN].header, **header}, frames[AGAIN].arrays)
        return [*frames[:AGAIN], first, *frames[AGAIN + 1 :]]

    return change


def has(*leaves: dict[str, Any]) -> Change:
    """The first call of the pair has these leaves, each like its own but for some words."""

    def change(frames: list[Frame]) -> list[Frame]:
        own = frames[AGAIN].header["leaves"][0]
        return says(leaves=[{**own, **words} for words in leaves])(frames)

    return change


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda sent: [*sent[:AGAIN], *sent[AGAIN + 1 :]], id="left out"),
        pytest.param(lambda sent: [*sent[: AGAIN + 1], *sent[AGAIN:]], id="twice"),
        pytest.param(lambda sent: [*sent[:AGAIN], *sent[AGAIN + 3 :]], id="none"),
        pytest.param(
            lambda sent: [
                *sent[: AGAIN - 1],
                *sent[AGAIN : AGAIN + 3],
                sent[AGAIN - 1],
                *sent[AGAIN + 3 :],
            ],
            id="before a hidden case",
        ),
        pytest.param(says(index=1), id="another"),
        pytest.param(says(index=False), id="a flag"),
        pytest.param(says(index=0.0), id="a fraction"),
        pytest.param(says(kind="case"), id="of a case"),
        pytest.param(has(), id="nothing"),
        pytest.param(has({"key": "fact.moves"}), id="a fact"),
        pytest.param(has({}, {"key": "changed.x"}), id="a flag of an argument"),
        pytest.param(has({"kind": "random", "array": None}), id="chance"),
        pytest.param(has({"dtype": "float32"}), id="another dtype"),
    ],
)
def test_any_other_frame_of_a_pair_is_a_bad_one(change: Change) -> None:
    frames = frames_of(job())
    assert read(frames).ending is Ending.FINISHED
    assert read(change(frames)).ending is Ending.GARBLED


def test_a_call_of_a_pair_may_raise() -> None:
    failure = {"rung": "returned", "type": "ValueError", "message": "no"}
    observed = read(says(failure=failure, leaves=[])(frames_of(job())))
    assert observed.ending is Ending.FINISHED
    got = observed.paired[0][1]
    assert got is not None
    assert got.failure is not None


def test_a_result_is_looked_at_again_after_the_next_call() -> None:
    """Code that writes each result into one buffer sends one once more, other code does not."""
    buffer = "import numpy as np\nbuffer = np.zeros((2, 3))\n"
    buffer += "def f(n, base, x):\n    buffer[:] = x * base\n    return buffer\n"
    for source, changes in ((buffer, True), (SOURCE, False)):
        frames = frames_of(replace(job(), source=source))
        _, first, _, later = (got.leaves["out"].values for _, got in read(frames).paired if got)
        assert first is not None
        assert later is not None
        assert bool((first != later).any()) is changes
        sent = sum(frame.header["kind"] == "again" for frame in frames)
        assert sent == (4 if changes else 3)


def test_code_of_the_author_runs_below_the_students() -> None:
    below = "def f(n, base, x, before=f):\n    return 10 * before(n, base, x)\n"
    plain, more = (read(frames_of(replace(job(), below=text))) for text in ("", below))
    first, other = (seen.observations[0] for seen in (plain, more))
    assert first is not None
    assert other is not None
    values = [np.asarray(seen.leaves["out"].values) for seen in (first, other)]
    np.testing.assert_array_equal(values[0] * 10, values[1])


def test_the_first_frame_alone_says_that_code_was_parsed() -> None:
    """It is sent before the code runs: what code sends later cannot say otherwise."""
    failure = {"rung": "imports", "type": "SyntaxError"}
    frames = frames_of(job())
    end = frames[-1]
    load = Frame({"kind": "load", "failure": failure}, {})
    assert not read([load, end]).parsed
    assert read([frames[0], load, end]).parsed
    assert read(frames).parsed
    for twice in ([frames[0], frames[0], *frames[1:]], [*frames[1:3], frames[0], *frames[3:]]):
        assert read(twice).ending is Ending.GARBLED
