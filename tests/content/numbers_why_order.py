"""The numbers of the lesson "Why order must be put in"."""

from math import e, factorial

from quizzes.study.word_order import swapped_outputs

LESSON = "why-order"
CITED = {"101", "100"}


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    assert 3.5e6 < factorial(10) < 3.7e6
    query, keys = (1, 2, 0, 1), ((2, 1, 1, 0), (0, 1, 3, 0))
    dog, man = (sum(q * k for q, k in zip(query, key, strict=True)) for key in keys)
    return {
        "other-networks": ["more than three and a half million orders"],
        "what-attention-computes": [
            f"1·2 + 2·1 + 0·1 + 1·0 = {dog}. The score of *man* is {man}",
            f"it raises $e \\approx {e:.2f}$ to each score",
        ],
        "six-encodings": [
            f"{max(float(one.plain_change) for one in swapped_outputs()):.2f} without the rows"
        ],
        "mask-counts": [f"\\approx {1 / 100 - 1 / 101:.4f}"],
    }


SAID = said()
