"""Cases for ALiBi's slopes, smallest first.

For 8 heads many wrong rules agree with the right one, and for every power of two most of them do.
12 and 20 heads tell all known mistakes apart.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

from ordinal_exercise import Case


def cases(rng):
    yield Case("one head", {"n_heads": 1})
    yield Case("2 heads", {"n_heads": 2}, spare=True)
    yield Case("3 heads", {"n_heads": 3})
    yield Case("4 heads", {"n_heads": 4}, shown=True)
    yield Case("6 heads", {"n_heads": 6}, shown=True, pair="n_heads")
    yield Case("8 heads", {"n_heads": 8}, shown=True)
    yield Case("12 heads", {"n_heads": 12}, shown=True, identify=True, pair="n_heads")
    yield Case("16 heads", {"n_heads": 16})
    yield Case("20 heads", {"n_heads": 20}, identify=True)
    yield Case("33 heads", {"n_heads": 33}, spare=True)
    yield Case("drawn: no power of two", {"n_heads": int(rng.integers(33, 63))})
    yield Case("65 heads", {"n_heads": 65}, spare=True)
    yield Case("drawn: many heads", {"n_heads": int(rng.integers(65, 127))})
    # From few numbers of heads a table of all answers can be made, so that one is drawn from many.
    yield Case("drawn: thousands of heads", {"n_heads": int(rng.integers(129, 24_000))})
    for n_heads in (1024, 8192):
        yield Case(f"{n_heads} heads", {"n_heads": n_heads}, probe="time")
