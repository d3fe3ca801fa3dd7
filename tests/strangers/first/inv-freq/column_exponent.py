"""Frequencies with the pair's number over d in the exponent.

Truth: wrong
Slips: the factor 2 is missing in the exponent
Names: freq_half
Silent: yes
Says: A fair person would say: your exponent is -i/d, and it should be -2i/d for pair i: the 2 is missing.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """One frequency for each pair of columns."""
    pairs = np.arange((d + 1) // 2)
    log_base = np.log(base)
    return np.exp(-pairs / d * log_base)
