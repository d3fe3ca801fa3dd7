"""Does: Your code fails for an odd d.
Should: An odd d should give (d + 1) // 2 frequencies.
Step: sinusoidal-wavelengths/code-it
Kind: mistake
Breaks: 4a. d may be odd, and then the last column has a frequency too.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    pairs = np.empty(d // 2)
    pairs[:] = np.arange(0, d, 2)
    return base ** (-pairs / d)
