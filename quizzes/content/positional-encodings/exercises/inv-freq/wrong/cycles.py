"""Does: You multiply the frequencies by 2 pi, so that the first pair makes a whole turn from one position to the next.
Should: The first pair should turn by 1 radian: the result is base^(-2i/d) as it is.
Step: sinusoidal-wavelengths/wavelengths
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return 2 * np.pi * base ** (-doubled / d)
