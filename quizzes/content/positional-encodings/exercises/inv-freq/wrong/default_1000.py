"""Does: Your default base is 1000: you leave out a zero.
Should: The default of base should be 10000.
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 3b. base is 10000 when the caller does not say otherwise.
"""

import numpy as np


def inv_freq(d: int, base: float = 1000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return base ** (-doubled / d)
