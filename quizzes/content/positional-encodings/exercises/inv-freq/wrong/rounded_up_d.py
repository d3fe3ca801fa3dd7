"""Does: For an odd d you divide by d + 1, which is twice the number of pairs.
Should: The exponent should be divided by d itself, odd or even.
Step: sinusoidal-wavelengths/code-it
Kind: mistake
Breaks: 4b. The exponent still has d itself, not d + 1.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return base ** (-doubled / (d + d % 2))
