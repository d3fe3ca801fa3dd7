"""What the speed card says of a ratio: nothing that the numbers beside it contradict."""

from dataclasses import replace

import numpy as np
import pytest

from quizzes.grader.inside.describe import describe
from quizzes.grader.judge.case_pack import SAME_DTYPE
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.messages import beside_the_reference
from quizzes.grader.judge.report import Stage, Verdict
from quizzes.grader.judge.timed_results import SAMPLED, is_compared, sample_result
from quizzes.grader.judge.timing import SECONDS
from quizzes.grader.protocol.observation import Leaf, Observation, measured_by
from tests.grader.judge.test_timing import Clock, counted
from tests.grader.protocol.test_forged_frames import EXPECTED, assert_storable, number


@pytest.mark.parametrize(
    ("seconds", "ratio", "said"),
    [
        (0.1, 0.25, "Faster than the reference, which takes about 4.0 times as long."),
        (0.1, 0.6, "Faster than the reference, which takes about 1.7 times as long. A difference"),
        (0.1, 0.95, "About as fast as the reference."),
        (0.1, 1.05, "About as fast as the reference."),
        (0.1, 1.1, "It takes about 1.1 times as long as the reference. A difference this small"),
        (0.1, 1.9, "It takes about 1.9 times as long as the reference. A difference this small"),
        (0.1, 2.0, "It takes about 2.0 times as long as the reference."),
        (1e-5, 4.7, "It takes about 4.7 times as long as the reference."),
        (1e-4, 30.0, "Slower than the reference, but both take next to no time."),
        (0.1, 30.0, "The reference needs about 1/30 of the time."),
        (0.1, 1234.0, "The reference needs about 1/1200 of the time."),
    ],
)
def test_a_ratio_is_put_in_honest_words(seconds: float, ratio: float, said: str) -> None:
    assert beside_the_reference(seconds, ratio).startswith(said)


@pytest.mark.parametrize("times", [0.4, 0.6, 0.9, 0.95, 1.0, 1.04, 1.2, 1.5, 1.9, 2.1, 4.0])
def test_words_of_card_follow_its_times(times: float) -> None:
    """Nobody reads "about as fast" above a time that is longer by a tenth."""
    reference = measured_by(counted(at_most=None).expected[1], SECONDS)
    assert reference is not None
    speed = grade_code(counted(at_most=None), "", Clock(*[times * reference] * 3)).speed
    assert speed is not None
    shown = speed.seconds / speed.reference_seconds
    assert shown == pytest.approx(times, rel=0.05)
    looks_equal = 0.9 < shown < 1.1
    assert speed.sentence.startswith("About as fast") is looks_equal
    assert speed.sentence.startswith("Faster") is (shown < 1 and not looks_equal)
    assert speed.is_as_fast is looks_equal


def test_nobody_without_a_loop_is_told_of_one() -> None:
    said = beside_the_reference(0.1, 30.0)
    assert said.endswith(
        "If your code loops over elements in Python, work on whole arrays instead."
    )


@pytest.mark.parametrize(
    ("out", "failed"),
    [
        (EXPECTED, None),
        (-EXPECTED, Stage.VALUES),
        (EXPECTED[:1], Stage.SHAPE),
        (EXPECTED, Stage.TIME),
    ],
)
def test_only_right_values_are_told_how_fast_they_came(out: object, failed: Stage | None) -> None:
    """Neither praise nor blame for the time in which something else was computed."""
    pack = counted(at_most=20 if failed is Stage.TIME else None)
    report = grade_code(pack, "", Clock(*[0.5] * 3, out=out))
    assert (report.first_fault.stage if report.first_fault else None) is failed
    assert (report.speed is not None) is (failed in (None, Stage.TIME))


WRONG_RESULTS = {
    "other numbers": -EXPECTED,
    "no numbers": np.full(EXPECTED.shape, np.nan),
    "another shape": EXPECTED[:1],
    "another dtype": EXPECTED.astype("i8"),
}


