"""Each frequency is the one before times a constant ratio.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct: the frequencies are a geometric sequence with ratio base^(-2/d), and odd d is handled.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    n_pairs = -(-d // 2)
    ratio = float(base) ** (-2.0 / d)
    steps = np.full(n_pairs, ratio)
    steps[0] = 1.0
    return np.cumprod(steps)
