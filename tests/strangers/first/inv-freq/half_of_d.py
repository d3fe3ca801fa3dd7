"""List comprehension over range(d // 2), made into an array.

Truth: wrong
Slips: the last column of an odd d has no frequency, so there is one number too few
Names: odd_too_few
Silent: no
Says: A fair person would say: for an odd d you return one number too few. There are (d + 1) // 2 of them, so use range((d + 1) // 2).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    return np.array([base ** (-2 * i / d) for i in range(d // 2)])
