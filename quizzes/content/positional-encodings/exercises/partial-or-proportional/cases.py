"""Cases for partial and proportional RoPE, smallest first.

Where the whole vector turns the two kinds are one. Two rows of eight numbers, of which a half turns,
tell nearly all mistakes apart, each kind those of its own rule. The positions are not the rows.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

import numpy as np

from ordinal_exercise import Case

KINDS = ("partial", "proportional")


def draw(rng, length, head_dim, farthest=40):
    return {
        "x": rng.normal(size=(length, head_dim)).round(2).clip(-4, 4),
        "positions": np.sort(rng.integers(2, farthest, size=length)),
    }


def of(kind, share, base=10000.0):
    return {"base": base, "share": share, "kind": kind}


def cases(rng):
    fixed = np.random.default_rng(12)
    for kind in KINDS:
        for length, head_dim, share in ((1, 4, 0.5), (1, 8, 0.5), (2, 4, 1.0), (2, 6, 1 / 3)):
            arguments = {
                **draw(np.random.default_rng(head_dim), length, head_dim),
                **of(kind, share),
            }
            yield Case(f"{kind}, x of shape {arguments['x'].shape}", arguments, spare=True)
    two = {"x": np.arange(1.0, 17.0).reshape(2, 8) / 8, "positions": np.array([2, 7])}
    for kind in KINDS:
        arguments = {**two, **of(kind, 0.5, 100.0)}
        yield Case(f"{kind}, half of 8 numbers", arguments, shown=True, identify=True, pair="kind")
    ones = {"x": np.ones((2, 8)), "positions": np.array([0, 2])}
    for kind in KINDS:
        yield Case(f"the example, {kind}", {**ones, **of(kind, 0.5, 100.0)}, shown=True)
    quarter = draw(fixed, 3, 16)
    for kind in KINDS:
        arguments = {**quarter, **of(kind, 0.25, 500.0)}
        pair = "share" if kind == "proportional" else None
        yield Case(f"{kind}, a quarter", arguments, shown=True, identify=True, pair=pair)
    arguments = {**quarter, **of("proportional", 0.75, 500.0)}
    yield Case("proportional, three quarters", arguments, shown=True, identify=True, pair="share")
    longer = {**draw(fixed, 5, 12), **of("proportional", 0.5, 500.0)}
    yield Case("5 tokens, base 500", longer, shown=True, pair="base")
    yield Case("5 tokens, base 50", {**longer, "base": 50.0}, shown=True, pair="base")
    part = {**draw(fixed, 4, 12), **of("partial", 0.5, 500.0)}
    yield Case("4 tokens", part, pair="x")
    yield Case("4 tokens, other x", {**part, "x": part["x"][::-1] + 1.0}, pair="x")
    moved = {**draw(fixed, 4, 8), **of("proportional", 0.5, 500.0)}
    yield Case("4 tokens of 8 numbers", moved, pair="positions")
    later = {**moved, "positions": moved["positions"] + np.arange(4)}
    yield Case("4 tokens, other positions", later, pair="positions")
    yield Case(
        "x unchanged", {**draw(fixed, 2, 8), **of("partial", 0.5)}, probe="input_unchanged",
        identify=True, clause="1c",
    )  # fmt: skip
    for kind in KINDS:
        arguments = {**draw(fixed, 6, 12), **of(kind, 0.5, 100.0)}
        yield Case(f"lengths, {kind}", arguments, probe="norm_change", shown=True)
        arguments = {**draw(fixed, 4, 6), **of(kind, 1.0, 500.0)}
        yield Case(f"lengths, {kind}, all numbers turn", arguments, probe="norm_change", shown=True)
    for kind in KINDS:
        length, quarters = int(rng.integers(5, 30)), int(rng.integers(1, 4))
        share, base = quarters / 4, float(rng.integers(50, 5000))
        arguments = {**draw(rng, length, 8 * int(rng.integers(2, 6)), 100), **of(kind, share, base)}
        yield Case(f"drawn: {kind}", arguments)
    for length in (32, 256):
        arguments = {**draw(fixed, length, 64), **of("proportional", 0.25)}
        yield Case(f"{length} tokens", arguments, probe="time")
