"""Cases for the softmax with a mask, smallest first.

A square array would hide a wrong axis, and small scores hide what overflows. A row that is hidden
whole stands beside rows that are not. Large scores are multiples of 1/8, which float32 holds exactly.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

import numpy as np

from ordinal_exercise import Case


def normal(rng, *shape):
    return rng.standard_normal(shape).round(3)


def seen(rng, *shape):
    """A mask that hides about a third; the first and last place of the last axis differ."""
    mask = rng.random(shape) < 0.7
    mask[..., 0], mask[..., -1] = False, True
    return mask


def cases(rng):
    fixed = np.random.default_rng(11)
    scores = np.array([[2.0, 1.0, 0.0], [5.0, 5.0, 5.0]])
    mask = np.array([[False, True, True], [False, False, False]])
    yield Case("one row of two", {"scores": np.array([[1.0, 0.0]])}, spare=True)
    two = {"scores": np.array([[1.0, 0.5]]), "mask": np.array([[True, False]])}
    yield Case("one row of two, one hidden", two, spare=True)
    hidden = {"scores": np.array([[1.0, 0.5]]), "mask": np.array([[False, False]])}
    yield Case("one row of two, both hidden", hidden, spare=True)
    upright = {"scores": np.array([[1.0], [0.0]]), "axis": 0}
    yield Case("one column of two", upright, spare=True)
    far = {"scores": np.array([[1000.0, 999.0]])}
    yield Case("one row of two, large", far, spare=True)
    yield Case("the example", {"scores": scores}, shown=True)
    yield Case("the example, masked", {"scores": scores, "mask": mask}, shown=True)
    yield Case("the example, axis 0", {"scores": scores, "axis": 0}, shown=True, identify=True)
    apart = {"scores": np.array([[900.0, 899.0], [-900.0, -901.0]])}
    yield Case("two rows, far apart", apart, spare=True)
    beside = {"scores": np.array([[1.0, 900.0]]), "mask": np.array([[True, False]])}
    yield Case("a large score is hidden", beside, spare=True)
    three = {"scores": np.array([[1.0, 0.5, 2.0]]), "mask": np.array([[True, True, False]])}
    yield Case("one row of three, one hidden", three, spare=True)
    yield Case("one axis, whole numbers", {"scores": np.array([1, -1, 2])})
    plain = {"scores": normal(fixed, 3, 4)}
    yield Case("three rows", plain, shown=True, identify=True, pair="scores")
    yield Case("three other rows", {"scores": normal(fixed, 3, 4)}, shown=True, pair="scores")
    some = {"scores": normal(fixed, 3, 5), "mask": seen(fixed, 3, 5)}
    yield Case("three rows, some hidden", some, shown=True, identify=True, pair="mask")
    other = {**some, "mask": some["mask"][:, ::-1].copy()}
    yield Case("three rows, others hidden", other, shown=True, pair="mask")
    deep = {"scores": normal(fixed, 2, 3, 4), "axis": 1}
    yield Case("three axes, the middle one", deep, identify=True, pair="axis")
    yield Case("three axes, the first one", {**deep, "axis": -3}, identify=True, pair="axis")
    holes = np.array([[True, False, True], [False, True, True]])
    whole = {"scores": np.array([[2, 1, 0], [5, 4, 7]]), "mask": holes}
    yield Case("whole numbers, some hidden", whole, shown=True, identify=True)
    large = np.array([[1000.0, 999.0, 998.0], [-1000.0, -1003.0, -1001.0]])
    yield Case("large scores", {"scores": large}, shown=True, identify=True)
    whole = {"scores": normal(fixed, 3, 4), "mask": seen(fixed, 3, 4)}
    whole["mask"][1] = False
    yield Case("one row hidden whole", whole, identify=True)
    covered = {
        "scores": np.array([[1.0, 2.0, 900.0], [0.0, -1.0, -2.0]]),
        "mask": np.array([[True, True, False], [True, False, True]]),
    }
    yield Case("large scores are hidden", covered, identify=True)
    rows, columns = int(rng.integers(4, 8)), int(rng.integers(9, 14))
    drawn = {"scores": normal(rng, rows, columns), "mask": seen(rng, rows, columns)}
    yield Case("drawn: some hidden", drawn)
    drawn = {"scores": normal(rng, 2, rows, columns), "mask": seen(rng, 2, rows, columns)}
    drawn["mask"][1, int(rng.integers(rows))] = False
    yield Case("drawn: one row hidden whole", drawn)
    large = (80 * normal(rng, 2, columns, rows)).round() / 8 + 800
    drawn = {"scores": large, "mask": seen(rng, 2, columns, rows)}
    yield Case("drawn: large scores, axis -2", {**drawn, "axis": -2})
    for length in (64, 512):
        yield Case(f"{length} rows", {"scores": normal(fixed, length, 64)}, probe="time")
