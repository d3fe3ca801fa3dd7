"""Does: Your exponent is -4i/d, twice the right one, so every frequency after the first is too small.
Should: The exponent should be -2i/d; an index that runs over 0, 2, 4, ... already is 2i.
Number: The exponent is twice the right one here.
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return base ** (-2 * doubled / d)
