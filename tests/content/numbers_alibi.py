"""The numbers of the lesson "ALiBi"."""

import math

LESSON = "alibi"
# Sizes of examples; lengths and the size of a model in the paper.
CITED = {"1024", "2048", "1023", "2000", "1000", "5000", "256", "1.3"}


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    assert round(math.exp(10), -3) == 22_000
    assert math.isclose(5 / 0.5, 10)
    return {
        "penalty": ["a score\nthat is higher by 5 makes up for ten tokens at this slope"],
        "reach": ["about 22\u202f000"],
    }


SAID = said()
