"""Cases for the sinusoidal table, smallest first.

One position, or one pair, lets half of the known mistakes through, so they never stand alone. The
two identify cases together tell all known mistakes apart: one with the default base, one without.

Each pair differs in one argument alone: a table that is kept without looking at it is wrong there.
"""

from ordinal_exercise import Case


def smaller(**kwargs):
    """Tried when a larger input has failed."""
    return Case(", ".join(f"{name}={value}" for name, value in kwargs.items()), kwargs, spare=True)


def cases(rng):
    yield Case("one position", {"n": 1, "d": 4}, shown=True)
    yield smaller(n=2, d=2)
    yield Case("one pair", {"n": 4, "d": 2})
    yield smaller(n=2, d=4)
    yield Case("the example", {"n": 3, "d": 4}, shown=True, pair="n")
    yield smaller(n=4, d=4)
    yield Case("two positions more", {"n": 5, "d": 4}, pair="n")
    yield smaller(n=1, d=3)
    yield smaller(n=2, d=3)
    yield Case("odd d", {"n": 5, "d": 7}, shown=True, pair="d")
    yield Case("one column more", {"n": 5, "d": 8}, shown=True, pair="d")
    yield smaller(n=2, d=6)
    yield Case("three pairs", {"n": 7, "d": 6}, identify=True)
    yield smaller(n=2, d=4, base=100.0)
    yield smaller(n=2, d=8, base=100.0)
    hundred = {"n": 9, "d": 8, "base": 100.0}
    yield Case("base 100", hundred, shown=True, identify=True, pair="base")
    yield Case("base 500", {**hundred, "base": 500.0}, shown=True, pair="base")
    yield Case("nine columns", {"n": 6, "d": 9}, identify=True)
    yield Case("eleven columns, base 50", {"n": 7, "d": 11, "base": 50.0}, identify=True)
    for n, d in ((12, 2), (2, 12), (2, 31), (32, 2), (200, 2), (200, 4)):
        yield smaller(n=n, d=d)
    yield Case(
        "20 positions, no two rows alike", {"n": 20, "d": 10}, probe="rows_unique", shown=True
    )
    yield Case(
        "drawn: a base of its own",
        {
            "n": int(rng.integers(12, 30)),
            "d": 2 * int(rng.integers(5, 12)),
            "base": round(float(rng.uniform(50, 5000)), 1),
        },
    )
    yield Case(
        "drawn: odd d", {"n": int(rng.integers(20, 40)), "d": 2 * int(rng.integers(8, 20)) + 1}
    )
    yield Case("n = d", {"n": 24, "d": 24})
    yield Case("200 positions", {"n": 200, "d": 64})
    yield Case("how fast 200 positions are", {"n": 200, "d": 128}, probe="time")
