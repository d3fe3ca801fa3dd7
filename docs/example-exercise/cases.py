"""Cases of the causal mask, smallest first.

Without a cache a mask that forgets it is right, and of one token most mistakes are. Two queries
after one key let nothing through.

Each pair differs in one argument alone: a mask that is kept without looking at it is wrong there.
"""

from collections.abc import Iterator

import numpy as np

from ordinal_exercise import Case


def cases(rng: np.random.Generator) -> Iterator[Case]:
    """Yield them; `rng` draws the hidden ones anew for every pack."""
    yield Case("two tokens", {"n": 2}, shown=True)
    yield Case("three tokens", {"n": 3}, shown=True, identify=True)
    after_one = {"n": 2, "past": 1}
    yield Case("two tokens after one", after_one, shown=True, identify=True, pair="past")
    yield Case("two tokens after three", {"n": 2, "past": 3}, shown=True, pair="past")
    yield Case("four tokens after two", {"n": 4, "past": 2}, pair="n")
    yield Case("five tokens after two", {"n": 5, "past": 2}, pair="n")
    yield Case("one token after four", {"n": 1, "past": 4}, spare=True)
    yield Case("drawn: no cache", {"n": int(rng.integers(5, 40))})
    many = {"n": int(rng.integers(5, 130)), "past": int(rng.integers(2, 250))}
    yield Case("drawn: a cache", many)
