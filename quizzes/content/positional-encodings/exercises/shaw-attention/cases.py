"""Cases for Shaw's attention, smallest first.

Tables of zeros, a clip distance of 0 and as many keys as queries each hide something. Two identify
cases need no clipping, so that code which fails without it can be told; two do, with more keys than
queries and the other way round.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

import numpy as np

from ordinal_exercise import Case


def draw(rng, batch, heads, n_queries, n_keys, head_dim, clip):
    def normal(*shape):
        return rng.standard_normal(shape).round(3)

    return {
        "q": normal(batch, heads, n_queries, head_dim),
        "k": normal(batch, heads, n_keys, head_dim),
        "v": normal(batch, heads, n_keys, head_dim),
        "key_table": normal(2 * clip + 1, head_dim),
        "value_table": normal(2 * clip + 1, head_dim),
    }


def cases(rng):
    fixed = np.random.default_rng(7)
    zeros, values = np.zeros((1, 1, 3, 2)), np.array([[[[3.0, 0.0], [0.0, 3.0], [3.0, 3.0]]]])
    nothing, earlier = np.zeros((3, 2)), np.array([[0.6, 0.0], [0.0, 0.0], [0.0, 0.0]])
    example = {"q": zeros, "k": zeros, "v": values, "key_table": nothing}
    yield Case("the example, no tables", {**example, "value_table": nothing}, shown=True)
    yield Case("the example", {**example, "value_table": earlier}, shown=True)
    yield Case("one query, two keys, one number", draw(fixed, 1, 1, 1, 2, 1, 1), spare=True)
    yield Case("two queries, one key, one number", draw(fixed, 1, 1, 2, 1, 1, 1), spare=True)
    two = draw(fixed, 1, 1, 2, 2, 2, 1)
    yield Case("two tokens", two, shown=True, identify=True, pair="q")
    yield Case("two tokens, other q", {**two, "q": two["k"]}, shown=True, pair="q")
    own = np.random.default_rng(8)
    for label, sizes in (
        ("one query, five keys, two clipped", (1, 1, 1, 5, 1, 2)),
        ("six queries, one number", (1, 1, 6, 2, 1, 1)),
        ("two queries, eight keys, clip distance 3", (1, 1, 2, 8, 1, 3)),
        ("two heads", (1, 2, 2, 2, 2, 1)),
        ("five numbers", (1, 1, 2, 3, 5, 1)),
        ("two sequences, three heads", (2, 3, 2, 2, 2, 1)),
    ):
        yield Case(label, draw(own, *sizes), spare=True)
    unclipped = draw(fixed, 1, 1, 2, 3, 3, 2)
    yield Case("nothing to clip", unclipped, identify=True, pair="v")
    yield Case("nothing to clip, other v", {**unclipped, "v": unclipped["k"]}, pair="v")
    keys = draw(fixed, 1, 2, 3, 5, 4, 2)
    yield Case("more keys", keys, shown=True, identify=True, pair="k")
    yield Case("more keys, other k", {**keys, "k": keys["v"]}, shown=True, pair="k")
    queries = draw(fixed, 2, 1, 5, 3, 3, 1)
    other = {**queries, "key_table": queries["value_table"]}
    yield Case("more queries", queries, identify=True, pair="key_table")
    yield Case("more queries, other key_table", other, pair="key_table")
    other = {**other, "value_table": queries["key_table"]}
    yield Case("more queries, tables exchanged", other, pair="value_table")
    yield Case(
        "more queries, other value_table",
        {**other, "value_table": other["value_table"][::-1].copy()},
        pair="value_table",
    )
    alone = draw(np.random.default_rng(9), 1, 2, 3, 5, 4, 2)
    for table, label in (("key_table", "no key vectors"), ("value_table", "no value vectors")):
        yield Case(label, {**alone, table: np.zeros((5, 4))}, identify=True)
    yield Case("clip distance 0", draw(fixed, 1, 1, 3, 3, 2, 0))
    yield Case("drawn: self-attention", draw(rng, 2, 3, 8, 8, 6, 3))
    yield Case(
        "drawn: more keys",
        draw(rng, 2, 3, int(rng.integers(3, 7)), int(rng.integers(8, 14)), 5, 2),
    )
    for length in (8, 32):
        yield Case(f"{length} tokens", draw(fixed, 1, 2, length, length, 16, 4), probe="time")
