"""The factor 2 of 2i/d is missing: the exponent runs only to 1/2, so the slowest frequency is near 1/100 instead of near 1/10000.

Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange((d + 1) // 2)
    return base ** (-doubled / d)
