"""The cases, smallest first.

shown=True: the student sees the case. identify=True: known mistakes are told apart on it; two at
least. pair="x": this case and one other differ in the argument x alone, which finds code that
keeps a result between calls. Every argument needs such a pair.
"""

from collections.abc import Iterator

import numpy as np

from ordinal_exercise import Case


def cases(rng: np.random.Generator) -> Iterator[Case]:
    """Yield them; `rng` draws the hidden ones anew for every pack."""
    x = np.array([3.0, 5.0, 10.0, -2.0])
    yield Case("the example", {"x": x[:3], "width": 2}, shown=True, identify=True)
    yield Case("width 3", {"x": x, "width": 3}, shown=True, identify=True, pair="width")
    yield Case("width 2", {"x": x, "width": 2}, shown=True, pair="width")
    yield Case("five numbers", {"x": np.array([1.0, 4.0, -6.0, 7.0, 9.0]), "width": 4}, pair="x")
    yield Case("five others", {"x": np.array([8.0, -3.0, 2.0, 2.0, 5.0]), "width": 4}, pair="x")
    n = int(rng.integers(10, 30))
    drawn = rng.uniform(-10, 10, size=n)
    yield Case("drawn", {"x": drawn, "width": int(rng.integers(2, n))})
