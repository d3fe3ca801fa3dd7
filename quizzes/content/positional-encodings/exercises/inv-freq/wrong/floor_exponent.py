"""Does: You divide the negative exponents with //, which rounds them down to -1, so every pair after the first has the frequency 1/base.
Should: The exponent should be divided with /, so that it is a fraction.
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return base ** (-doubled // d)
