"""Does: You make one frequency for each column, base^(-k/d) for column k.
Should: The two columns of a pair should share one frequency, so that there are (d + 1) // 2 of them.
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 1a. The result has one number for each pair of columns.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(d)
    return base ** (-doubled / d)
