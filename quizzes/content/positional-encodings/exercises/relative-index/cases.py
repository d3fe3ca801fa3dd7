"""Cases for the rows of relative positions, smallest first.

A clip distance of 0 or beyond every distance hides most mistakes, and as many keys as queries hides
the axes. 3 queries and 6 keys let nothing through but small types, for which rows go beyond 127.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

from ordinal_exercise import Case


def cases(rng):
    yield Case("one query, one key", {"Lq": 1, "Lk": 1, "k": 2})
    for queries, keys in ((1, 2), (2, 1), (2, 2), (1, 3), (3, 1)):
        for k in (1, 2):
            label = f"{queries} by {keys}, clip distance {k}"
            yield Case(label, {"Lq": queries, "Lk": keys, "k": k}, spare=True)
    yield Case("as many queries as keys", {"Lq": 4, "Lk": 4, "k": 2}, shown=True)
    yield Case("the example", {"Lq": 3, "Lk": 5, "k": 2}, shown=True, pair="Lk")
    yield Case("two keys more", {"Lq": 3, "Lk": 7, "k": 2}, shown=True, pair="Lk")
    yield Case("more keys", {"Lq": 3, "Lk": 6, "k": 2}, identify=True, pair="Lq")
    yield Case("more keys, two queries more", {"Lq": 5, "Lk": 6, "k": 2}, pair="Lq")
    yield Case("more queries", {"Lq": 6, "Lk": 3, "k": 1}, shown=True, identify=True, pair="k")
    yield Case("more queries, clip distance 3", {"Lq": 6, "Lk": 3, "k": 3}, shown=True, pair="k")
    yield Case("one query", {"Lq": 1, "Lk": 9, "k": 3})
    yield Case("clip distance 0", {"Lq": 5, "Lk": 5, "k": 0}, shown=True)
    yield Case("nothing to clip", {"Lq": 4, "Lk": 4, "k": 126}, identify=True)
    for queries, keys in ((9, 1), (3, 10), (10, 3)):
        label = f"{queries} by {keys}, clip distance 2"
        yield Case(label, {"Lq": queries, "Lk": keys, "k": 2}, spare=True)
    yield Case(
        "drawn: more keys",
        {
            "Lq": int(rng.integers(5, 30)),
            "Lk": int(rng.integers(30, 80)),
            "k": int(rng.integers(2, 26)),
        },
    )
    yield Case(
        "drawn: more queries",
        {
            "Lq": int(rng.integers(30, 80)),
            "Lk": int(rng.integers(5, 30)),
            "k": int(rng.integers(2, 26)),
        },
    )
    for length in (32, 128):
        yield Case(f"{length} tokens", {"Lq": length, "Lk": length, "k": 16}, probe="time")
