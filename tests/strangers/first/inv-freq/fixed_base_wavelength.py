"""The formula of the paper, with 10000 and a positive exponent.

Truth: wrong
Slips: 10000 is used instead of base; the exponent is positive, so it is one over the frequency
Names: freq_base_fixed, freq_no_neg
Silent: yes
Says: A fair person would say: use the argument base, you always take 10000. And the exponent is negative: you return one over the frequencies.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    i = np.arange((d + 1) // 2)
    return np.power(10000.0, 2 * i / d)
