"""The number of pairs doubled in place of d in the exponent.

Truth: wrong
Slips: the exponent is divided by twice the number of pairs, which is d + 1 for an odd d
Names: rounded_up_d
Silent: yes
Says: A fair person would say: with an odd d you divide by d + 1 where it should be d. Take the exponent -2i/d with d as it is given.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    half = (d + 1) // 2
    i = np.arange(half, dtype=np.float64)
    return np.power(base, -i / half)
