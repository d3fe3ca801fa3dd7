"""Cases for the code of any position, smallest first.

Positions 0, 1, 2 and so on let nearly every mistake through. Fractions, a second axis and positions
far away tell all known mistakes apart. Those far away have two columns there, whose frequency is
exactly 1: with more, each way to compute frequencies in float32 gives other numbers.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

import numpy as np

from ordinal_exercise import Case


def cases(rng):
    for position in (1, 0.5, 2049, 100_000):
        for d in (2, 4):
            yield Case(
                f"{position}, d={d}", {"positions": np.array([position]), "d": d}, spare=True
            )
    yield Case("-3 to 3", {"positions": np.arange(-3, 4), "d": 8}, identify=True)
    example = {"positions": np.array([7.5, 0.0, 7.5]), "d": 4}
    yield Case("the example", example, shown=True, pair="positions")
    others = {**example, "positions": np.array([1.5, 20.25, 3.0])}
    yield Case("three other positions", others, shown=True, pair="positions")
    some = ([[1, 2]], [[[3]]], [70_000, 99_999], [99_999], np.float32([65_536.5]))
    for positions, d in zip(some, (2, 2, 2, 6, 4), strict=True):
        chosen = {"positions": np.asarray(positions), "d": d}
        yield Case(f"{chosen['positions'].tolist()}, d={d}", chosen, spare=True)
    yield Case("unsorted, repeated", {"positions": np.array([5, 5, 0, 17]), "d": 16}, shown=True)
    two = {"positions": np.array([[0, 9, 3], [1, 1, 2]]), "d": 6}
    yield Case("two axes", two, shown=True, identify=True, pair="d")
    yield Case("two axes, five pairs", {**two, "d": 10}, pair="d")
    three = {"positions": np.arange(12).reshape(2, 2, 3), "d": 4}
    yield Case("three axes", three, identify=True)
    yield Case("no axis", {"positions": np.array(3), "d": 6}, shown=True, identify=True)
    yield Case("fractions", {"positions": np.array([0.5, 2.5, 4.25]), "d": 8}, identify=True)
    yield Case("7, d=32", {"positions": np.array([7]), "d": 32}, spare=True)
    yield Case("neighbours at 2048", {"positions": np.array([2048, 2049]), "d": 32})
    yield Case(
        "far away",
        {"positions": np.array([4095, 70_000, 100_000]), "d": 64},
        shown=True,
    )
    between = {"positions": np.array([4095.3, 70_000.3, 99_999.7]), "d": 2}
    yield Case("far away, between two tokens", between, identify=True)
    further = {"positions": np.array([32_768.3, 54_321.7, 65_537.3, 87_654.7, 99_998.3]), "d": 2}
    yield Case("further away, between two tokens", further, identify=True)
    whole = {"positions": np.array([30_011, 54_321, 77_777, 99_999]), "d": 4}
    yield Case("far away, whole positions", whole, identify=True)
    halves = {"positions": np.arange(30) / 2, "d": 6}
    yield Case("30 half steps, no two rows alike", halves, probe="rows_unique", shown=True)
    yield Case("drawn: three axes", {"positions": rng.integers(0, 4000, size=(2, 3, 4)), "d": 10})
    yield Case(
        "drawn: fractions",
        {
            "positions": rng.uniform(0, 4000, size=20).round(3),
            "d": 2 * int(rng.integers(5, 40)),
        },
    )
    yield Case("7, d=96", {"positions": np.array([7]), "d": 96}, spare=True)
    yield Case(
        "drawn: far away",
        {
            "positions": rng.integers(50_000, 100_000, size=12),
            "d": 2 * int(rng.integers(20, 60)),
        },
    )
    single = {"positions": np.float32([3.25, 30_000.25, 65_536.5, 99_999.75]), "d": 4}
    yield Case("float32 positions", single, identify=True)
    for count in (100, 1600):
        yield Case(f"{count} positions", {"positions": np.arange(count), "d": 64}, probe="time")
