"""The numbers of the lesson "RoPE"."""

import numpy as np
from posenc.catalog.rope import Rope
from posenc.number_format import grouped

LESSON = "rope"
# Years, examples of sizes and positions, the base.
CITED = {"2021", "128", "10000", "2048", "5000", "8192", "1007", "1004", "144"}


def turning(positions: int) -> int:
    """Return how many of 64 pairs make a whole turn within so many positions."""
    return int(np.sum(wavelengths() <= positions - 1))


def wavelengths() -> np.ndarray:
    return 2 * np.pi / Rope(head_dim=128).inv_freq


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    eight = Rope(head_dim=8).inv_freq
    rope = Rope(head_dim=128)
    ones = np.ones((1, 1001, 128))
    turned = rope.rotate(ones, np.arange(1001))[0]
    scores = turned @ turned[0] / 128
    degrees = [f"{float(f'{value:.3g}'):g}" for value in np.degrees(eight)]
    return {
        "turn-instead-of-add": ["turned by 2.5 radians, a key at position 2 by 1 radian"],
        "many-pairs": [
            f"these are {eight[0]:g}, {eight[1]:.3g}, {eight[2]:.3g} and {eight[3]:.3g}:"
            f" in degrees {degrees[0]}, {degrees[1]}, {degrees[2]} and {degrees[3]} for",
        ],
        "score-and-distance": [
            f"it is {scores[1]:.2f} at distance 1, {scores[10]:.2f} at 10,"
            f" {scores[100]:.2f} at 100 and {scores[1000]:.2f} at 1000, for 128 dimensions",
        ],
        "with-a-cache": [_proportional(head_dim=512, share=0.25)],
        "longer-texts": [
            f"only {turning(2048)} of the 64 have made a whole turn",
            f"would need {grouped(round(wavelengths()[-1]))} positions",
            f"in training {turning(8192)} of the 64 pairs make a whole turn",
        ],
    }


def _proportional(*, head_dim: int, share: float) -> str:
    """Return what is said of Gemma 4's heads; the two rules of the listing are looked at as well.

    By the head the first pairs are those of a head that turns as a whole; by the part those of a
    head of that size alone.
    """
    part = np.arange(0, 16, 2)
    by_the_part, by_the_head = 10_000.0 ** (-part / 16), 10_000.0 ** (-part / 64)
    assert np.allclose(by_the_part, Rope(head_dim=16).inv_freq)
    assert np.allclose(by_the_head, Rope(head_dim=64).inv_freq[:8])
    assert np.all(by_the_head[1:] > by_the_part[1:])
    turning, pairs = int(share * head_dim // 2), head_dim // 2
    return f"heads have {head_dim} numbers there, and\n{turning} of their {pairs} pairs turn"


SAID = said()
