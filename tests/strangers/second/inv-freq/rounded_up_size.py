"""Rounds an odd size up to full pairs first.

Truth: wrong
Slips: for odd d the exponent is divided by d + 1 instead of d
Names: rounded_up_d
Silent: yes
Says: A fair person would say: The number of frequencies is right, but the exponent must be -2i/d with the d that was given. For odd d you divide by d + 1.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """One frequency for each pair of columns."""
    if d % 2 == 1:
        d = d + 1  # the last pair is only half used
    pairs = np.arange(d // 2)
    return 1.0 / base ** (2 * pairs / d)
