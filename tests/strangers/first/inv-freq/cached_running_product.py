"""A cached tuple made by recursion, each frequency from the one before.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct; the cache knows both arguments and every call gets a new array.
"""

from functools import cache

import numpy as np


@cache
def _frequencies(pairs, ratio):
    if pairs == 0:
        return ()
    before = _frequencies(pairs - 1, ratio)
    return before + ((before[-1] * ratio) if before else 1.0,)


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    pairs = (d + 1) // 2
    ratio = base ** (-2.0 / d)
    for n in range(pairs):
        _frequencies(n, ratio)  # keeps the recursion flat
    return np.array(_frequencies(pairs, ratio))
