"""Cases for the frequencies, smallest first.

A single pair gives 1 for nearly every formula, so it never stands alone. The two identify cases
have a base of their own and a number of pairs that is no power of two.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

from ordinal_exercise import Case


def cases(rng):
    yield Case("one pair", {"d": 2})
    for d in (3, 4):
        yield Case(f"{d} columns, base 100", {"d": d, "base": 100.0}, spare=True)
    yield Case("the example", {"d": 8}, shown=True)
    yield Case("odd d", {"d": 5, "base": 100.0}, shown=True, pair="d")
    yield Case("odd d, two pairs more", {"d": 9, "base": 100.0}, shown=True, pair="d")
    yield Case("base 500", {"d": 16, "base": 500.0}, shown=True, identify=True, pair="base")
    yield Case("base 700", {"d": 16, "base": 700.0}, shown=True, pair="base")
    yield Case("17 columns", {"d": 17}, identify=True)
    yield Case("19 columns, base 500", {"d": 19, "base": 500.0}, identify=True)
    yield Case("25 pairs", {"d": 50}, identify=True)
    yield Case(
        "drawn: a base of its own",
        {"d": 2 * int(rng.integers(10, 40)), "base": round(float(rng.uniform(50, 5000)), 1)},
    )
    yield Case("drawn: odd d", {"d": 2 * int(rng.integers(10, 40)) + 1})
    yield Case("128 columns", {"d": 128}, spare=True)
    yield Case("512 columns", {"d": 512})
    for d in (1024, 16_384):
        yield Case(f"{d} columns", {"d": d}, probe="time")
