"""Does: You divide the exponents as whole numbers with //, which makes all of them 0, so every frequency is 1.
Should: The exponent should be divided with /, so that it is a fraction.
Number: The exponent is divided with // here, which leaves 0 of it.
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return base ** (-(doubled // d))
