"""Cases for the positions of a padded batch, smallest first.

A row without padding and a row of padding alone let most mistakes through. Padding between tokens
tells apart who counts columns, who counts from the first token, and who counts tokens. A row of
more than 128 tokens shows small types.

The pair differs in the mask alone, at the same shape: what is kept without looking at it is wrong.
"""

import numpy as np

from ordinal_exercise import Case


def rows(*texts):
    """Return a mask from rows such as "..###": a dot is padding."""
    return np.array([[mark == "#" for mark in text] for text in texts])


def draw(rng, low, high):
    """Return a mask of a drawn size, each row with its own share of tokens."""
    texts, columns = (int(size) for size in rng.integers(low, high, size=2))
    return rng.random((texts, columns)) < rng.uniform(0.2, 0.95, size=(texts, 1))


def cases(rng):
    for text in ("#", "##", "#.", ".#", "###", ".##", "#.#", "##."):
        yield Case(
            f"one row, {text.replace('.', '0').replace('#', '1')}", {"mask": rows(text)}, spare=True
        )
    for first, second in (("##", ".#"), (".##", "###"), ("#.#", ".##"), ("#..", "##.")):
        label = f"rows {first} and {second}".replace(".", "0").replace("#", "1")
        yield Case(label, {"mask": rows(first, second)}, spare=True)
    yield Case("padding on the left", {"mask": rows("..###", "#####")}, shown=True, pair="mask")
    yield Case("the example", {"mask": rows("..###", "##.#.")}, shown=True, pair="mask")
    yield Case(
        "padding on the right", {"mask": rows("###...", "######")}, shown=True, identify=True
    )
    yield Case(
        "padding on both sides and between", {"mask": rows("..##.#.", ".###...", "##...##")},
        shown=True, identify=True,
    )  # fmt: skip
    yield Case("a row of padding alone", {"mask": rows("....", ".##.")}, shown=True)
    yield Case(
        "mask unchanged",
        {"mask": rows(".#.##", "##.#.")},
        probe="input_unchanged",
        identify=True,
        clause="1c",
    )
    yield Case("one text", {"mask": rows(".##.#.#")})
    long = np.ones((2, 300), dtype=bool)
    long[0, :20] = False
    yield Case("300 columns", {"mask": long}, identify=True)
    yield Case("drawn: a few texts", {"mask": draw(rng, 2, 12)})
    yield Case("drawn: many texts", {"mask": draw(rng, 20, 150)})
    for columns in (64, 512):
        mask = np.arange(columns) >= np.arange(0, columns, 8)[:8, None]
        yield Case(f"8 texts of {columns} columns", {"mask": mask}, probe="time")
