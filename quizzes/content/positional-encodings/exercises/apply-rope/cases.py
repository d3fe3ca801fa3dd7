"""Cases for apply_rope, smallest first.

Position 0 turns nothing and lets most mistakes through. With D = 2 there is one pair, so all pairings
and mixtures of them are the same: only code that broadcasts cos against x is told there. Heads
and tokens differ in number, but for one case in which they do not.

Each pair differs in one argument alone: what is kept without looking at it is wrong there. cos and
sin change their sign, so that they stay those of an angle, which right code may compute.
"""

import numpy as np

from ordinal_exercise import Case


def arguments(x, base=10000.0):
    """x with the cos and sin of its positions, in its dtype."""
    length, size = x.shape[-2:]
    angles = np.arange(length)[:, None] * base ** (-np.arange(0, size, 2) / size)
    return {"x": x, "cos": np.cos(angles).astype(x.dtype), "sin": np.sin(angles).astype(x.dtype)}


def quarter_turns(x):
    """x in float16 with turns of 0, 90, 180 ... degrees: their results need no rounding."""
    length, size = x.shape[-2:]
    turns = (np.arange(length)[:, None] + np.arange(size // 2)) % 4
    cos, sin = np.array([1, 0, -1, 0], "f2")[turns], np.array([0, 1, 0, -1], "f2")[turns]
    return {"x": x.astype("f2"), "cos": cos, "sin": sin}


def numbers(*shape, dtype="f4"):
    """The same numbers every time, to one decimal."""
    return np.random.default_rng(sum(shape)).normal(size=shape).round(1).astype(dtype) + 0


def smaller(*shape, dtype="f4"):
    """Tried when a larger input has failed."""
    x = np.arange(1, np.prod(shape) + 1, dtype=dtype).reshape(shape)
    return Case(f"{x.dtype} of shape {shape}", arguments(x), spare=True)


def cases(rng):
    yield smaller(1, 1, 1, 2)
    yield smaller(1, 1, 2, 2)
    yield Case("position 0", arguments(numbers(1, 1, 1, 4)), shown=True)
    yield Case("D = 2", arguments(numbers(1, 2, 3, 2)), shown=True, identify=True)
    yield Case("D = 2, two sequences", arguments(numbers(2, 1, 4, 2)), identify=True)
    yield Case(
        "the example", arguments(np.array([[[[1, 2, 3, 4], [1, 2, 3, 4]]]], "f4")), shown=True
    )
    yield smaller(1, 1, 2, 4, dtype="f8")
    yield smaller(1, 1, 2, 6)
    yield smaller(1, 2, 2, 4)
    yield smaller(2, 1, 2, 4)
    yield smaller(1, 1, 12, 2)
    yield smaller(1, 1, 2, 12)
    unit = arguments(np.eye(6, dtype="f8")[None, None])
    yield Case("unit vectors", unit, pair="sin")
    yield Case("unit vectors, turned back", {**unit, "sin": -unit["sin"]}, pair="sin")
    yield smaller(2, 3, 2, 4)
    yield smaller(2, 2, 2, 6)
    x = numbers(2, 3, 5, 8)
    yield Case("two sequences, three heads", arguments(x), shown=True, identify=True, pair="x")
    yield Case("two sequences, other x", arguments(x[::-1].copy()), shown=True, pair="x")
    four = arguments(numbers(1, 4, 4, 6))
    yield Case("as many heads as tokens", four, identify=True, pair="cos")
    yield Case("as many heads, cos negative", {**four, "cos": -four["cos"]}, pair="cos")
    yield Case(
        "lengths",
        arguments(numbers(2, 2, 6, 8, dtype="f8")),
        probe="norm_change",
        shown=True,
    )
    yield Case(
        "scores and distance",
        arguments(numbers(1, 2, 7, 8, dtype="f8")),
        probe="relative_scores",
        shown=True,
        identify=True,
    )
    yield Case(
        "x stays as it was",
        arguments(numbers(1, 2, 5, 4)),
        probe="input_unchanged",
        clause="1c",
        shown=True,
    )
    yield Case("float16", quarter_turns(numbers(1, 2, 4, 4)))
    length, pairs = int(rng.integers(8, 30)), int(rng.integers(3, 20))
    x = rng.normal(size=(2, 3, length, 2 * pairs)).astype("f4")
    yield Case("drawn: a base of its own", arguments(x, float(rng.uniform(100, 90000))))
    yield Case("drawn: float64", arguments(rng.normal(size=(1, 2, length, 16))))
    yield Case("40 tokens", arguments(numbers(1, 2, 40, 64)))
    for heads, length in ((1, 16), (2, 64), (4, 128)):
        x = np.ones((1, heads, length, 64), "f4")
        yield Case(f"{heads} heads, {length} tokens", arguments(x), probe="time")
