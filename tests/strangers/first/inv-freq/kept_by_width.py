"""Frequencies are kept in a dictionary for each number of columns.

Truth: wrong
Slips: the results are kept by d alone, so a second call with another base gets the frequencies of the first
Names: kept-between-calls
Silent: yes
Says: A fair person would say: your dictionary knows only d, so after one call every other base gives the frequencies of the first. Use (d, base) as the key.
"""

import numpy as np

_cache = {}


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    if d not in _cache:
        _cache[d] = 1.0 / (base ** (np.arange(0, d, 2) / d))
    return _cache[d].copy()
