"""Cases for packed documents, smallest first.

A single document lets most mistakes through. A number that comes again tells apart who looks at
numbers and who looks at changes, falling numbers who expects them to grow, and documents of one
token who looks for positions that fall. A document of more than 128 tokens shows small types.

The pair differs in the documents alone, at the same length: what is kept without looking is wrong.
"""

import numpy as np

from ordinal_exercise import Case


def row(*numbers):
    return {"documents": np.array(numbers, dtype=np.int64)}


def draw(rng, most, longest):
    """Return documents of drawn lengths and numbers; some numbers come again."""
    lengths = rng.integers(1, longest, size=int(rng.integers(3, most)))
    numbers = rng.integers(-(10**9), 10**9, size=len(lengths))
    again = rng.random(len(lengths)) < 0.3
    numbers[2:] = np.where(again[2:], numbers[:-2], numbers[2:])
    return {"documents": np.repeat(numbers, lengths)}


def cases(rng):
    for text in ("0 0", "0 1", "1 0", "5 5 5", "0 0 1", "0 1 1", "1 0 0", "0 1 0"):
        yield Case(f"documents {text}", row(*map(int, text.split())), spare=True)
    yield Case("two documents", row(0, 0, 0, 1, 1), shown=True, pair="documents")
    yield Case("the example", row(7, 7, 2, 2, 7), shown=True, identify=True, pair="documents")
    yield Case("documents of one token", row(1, 2, 3, 3, 4, 5), shown=True, identify=True)
    yield Case("falling numbers", row(9, 9, 9, 4, 4, -1, -1, -1), shown=True, identify=True)
    yield Case("numbers that come again", row(0, 0, 1, 1, 1, 0, 0, 0, 1), identify=True)
    yield Case("one document", row(4, 4, 4, 4))  # nothing begins after the first token
    yield Case(
        "documents unchanged", row(2, 2, 2, 0, 0, 1), probe="input_unchanged", identify=True,
        clause="1c",
    )  # fmt: skip
    long = np.repeat(np.array([1, 0]), (200, 40))
    yield Case("a document of 200 tokens", {"documents": long}, identify=True)
    yield Case("drawn: a few documents", draw(rng, 6, 5))
    yield Case("drawn: many documents", draw(rng, 14, 16))
    for length in (1, 16, 256):
        yield Case(f"L={length}", {"documents": np.arange(length) // 7}, probe="time")
