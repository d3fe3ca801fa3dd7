"""Cases for half-split RoPE, smallest first.

With two dimensions all pairings are the same pair, so these never stand alone; they are there for code
that multiplies (L, D/2) with (L, D), which runs only then. Position 0 turns nothing.

Each pair differs in one argument alone: what is kept without looking at it is wrong there. cos and
sin change their sign, so that they stay those of an angle, which right code may compute.
"""

import numpy as np

from ordinal_exercise import Case


def angles(length, head_dim, base=10000.0, start=0):
    turns = (np.arange(length) + start)[:, None] * base ** (-np.arange(0, head_dim, 2) / head_dim)
    return {"cos": np.cos(turns).astype("f4"), "sin": np.sin(turns).astype("f4")}


def vectors(rng, *shape):
    return {"x": rng.normal(size=shape).round(2).astype("f4")}


def in_float16(x):
    """x with turns of 0, 90, 180 ... degrees: their results need no rounding."""
    length, head_dim = x.shape[-2:]
    turns = (np.arange(length)[:, None] + np.arange(head_dim // 2)) % 4
    cos, sin = np.array([1, 0, -1, 0], "f2")[turns], np.array([0, 1, 0, -1], "f2")[turns]
    return {"x": x.astype("f2"), "cos": cos, "sin": sin}


def in_float64(arrays):
    return {name: value.astype("f8") for name, value in arrays.items()}


def cases(rng):
    fixed = np.random.default_rng(5)
    yield Case(
        "one pair, one position",
        {**vectors(fixed, 1, 1, 1, 2), **angles(1, 2, start=1)},
        spare=True,
    )
    yield Case("one pair, two heads", {**vectors(fixed, 1, 2, 2, 2), **angles(2, 2)}, spare=True)
    quarter = {"cos": np.array([[0.0, 0.6]], "f4"), "sin": np.array([[1.0, 0.8]], "f4")}
    yield Case("the example", {"x": np.array([[[[1, 2, 0, 0]]]], "f4"), **quarter}, shown=True)
    yield Case("one pair", {**vectors(fixed, 1, 2, 4, 2), **angles(4, 2)}, identify=True)
    yield Case(
        "one pair, 5 positions", {**vectors(fixed, 2, 1, 5, 2), **angles(5, 2)}, identify=True
    )
    yield Case("position 0", {**vectors(fixed, 1, 2, 1, 8), **angles(1, 8)})
    own = np.random.default_rng(6)
    two = {**vectors(fixed, 1, 2, 3, 4), **angles(3, 4)}
    yield Case("two pairs", two, shown=True, identify=True, pair="x")
    yield Case("two pairs, other x", {**two, **vectors(own, 1, 2, 3, 4)}, shown=True, pair="x")
    tokens, batches = ((1, 1, 2, 6), (1, 1, 12, 2), (1, 1, 2, 12)), ((2, 3, 2, 4), (2, 2, 2, 6))
    for shape in (*tokens, (2, 1, 2, 4), *batches):
        x = vectors(np.random.default_rng(sum(shape)), *shape)
        yield Case(f"x of shape {shape}", {**x, **angles(*shape[2:])}, spare=True)
    unit = np.eye(8, dtype="f4")[None, None]
    yield Case("unit vectors", {"x": unit, **angles(8, 8)}, shown=True)
    three = {**vectors(fixed, 2, 3, 7, 8), **angles(7, 8)}
    yield Case("3 heads, 7 positions", three, shown=True, identify=True, pair="cos")
    yield Case("3 heads, cos negative", {**three, "cos": -three["cos"]}, pair="cos")
    seven = {**vectors(fixed, 1, 7, 7, 8), **angles(7, 8)}
    yield Case("as many heads as positions", seven, pair="sin")
    yield Case("as many heads, turned back", {**seven, "sin": -seven["sin"]}, pair="sin")
    tiny = {**vectors(np.random.default_rng(8), 1, 1, 2, 4), **angles(2, 4)}
    yield Case("float64, two pairs", in_float64(tiny), spare=True)
    yield Case("float64", in_float64({**vectors(fixed, 1, 2, 5, 6), **angles(5, 6)}))
    yield Case("float16", in_float16(vectors(fixed, 1, 2, 4, 4)["x"]), shown=True)
    twelve = {**vectors(fixed, 1, 2, 12, 8), **angles(12, 8, base=100.0)}
    yield Case("lengths", twelve, probe="norm_change", shown=True)
    yield Case("scores", twelve, probe="relative_scores", shown=True)
    length, head_dim = int(rng.integers(9, 30)), 2 * int(rng.integers(5, 16))
    yield Case(
        "drawn: a size of its own",
        {
            **vectors(rng, 2, 3, length, head_dim),
            **angles(
                length, head_dim, base=float(rng.integers(50, 5000)), start=int(rng.integers(40))
            ),
        },
    )
    yield Case("40 positions, 64 dimensions", {**vectors(rng, 1, 2, 40, 64), **angles(40, 64)})
    for positions in (32, 256):
        yield Case(
            f"{positions} positions",
            {**vectors(fixed, 1, 2, positions, 32), **angles(positions, 32)},
            probe="time",
        )
