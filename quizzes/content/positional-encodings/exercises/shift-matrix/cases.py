"""Cases for the shift matrix, smallest first.

An offset of 0 gives the identity for nearly every formula, and one pair hides the layout, so they
never stand alone. Offsets that are small enough keep float32 right.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

from ordinal_exercise import Case


def cases(rng):
    yield Case("one pair", {"k": 1, "d": 2})
    yield Case("one pair, backwards", {"k": -1, "d": 2}, spare=True)
    for k in (0, 2, -7, 200):
        yield Case(f"one pair, k={k}", {"k": k, "d": 2}, spare=True)
    yield Case("two pairs, k=0", {"k": 0, "d": 4}, spare=True)
    yield Case("no offset", {"k": 0, "d": 6}, identify=True)
    yield Case("the example", {"k": 1, "d": 4}, shown=True, pair="k")
    yield Case("two positions further", {"k": 3, "d": 4}, shown=True, pair="k")
    for k in (-7, 200):
        yield Case(f"two pairs, k={k}", {"k": k, "d": 4}, spare=True)
    yield Case("two pairs, base 100", {"k": 1, "d": 4, "base": 100.0}, spare=True)
    yield Case("backwards", {"k": -3, "d": 6}, shown=True, identify=True, pair="d")
    yield Case("backwards, five pairs", {"k": -3, "d": 10}, pair="d")
    hundred = {"k": 2, "d": 8, "base": 100.0}
    yield Case("base 100", hundred, shown=True, identify=True, pair="base")
    yield Case("base 500", {**hundred, "base": 500.0}, shown=True, pair="base")
    yield Case("five pairs", {"k": 1, "d": 10}, spare=True)
    yield Case("lengths", {"k": 5, "d": 8}, probe="norm_change", shown=True)
    yield Case(
        "drawn: forwards",
        {
            "k": int(rng.integers(5, 60)),
            "d": 2 * int(rng.integers(3, 12)),
            "base": round(float(rng.uniform(50, 5000)), 1),
        },
    )
    yield Case(
        "drawn: backwards", {"k": -int(rng.integers(5, 60)), "d": 2 * int(rng.integers(3, 12))}
    )
    yield Case("200 positions, 64 columns", {"k": 200, "d": 64})
    for d in (64, 256):
        yield Case(f"{d} columns", {"k": 7, "d": d}, probe="time")
