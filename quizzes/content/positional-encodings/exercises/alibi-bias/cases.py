"""Cases for ALiBi's bias, smallest first.

With as many queries as keys nobody sees where the queries stand, and a single query hides the mask.
12 heads, 3 queries and 7 keys let nothing through. 6 heads are shown, so that Check looks at the
slopes of heads that are left over.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

from ordinal_exercise import Case


def cases(rng):
    yield Case("one query, one key", {"n_heads": 2, "Lq": 1, "Lk": 1})
    few = ((1, 1, 2), (1, 2, 2), (2, 1, 2), (1, 2, 3), (3, 1, 2))
    more = (
        (1, 1, 9),
        (6, 1, 2),
        (1, 4, 4),
        (3, 2, 3),
        (13, 1, 2),
        (1, 6, 9),
        (5, 3, 4),
        (10, 2, 3),
    )
    for n_heads, queries, keys in few:
        label = f"n_heads={n_heads}, Lq={queries}, Lk={keys}"
        yield Case(label, {"n_heads": n_heads, "Lq": queries, "Lk": keys}, spare=True)
    yield Case("the example", {"n_heads": 2, "Lq": 2, "Lk": 4}, shown=True)
    for n_heads, queries, keys in more:
        label = f"n_heads={n_heads}, Lq={queries}, Lk={keys}"
        yield Case(label, {"n_heads": n_heads, "Lq": queries, "Lk": keys}, spare=True)
    yield Case(
        "as many queries as keys",
        {"n_heads": 4, "Lq": 5, "Lk": 5},
        shown=True,
        identify=True,
        pair="Lq",
    )
    yield Case("two queries less", {"n_heads": 4, "Lq": 3, "Lk": 5}, shown=True, pair="Lq")
    yield Case("6 heads, 2 queries, 4 keys", {"n_heads": 6, "Lq": 2, "Lk": 4}, shown=True)
    yield Case("one query, with a cache", {"n_heads": 8, "Lq": 1, "Lk": 6}, shown=True)
    for keys in (6, 9):
        given = {"n_heads": 6, "Lq": 4, "Lk": keys}
        yield Case(f"6 heads, 4 queries, {keys} keys", given, pair="Lk")
    # Of two mistakes at once, each shows here alone: one in the slopes, or one in the rows.
    slopes, rows = {"n_heads": 6, "Lq": 4, "Lk": 4}, {"n_heads": 4, "Lq": 4, "Lk": 6}
    yield Case("6 heads, 4 queries, 4 keys", slopes, identify=True)
    yield Case("4 heads, 4 queries, 6 keys", rows, identify=True)
    twelve = {"n_heads": 12, "Lq": 3, "Lk": 7}
    yield Case("12 heads, 3 queries, 7 keys", twelve, identify=True, pair="n_heads")
    yield Case("6 heads, 3 queries, 7 keys", {**twelve, "n_heads": 6}, pair="n_heads")
    later = {"n_heads": 4, "Lq": 3, "Lk": 6}
    yield Case("the weight of later keys", later, probe="causal", clause="1a 2 4", shown=True)
    yield Case(
        "drawn: as many queries as keys",
        {
            "n_heads": int(rng.integers(5, 8)),
            "Lq": (length := int(rng.integers(8, 30))),
            "Lk": length,
        },
    )
    yield Case(
        "drawn: with a cache",
        {
            "n_heads": int(rng.integers(9, 48)),
            "Lq": (queries := int(rng.integers(2, 14))),
            "Lk": queries + int(rng.integers(5, 70)),
        },
    )
    for length in (16, 64):
        yield Case(f"{length} tokens", {"n_heads": 8, "Lq": length, "Lk": length}, probe="time")
