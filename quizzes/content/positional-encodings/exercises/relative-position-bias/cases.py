"""Cases for the relative bias, smallest first.

Small lengths need no clipping, and as many keys as queries hides the axes. How many numbers are trained
and which entries read each tells those apart whose numbers are right.

Each pair differs in one argument alone: what is kept without looking at it is wrong there. Gradients
are looked at in training mode, so one identify case is in it: zeros have no gradient either, and are
no detached table.
"""

from ordinal_exercise import Case


def call(label, n_queries, n_keys, num_heads, max_distance, **more):
    init = {"num_heads": num_heads, "max_distance": max_distance}
    more = {"probe": "call_eval", "fill": True, **more}
    return Case(label, {"Lq": n_queries, "Lk": n_keys}, init=init, **more)


def cases(rng):
    yield call("one query, one key", 1, 1, 1, 1, spare=True)
    yield call("one query, two keys, one head", 1, 2, 1, 1, spare=True)
    yield call("two queries, one key, one head", 2, 1, 1, 1, spare=True)
    yield call("one query, two keys, three heads", 1, 2, 3, 1, spare=True)
    yield call("two queries, one key, three heads", 2, 1, 3, 1, spare=True)
    yield call("two by two, in training", 2, 2, 3, 2, probe="call", shown=True, identify=True)
    yield call("the example", 2, 3, 2, 1, shown=True)
    yield call("three by three", 3, 3, 3, 2, identify=True, pair="max_distance")
    yield call("three by three, clip distance 1", 3, 3, 3, 1, pair="max_distance")
    yield call("one query, 12 keys, clip distance 3", 1, 12, 1, 3, spare=True)
    yield call("12 queries, one key", 12, 1, 1, 2, spare=True)
    yield call("four by four, one head", 4, 4, 1, 2, spare=True)
    yield call("more keys", 3, 6, 3, 2, shown=True, identify=True, pair="Lq")
    yield call("more keys, one query", 1, 6, 3, 2, shown=True, pair="Lq")
    yield call("more queries", 5, 3, 2, 1, pair="Lk")
    yield call("more queries, one key more", 5, 4, 2, 1, pair="Lk")
    yield call("seven by seven", 7, 7, 3, 2, shown=True, identify=True, pair="num_heads")
    yield call("seven by seven, one head", 7, 7, 1, 2, pair="num_heads")
    yield Case(
        "what is trained",
        init={"num_heads": 3, "max_distance": 2},
        probe="parameters",
        clause="3a 3c 3d 3e",
        shown=True,
        identify=True,
    )
    yield call(
        "which entries read each number",
        3,
        3,
        3,
        2,
        probe="grad_parameters",
        shown=True,
        identify=True,
    )
    moves = {"probe": "moves", "shown": True, "identify": True}
    init = {"num_heads": 3, "max_distance": 2}
    yield Case("what moves with the module", init=init, clause="6a", **moves)
    yield call("what moves once it was called", 3, 3, 3, 2, clause="6a 6b", **moves)
    yield call("scores by distance", 7, 9, 3, 3, probe="relative_scores", shown=True)
    drawn = [int(rng.integers(low, high)) for low, high in ((6, 12), (13, 20), (4, 7), (3, 5))]
    yield call("drawn: more keys, in training", *drawn, probe="call")
    yield call("drawn: more queries", drawn[1], drawn[0], *drawn[2:])
    for length in (32, 128):
        yield call(f"{length} tokens", length, length, 4, 16, probe="time")
