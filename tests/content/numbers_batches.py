"""The numbers of the lesson "Positions in a batch"."""

from itertools import accumulate

LESSON = "batches"
# Versions of libraries, and numbers of issues and months in reports.
CITED = {"5.24", "4.53", "2025", "2026"}


def positions(mask: str) -> list[int]:
    """Return the position of each token of a row such as "0011", counted one by one."""
    return [
        count - 1
        for count, mark in zip(accumulate(map(int, mask)), mask, strict=True)
        if mark == "1"
    ]


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    texts = (6, 4, 2)
    starts = [max(texts) - text for text in texts]
    wrong = sum(text for text, start in zip(texts, starts, strict=True) if start)
    assert wrong == 6
    places, tokens = len(texts) * max(texts), sum(texts)
    first, last = starts[2], max(texts) - 1
    assert positions("000011") == [0, 1]
    return {
        "padding": [
            f"the tokens of text 2 are in columns {first} and {last}, with padding on the right in"
            " columns 0 and 1.",
            f"Their first tokens are in columns {starts[1]} and {starts[2]}.",
        ],
        "writing": [
            f"They are {texts[0]}, {texts[1]} and {texts[2]}: the number of tokens",
            f"All three are in column {max(texts)},",
            f"its new query gets position {max(texts)} instead of {texts[2]}.",
            f"seems to be {max(texts) - texts[2]} tokens further away",
        ],
        "packing": [
            f"of the {places} places of three texts with {texts[0]}, {texts[1]} and {texts[2]}"
            f" tokens, {places - tokens} are padding",
        ],
        "packing-in-code": ["0, 3, 5 for 3 and 2 tokens"],
    }


SAID = said()
