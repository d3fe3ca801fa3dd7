"""The numbers of the lesson "Why order must be put in"."""

from math import factorial

LESSON = "why-order"
CITED = {"101", "100"}


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    assert 3.5e6 < factorial(10) < 3.7e6
    return {
        "shuffled-sentence": ["more than three and a half million orders"],
        "causal-mask": [f"\\approx {1 / 100 - 1 / 101:.4f}"],
    }


SAID = said()
