"""Does: You leave out the minus sign of the exponent: your base^(2i/d) is what positions are divided by.
Should: The result should be its inverse, base^(-2i/d).
Number: This has the exponent with the wrong sign; wavelengths should grow from pair to pair.
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return base ** (doubled / d)
