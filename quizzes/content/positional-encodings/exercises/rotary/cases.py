"""Cases for the whole RoPE layer, smallest first.

Full width, no cache and as many key heads as query heads let half of the mistakes through. One token with a
cache and a partial width tells nearly all apart. With one head alone code that counts heads for tokens
returns something.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

import numpy as np

from ordinal_exercise import Case


def draw(rng, batch, q_heads, k_heads, length, head_dim):
    shapes = {"q": (batch, q_heads, length, head_dim), "k": (batch, k_heads, length, head_dim)}
    return {
        name: rng.normal(size=shape).round(2).clip(-4, 4).astype("f4")
        for name, shape in shapes.items()
    }


def in_float16(arrays):
    """Numbers of at most 0.02: the exercise's tolerance is ten times their rounding."""
    return {name: (value / 200).astype("f2") for name, value in arrays.items()}


def in_float64(arrays):
    return {name: value.astype("f8") for name, value in arrays.items()}


SMALLER = (  # label, sequences, query heads, key heads, tokens, head dimension; what else
    ("two tokens, four of six numbers, base 500, a cache of 12", (1, 1, 1, 2, 6),
     {"rotary_dim": 4, "base": 500.0, "offset": 12}),
    ("one token, two key heads for four, a cache of 2", (1, 4, 2, 1, 4),
     {"rotary_dim": 2, "offset": 2}),
    ("three tokens of six numbers", (1, 1, 1, 3, 6), {}),
    ("two tokens of twelve numbers", (1, 1, 1, 2, 12), {}),
    ("two sequences, two heads", (2, 2, 2, 2, 4), {}),
    ("twelve tokens of four numbers", (1, 1, 1, 12, 4), {}),
)  # fmt: skip


def cases(rng):
    fixed = np.random.default_rng(9)
    yield Case(
        "one token at position 1",
        {**draw(fixed, 1, 1, 1, 1, 4), "rotary_dim": 4, "offset": 1},
        spare=True,
    )
    ones = np.ones((1, 1, 2, 4), "f4")
    yield Case("the example", {"q": ones, "k": ones, "rotary_dim": 2}, shown=True)
    yield Case(
        "two tokens, one key head for two",
        {**draw(fixed, 1, 2, 1, 2, 4), "rotary_dim": 4},
        spare=True,
    )
    cached = {**draw(fixed, 1, 2, 2, 1, 8), "rotary_dim": 4, "offset": 9}
    yield Case("one token with a cache of 9", cached, shown=True, identify=True, pair="offset")
    yield Case("one token with a cache of 4", {**cached, "offset": 4}, shown=True, pair="offset")
    for label, shape, more in SMALLER:
        given = draw(np.random.default_rng(sum(shape)), *shape)
        yield Case(label, {**given, "rotary_dim": shape[-1], **more}, spare=True)
    whole = {**draw(fixed, 2, 2, 2, 5, 8), "rotary_dim": 8}
    yield Case("all numbers turn", whole, shown=True, identify=True, pair="q")
    yield Case("all numbers turn, other q", {**whole, "q": whole["k"]}, shown=True, pair="q")
    part = {**draw(fixed, 1, 2, 2, 6, 8), "rotary_dim": 4}
    yield Case("four of eight numbers", part, shown=True, pair="k")
    yield Case("four of eight numbers, other k", {**part, "k": part["q"]}, shown=True, pair="k")
    yield Case(
        "two tokens, base 500",
        {**draw(np.random.default_rng(5), 1, 1, 1, 2, 4), "rotary_dim": 4, "base": 500.0},
        spare=True,
    )
    given = {**draw(fixed, 1, 1, 1, 6, 8), "rotary_dim": 8, "base": 500.0}
    yield Case("base 500", given, identify=True, pair="base")
    yield Case("base 100", {**given, "base": 100.0}, pair="base")
    given = {**draw(fixed, 2, 4, 2, 6, 8), "rotary_dim": 6, "offset": 5}
    yield Case("4 query heads, 2 key heads", given, shown=True, identify=True, pair="rotary_dim")
    yield Case("two numbers less turn", {**given, "rotary_dim": 4}, shown=True, pair="rotary_dim")
    twelve = {**draw(fixed, 1, 4, 2, 12, 8), "rotary_dim": 8, "base": 100.0}
    yield Case("lengths", twelve, probe="norm_change", shown=True)
    yield Case("scores", twelve, probe="relative_scores", shown=True)
    tiny = in_float64(draw(np.random.default_rng(8), 1, 1, 1, 2, 4))
    yield Case("float64, two tokens", {**tiny, "rotary_dim": 4}, spare=True)
    yield Case("float64", {**in_float64(draw(fixed, 1, 2, 1, 5, 6)), "rotary_dim": 4})
    # float16 has no 3001, and 0.1, the frequency of the second pair, is 0.09998 there.
    far = {"rotary_dim": 4, "base": 100.0, "offset": 3000}
    tokens = in_float16(draw(np.random.default_rng(7), 1, 1, 1, 4, 6))
    yield Case("float16, far along", {**tokens, **far}, shown=True, identify=True)
    head_dim = 2 * int(rng.integers(6, 16))
    yield Case(
        "drawn: grouped, with a cache",
        {
            **draw(rng, 2, 6, 2, int(rng.integers(4, 20)), head_dim),
            "rotary_dim": head_dim - 2 * int(rng.integers(1, 4)),
            "base": float(rng.integers(50, 5000)),
            "offset": int(rng.integers(3, 60)),
        },
    )
    yield Case("drawn: 30 tokens", {**draw(rng, 1, 3, 3, 30, 16), "rotary_dim": 16})
    for length in (32, 256):
        yield Case(
            f"{length} tokens", {**draw(fixed, 1, 2, 1, length, 32), "rotary_dim": 32}, probe="time"
        )
