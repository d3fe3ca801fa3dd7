"""The numbers of the lesson "Myths and bugs"."""

import math

LESSON = "myths"
# Sizes of examples and places in a text.
CITED = {"512", "1000", "100", "510", "200", "5000", "2000", "128", "2048", "2049", "10000"}
CITED |= {"100\u202f000", "10\u202f000", "2023"}


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    code, word = math.sqrt(512 / 2), 0.02 * math.sqrt(512)
    without_pi = 2 * 10 ** (12 / 25)
    assert math.isclose(without_pi * math.pi, 2 * math.pi * 10_000 ** (2 * 3 / 50))
    return {
        "order-and-sets": [f"the code is {code / word:.0f} times as long as the word"],
        "waves-and-bases": [f"is {without_pi:.2f}: the"],
    }


SAID = said()
