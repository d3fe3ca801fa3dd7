"""Loop over pairs 1, 2, 3 with the paper's constant.

Truth: wrong
Slips: pairs are counted from 1 instead of 0; base is not used, it is always 10000
Names: freq_one_indexed, freq_base_fixed
Silent: yes
Says: A fair person would say: pairs count from 0, so the first frequency is 1. And take base where you wrote 10000.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    freqs = np.zeros((d + 1) // 2)
    for i in range(1, (d + 1) // 2 + 1):
        freqs[i - 1] = 1 / (10000 ** (2 * i / d))
    return freqs