@pytest.mark.parametrize("at_most", [None, 20.0])
@pytest.mark.parametrize("seconds", [0.01, 0.5])
@pytest.mark.parametrize("how", WRONG_RESULTS)
def test_what_was_timed_is_compared(how: str, seconds: float, at_most: float | None) -> None:
    """Whether it was fast or slow, and whether time counts or not."""
    clock = Clock(*[seconds] * 3, timed_out=WRONG_RESULTS[how])
    report = grade_code(counted(at_most=at_most), "", clock)
    assert report.verdict is Verdict.WRONG
    assert report.speed is None
    assert report.first_fault is not None
    assert report.first_fault.case == "time"
    assert (report.cases_passed, report.cases_total) == (1, 2)
    assert_storable(report)


def test_a_time_without_a_result_is_told_nothing() -> None:
    """Neither where none was sent, nor where the reference has none that could be compared."""
    pack = counted(at_most=None)
    bare = replace(pack.expected[1], leaves={"seen.seconds": number(0.01)})
    unknown = replace(pack, expected=(pack.expected[0], bare))
    for given, clock in ((pack, Clock(0.01, timed_out=None)), (unknown, Clock(0.01))):
        report = grade_code(given, "", clock)
        assert report.verdict is Verdict.CORRECT
        assert report.speed is None


def test_a_wrong_number_is_named_by_its_place() -> None:
    wrong = EXPECTED.copy()
    wrong[1, 2] += 1
    report = grade_code(counted(at_most=None), "", Clock(0.01, 0.01, timed_out=wrong))
    assert report.first_fault is not None
    assert "1 of 6 numbers differs" in report.first_fault.message
    assert "[1, 2]" in report.first_fault.message


def test_a_large_result_is_kept_at_drawn_places_alone() -> None:
    whole = Leaf("array", "ndarray", "float64", (64, 32), values=np.arange(2048.0).reshape(64, 32))
    one, again, other = (sample_result(Observation({"out": whole}), seed, ()) for seed in (1, 1, 2))
    places, same = (item.leaves["places.out"].values for item in (one, again))
    assert places is not None
    assert len(np.unique(places)) == SAMPLED
    np.testing.assert_array_equal(places, same)
    assert not np.array_equal(places, other.leaves["places.out"].values)
    np.testing.assert_array_equal(one.leaves["sample.out"].values, places)
    gone = replace(whole, values=None)
    assert sample_result(Observation({"out": gone}), 1, ()).leaves == {}


@pytest.mark.parametrize(
    ("numbers", "dtypes", "compared"),
    [
        (1 << 20, ["float32", "float64"], True),
        ((1 << 20) + 1, ["float32", "float64"], False),
        ((1 << 20) + 1, ["float32"], True),
        ((1 << 20) + 1, [SAME_DTYPE], True),
        ((1 << 20) + 1, [SAME_DTYPE, "complex64"], False),
        ((1 << 19) + 1, ["float32", "complex128"], False),
    ],
)
def test_a_result_is_compared_if_every_right_one_can_travel(
    numbers: int, dtypes: list[str], compared: bool
) -> None:
    """The reference's float32 is half as large as right code's float64."""
    values = np.zeros(numbers, "f4")
    leaf = Leaf("array", "ndarray", "float32", (numbers,), values=values)
    timed = sample_result(Observation({"out": leaf, "seen.seconds": number(0.01)}), 1, dtypes)
    assert is_compared(timed, Observation({"out": leaf})) is compared
    for word in dtypes:
        right = describe("out", values.astype("f4" if word == SAME_DTYPE else word))
        assert not compared or right[0][1] is not None


def test_results_that_travel_alone_may_be_too_many() -> None:
    leaf = Leaf("array", "ndarray", "float64", (1 << 20,), values=np.zeros(1 << 20))
    for count in (1, 2):
        timed = sample_result(Observation({f"out.{i}": leaf for i in range(count)}), 1, ())
        assert bool(timed.leaves) is (count == 1)


@pytest.mark.parametrize(("off", "right"), [(5e-4, True), (5e-3, False)])
def test_rounding_at_a_large_input_is_no_fault(off: float, right: bool) -> None:
    """Of the largest number, 7: the tolerance is that of inputs which are smaller."""
    report = grade_code(counted(at_most=None), "", Clock(0.01, 0.01, timed_out=EXPECTED + 7 * off))
    assert report.verdict is (Verdict.CORRECT if right else Verdict.WRONG)
    assert (report.speed is not None) is right
