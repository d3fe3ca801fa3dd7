"""Cases for the mask of a sliding window, smallest first.

With as many queries as keys nobody sees where the queries stand, and a window as wide as the text
hides nothing that is not hidden already. Two queries after a cache of three keys catch nearly all
mistakes. A window as wide as the text shows who then forgets that later keys are hidden.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

from ordinal_exercise import Case


def size(queries, keys, window):
    return {"Lq": queries, "Lk": keys, "window": window}


SPARE = (
    *((1, 1, 1), (1, 2, 1), (1, 2, 2), (2, 2, 1), (2, 2, 2), (2, 2, 3), (1, 3, 2), (2, 3, 1)),
    *((2, 3, 2), (3, 3, 2), (1, 4, 2), (2, 4, 2), (3, 3, 3), (2, 4, 3)),
)


def cases(rng):
    for sizes in SPARE:
        label = "Lq={}, Lk={}, window={}".format(*sizes)
        yield Case(label, size(*sizes), spare=True)
    yield Case("2 queries, 5 keys, window 3", size(2, 5, 3), shown=True, identify=True)
    yield Case("the example", size(3, 6, 3), shown=True, identify=True, pair="Lq")
    yield Case("one query less", size(2, 6, 3), shown=True, pair="Lq")
    yield Case("a window of 2", size(3, 6, 2), shown=True, identify=True, pair="window")
    yield Case("a window of 4", size(3, 6, 4), shown=True, identify=True, pair="window")
    yield Case("a window as wide as the text", size(3, 5, 5), shown=True, identify=True)
    yield Case("no cache", size(6, 6, 3), shown=True, identify=True, pair="Lk")
    yield Case("a cache of 4", size(6, 10, 3), shown=True, identify=True, pair="Lk")
    for name, fewest in (("a few queries", 2), ("many queries", 20)):
        queries = int(rng.integers(fewest, 3 * fewest + 8))
        keys = queries + int(rng.integers(4, 60))
        window = int(rng.integers(3, keys // 2 + 2))
        yield Case(f"drawn: {name}", size(queries, keys, window))
    for keys in (64, 512):
        yield Case(f"{keys} keys", size(keys, keys, keys // 4), probe="time")
