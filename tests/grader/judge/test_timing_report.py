"""What the speed card says of a ratio: nothing that the numbers beside it contradict."""

import pytest

from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.messages import beside_the_reference
from quizzes.grader.judge.report import Stage
from tests.grader.judge.test_timing import Clock, counted
from tests.grader.protocol.test_forged_frames import EXPECTED


@pytest.mark.parametrize(
    ("seconds", "ratio", "said"),
    [
        (0.1, 0.25, "Faster than the reference, which takes about 4.0 times as long."),
        (0.1, 0.6, "About as fast as the reference."),
        (0.1, 1.9, "About as fast as the reference."),
        (0.1, 2.0, "It takes about 2.0 times as long as the reference."),
        (1e-5, 4.7, "It takes about 4.7 times as long as the reference."),
        (1e-4, 30.0, "Slower than the reference, but both are done in no time."),
        (0.1, 30.0, "The reference needs about 1/30 of the time."),
        (0.1, 1234.0, "The reference needs about 1/1200 of the time."),
    ],
)
def test_a_ratio_is_put_in_honest_words(seconds: float, ratio: float, said: str) -> None:
    assert beside_the_reference(seconds, ratio).startswith(said)


def test_nobody_without_a_loop_is_told_of_one() -> None:
    said = beside_the_reference(0.1, 30.0)
    assert said.endswith(
        "If your code loops over elements in Python, working on whole arrays gains about that much."
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
