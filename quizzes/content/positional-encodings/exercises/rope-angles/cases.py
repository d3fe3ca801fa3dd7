"""Cases for RoPE's cosines and sines, smallest first.

A single pair has frequency 1 whatever the formula, so it never stands alone. A base of its own lets
nothing through.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

from ordinal_exercise import Case


def cases(rng):
    yield Case("one pair", {"n": 4, "head_dim": 2})
    yield Case("two pairs, base 100", {"n": 2, "head_dim": 4, "base": 100.0}, spare=True)
    yield Case("the example", {"n": 3, "head_dim": 4}, shown=True, pair="n")
    yield Case("two positions more", {"n": 5, "head_dim": 4}, pair="n")
    yield Case("four pairs", {"n": 5, "head_dim": 8}, shown=True, identify=True, pair="head_dim")
    yield Case("six pairs", {"n": 5, "head_dim": 12}, pair="head_dim")
    few = {"n": 2, "head_dim": 4, "base": 500_000.0}
    yield Case("two pairs, base 500 000", few, spare=True)
    for n, head_dim in ((12, 2), (2, 16)):
        yield Case(f"n={n}, head_dim={head_dim}", {"n": n, "head_dim": head_dim}, spare=True)
    large = {"n": 6, "head_dim": 16, "base": 500_000.0}
    yield Case("base 500 000", large, shown=True, identify=True, pair="base")
    yield Case("base 700", {**large, "base": 700.0}, shown=True, pair="base")
    for n, head_dim in ((2, 64), (40, 2), (200, 2), (200, 4)):
        yield Case(f"n={n}, head_dim={head_dim}", {"n": n, "head_dim": head_dim}, spare=True)
    yield Case("32 pairs", {"n": 33, "head_dim": 64})
    yield Case(
        "drawn: a base of its own",
        {
            "n": int(rng.integers(12, 40)),
            "head_dim": 2 * int(rng.integers(5, 24)),
            "base": round(float(rng.uniform(50, 5000)), 1),
        },
    )
    yield Case("200 positions", {"n": 200, "head_dim": 64})
    for n in (128, 1024):
        yield Case(f"{n} positions", {"n": n, "head_dim": 64}, probe="time")
