"""Does: You return a column, an array of two axes with one number in each row.
Should: The result should have one axis, with the shape ((d + 1) // 2,).
Step: sinusoidal-wavelengths/code-it
Kind: mistake
Breaks: 5a. The result is an array of shape ((d + 1) // 2,).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)[:, None]
    return base ** (-doubled / d)
