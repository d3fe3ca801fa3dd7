"""Cases for attention with hooks, smallest first.

Each encoding uses other hooks, so each has an identify case; one of them is causal. One head hides
how heads are split, and as many heads as tokens would hide their axis. ALiBi has a power of two of
heads: for these, code that was begun with another rule for its slopes is right as well.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

import numpy as np

from ordinal_exercise import Case

NAMES = ("none", "sinusoidal", "rope", "alibi", "shaw", "mixed")  # the last is of below.py


def draw(rng, batch, length, d_model, n_heads):
    weights = {
        name: rng.standard_normal((d_model, d_model)).round(3) for name in ("w_q", "w_k", "w_v")
    }
    x = rng.standard_normal((batch, length, d_model)).round(3)
    return {"x": x, **weights, "n_heads": n_heads}


def cases(rng):
    fixed = np.random.default_rng(3)
    x, one = np.array([[[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]]), np.eye(2)
    example = {"x": x, "w_q": one, "w_k": one, "w_v": one, "n_heads": 1}
    yield Case("the example", {**example, "encoding": "none"}, shown=True)
    yield Case("the example, rope", {**example, "encoding": "rope"}, shown=True)
    tiny = draw(fixed, 1, 2, 2, 1)
    for name in NAMES:
        yield Case(f"two tokens, {name}", {**tiny, "encoding": name}, spare=True)
    small = draw(fixed, 1, 3, 4, 1)
    one_head = {**small, "encoding": "none", "causal": True}
    yield Case("one head, causal", one_head, shown=True, pair="n_heads")
    yield Case("two heads, causal", {**one_head, "n_heads": 2}, shown=True, pair="n_heads")
    halves = draw(np.random.default_rng(5), 1, 2, 4, 2)
    for name in NAMES:
        yield Case(f"two tokens, two heads, {name}", {**halves, "encoding": name}, spare=True)
    own = np.random.default_rng(6)
    for name in NAMES[1:]:
        given = {**draw(own, 1, 3, 2, 1), "encoding": name, "causal": True}
        yield Case(f"three tokens, {name}, causal", given, spare=True)
    six, four = draw(own, 1, 6, 2, 1), draw(own, 1, 2, 8, 4)
    yield Case("six tokens, shaw", {**six, "encoding": "shaw"}, spare=True)
    yield Case("two tokens, four heads, alibi", {**four, "encoding": "alibi"}, spare=True)
    wide, both = draw(own, 1, 2, 8, 2), draw(own, 2, 3, 4, 2)
    yield Case("two tokens, two wide heads, rope", {**wide, "encoding": "rope"}, spare=True)
    yield Case("two sequences, none", {**both, "encoding": "none"}, spare=True)
    given = {**both, "encoding": "none", "causal": True}
    yield Case("two sequences, none, causal", given, spare=True)
    medium, other = draw(fixed, 2, 5, 8, 2), draw(np.random.default_rng(7), 2, 5, 8, 2)
    pairs = ("x", "w_v", "encoding", "encoding", "w_q", None)
    for name, pair in zip(NAMES, pairs, strict=True):
        given = {**medium, "encoding": name}
        yield Case(f"two heads, {name}", given, shown=True, identify=True, pair=pair)
        if pair in other:
            yield Case(f"two heads, {name}, other {pair}", {**given, pair: other[pair]}, pair=pair)
    causal = {**draw(fixed, 1, 4, 12, 3), "causal": True}
    shaw = {**causal, "encoding": "shaw"}
    alibi = {**draw(np.random.default_rng(8), 1, 5, 12, 4), "encoding": "alibi", "causal": True}
    yield Case("three heads, shaw, causal", shaw, identify=True, pair="causal")
    yield Case("three heads, shaw", {**shaw, "causal": False}, pair="causal")
    yield Case("four heads, alibi, causal", alibi, pair="w_k")
    yield Case("four heads, alibi, other w_k", {**alibi, "w_k": -alibi["w_k"]}, pair="w_k")
    later = {**causal, "encoding": "rope"}
    yield Case("later tokens, rope, causal", later, probe="causal", shown=True)
    drawn = {**draw(rng, 1, int(rng.integers(6, 10)), 12, 2), "causal": True}
    yield Case(
        "drawn: later tokens", {**drawn, "encoding": rng.choice(NAMES).item()}, probe="causal"
    )
    for name in NAMES:
        drawn = draw(rng, 2, int(rng.integers(6, 10)), 12, 4 if name == "alibi" else 3)
        yield Case(f"drawn: {name}", {**drawn, "encoding": name, "causal": bool(rng.integers(2))})
    for length in (16, 64):
        large = {**draw(fixed, 1, length, 16, 2), "encoding": "shaw"}
        yield Case(f"{length} tokens, shaw", large, probe="time")
