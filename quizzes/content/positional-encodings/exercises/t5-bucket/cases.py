"""Cases for T5's buckets, smallest first.

All relative positions from -200 to 200, once for both directions and once for the causal form, tell
all known mistakes apart; small distances alone let half of them through.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

import numpy as np

from ordinal_exercise import Case

EVERY = np.arange(-200, 201)


def row_of(*numbers):
    return {"relative_position": np.array([numbers])}


def drawn(rng, low, high, *, bidirectional):
    """Relative positions and settings: with the default ones alone, a table of buckets would do."""
    num_buckets = 2 * int(rng.integers(4, 33))
    max_distance = num_buckets + int(rng.integers(8, 400))
    relative = rng.integers(low, high, size=(8, 12))
    edge = num_buckets // 4 if bidirectional else num_buckets // 2
    steps = num_buckets // 2 - edge if bidirectional else num_buckets - edge
    share = np.log(np.maximum(np.abs(relative), 1) / edge) / np.log(max_distance / edge) * steps
    # Next to an edge the bucket depends on how a logarithm is rounded, which is nobody's mistake.
    relative[np.abs(share - np.round(share)) < 1e-3] = 0
    given = {"num_buckets": num_buckets, "max_distance": max_distance}
    return {"relative_position": relative, "bidirectional": bidirectional, **given}


def cases(rng):
    for relative in (0, 1, -1, 8, -8, 9, -9, 20, -20, 200, -200):
        one = {"relative_position": np.array([relative])}
        yield Case(f"{relative} alone", one, spare=True)
        yield Case(f"{relative} alone, causal", {**one, "bidirectional": False}, spare=True)
    few, causal = {"num_buckets": 8, "max_distance": 20}, {"bidirectional": False}
    for relative in (9, -9):
        one = {"relative_position": np.array([relative])}
        yield Case(f"{relative} alone, 8 buckets up to 20", {**one, **few}, spare=True)
    yield Case("-9 alone, 8 buckets up to 20, causal", {**one, **few, **causal}, spare=True)
    borders = np.array([-2000, -128, -127, -64, -32, -16])
    yield Case("one row of two, causal", {**row_of(1, -1), **causal}, spare=True)
    yield Case("borders before", {"relative_position": borders}, spare=True)
    yield Case("borders before, causal", {"relative_position": borders, **causal}, spare=True)
    yield Case("borders after", {"relative_position": -borders}, spare=True)
    near = np.arange(-4, 5)
    yield Case("near ones", {"relative_position": near}, shown=True, pair="relative_position")
    farther = {"relative_position": 5 * near}
    yield Case("farther ones", farther, shown=True, pair="relative_position")
    yield Case(
        "the example", {"relative_position": np.array([-200, -20, -8, -7, 0, 1, 20])}, shown=True
    )
    example = {"relative_position": np.array([-200, -20, -8, -7, 0, 1, 20])}
    for label, both in (("causal", False), ("bidirectional", True)):
        given = {**example, "bidirectional": both}
        yield Case(f"the example, {label}", given, shown=True, pair="bidirectional")
    two = {"relative_position": np.arange(6)[None, :] - np.arange(4)[:, None]}
    yield Case("two axes", two, shown=True, identify=True)
    three = {"relative_position": np.arange(-12, 12).reshape(2, 3, 4)}
    yield Case("three axes", three, identify=True)
    yield Case("no axis", {"relative_position": np.array(-3)}, shown=True, identify=True)
    yield Case("-200 to 200", {"relative_position": EVERY}, identify=True)
    yield Case(
        "-200 to 200, causal", {"relative_position": EVERY, "bidirectional": False}, identify=True
    )
    around = {"relative_position": np.arange(-32, 32), **few}
    yield Case("8 buckets up to 20", around, identify=True, pair="num_buckets")
    yield Case("16 buckets up to 20", {**around, "num_buckets": 16}, pair="num_buckets")
    for most in (64, 100):
        given = {"relative_position": EVERY, **causal, "num_buckets": 16, "max_distance": most}
        yield Case(f"16 buckets up to {most}, causal", given, pair="max_distance")
    many = {"num_buckets": 300, "max_distance": 1000}
    wide = {"relative_position": np.array([-5000, -400, -3, 0, 2, 60, 5000]), **many}
    yield Case("300 buckets up to 1000", wide, identify=True)
    yield Case("drawn: far apart", drawn(rng, -2000, 2000, bidirectional=True))
    yield Case("drawn: far apart, causal", drawn(rng, -2000, 200, bidirectional=False))
    for count in (128, 2048):
        yield Case(f"{count} numbers", {"relative_position": np.arange(count) - 1000}, probe="time")
