"""The numbers of the lesson "The relative-position property"."""

import math

LESSON = "relative-shift"
# Sizes of examples and places in a text.
CITED = {"900", "512", "100", "1000", "5000", "200", "2000", "5.66", "10\u202f000", "100\u202f000"}
CITED |= {"128"}


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    assert abs(710 - 113 * 2 * math.pi) < 1e-4
    assert f"{math.sqrt(32):.2f}" == "5.66"
    return {"uniqueness": ["because $710 \\approx 113\\cdot 2\\pi$"]}


SAID = said()
