"""Cases for one head of attention, smallest first.

D = 4 and Dv = 3, so that a square root of the wrong number shows, and five tokens, so that no two
sizes agree. Two identify cases have no leading axes: code that turns all axes around is right there.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

import numpy as np

from ordinal_exercise import Case


def draw(rng, leading, queries, keys, D, Dv):
    def normal(*shape):
        return rng.standard_normal((*leading, *shape)).round(3)

    return {"q": normal(queries, D), "k": normal(keys, D), "v": normal(keys, Dv)}


def cases(rng):
    fixed = np.random.default_rng(5)
    example = {
        "q": np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 0.0]]),
        "k": np.array([[1.0, 0.0], [0.0, 1.0], [3.0, 0.0]]),
        "v": np.array([[10.0], [20.0], [40.0]]),
    }
    own = np.random.default_rng(6)
    one = draw(own, (), 1, 2, 2, 1)
    yield Case("one query, two keys", one, spare=True)
    yield Case("two queries, one key", draw(own, (), 2, 1, 2, 1), spare=True)
    two = draw(own, (), 2, 2, 2, 1)
    yield Case("two tokens", two, spare=True)
    yield Case("two tokens, causal", {**two, "causal": True}, spare=True)
    yield Case("the example", example, shown=True)
    yield Case("the example, causal", {**example, "causal": True}, shown=True)
    yield Case("one query, two wide keys", draw(own, (), 1, 2, 4, 3), spare=True)
    yield Case("two heads of two tokens", draw(own, (2,), 2, 2, 2, 1), spare=True)
    both = {**draw(own, (2,), 2, 2, 2, 2), "causal": True}
    yield Case("two heads of two tokens, causal", both, spare=True)
    far = {"q": np.array([[60.0]]), "k": np.array([[60.0], [59.0]]), "v": np.array([[1.0], [2.0]])}
    yield Case("one large query, two keys", far, spare=True)
    plain = draw(fixed, (), 5, 5, 4, 3)
    yield Case("five tokens", {**plain, "causal": False}, identify=True, pair="causal")
    masked = {**plain, "causal": True}
    yield Case("five tokens, causal", masked, shown=True, identify=True, pair="causal")
    more = draw(fixed, (), 3, 7, 9, 2)
    yield Case("three queries, seven keys", more, shown=True, identify=True, pair="q")
    yield Case("three other queries", {**more, "q": -more["q"]}, shown=True, pair="q")
    heads = {**draw(fixed, (2,), 4, 4, 3, 5), "causal": True}
    yield Case("two heads, causal", heads, shown=True, identify=True, pair="k")
    yield Case("two heads, causal, other keys", {**heads, "k": heads["q"]}, pair="k")
    batch = draw(fixed, (2, 3), 4, 6, 5, 2)
    yield Case("two texts, three heads", batch, identify=True, pair="v")
    yield Case("two texts, three heads, other values", {**batch, "v": -batch["v"]}, pair="v")
    three = {**draw(own, (2, 1, 3), 3, 3, 4, 2), "causal": True}
    yield Case("three axes before the last two, causal", three, identify=True)
    large = draw(fixed, (), 4, 4, 4, 2)
    large = {**large, "q": 100 * large["q"].round(1), "k": 100 * large["k"].round(1)}
    yield Case("large scores", large, identify=True)
    yield Case("large scores, causal", {**large, "causal": True}, identify=True)
    yield Case("later tokens", heads, probe="causal", shown=True)
    length = int(rng.integers(6, 12))
    drawn = {**draw(rng, (2, 2), length, length, 6, 7), "causal": True}
    yield Case("drawn: causal", drawn)
    yield Case("drawn: more keys", draw(rng, (3,), length, length + 4, 5, 3))
    yield Case("drawn: later tokens", drawn, probe="causal")
    for length in (16, 128):
        yield Case(f"{length} tokens", draw(fixed, (4,), length, length, 16, 16), probe="time")
