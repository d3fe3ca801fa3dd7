"""np.logspace with the given base, from 0 down to the exponent of the last pair.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    n = -(-d // 2)
    return np.logspace(0.0, -2.0 * (n - 1) / d, num=n, base=base)
