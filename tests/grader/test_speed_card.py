"""What the speed card says of a ratio: nothing that the numbers beside it contradict."""

import pytest

from quizzes.grader.cards import _speed_sentence


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
    assert _speed_sentence(seconds, ratio).startswith(said)
