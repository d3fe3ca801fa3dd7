"""Does: Your exponent is -i/d, without the factor 2, so every frequency after the first is too large.
Should: The exponent should be -2i/d.
Number: This has the exponent i/d; it should be 2i/d.
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange((d + 1) // 2)
    return base ** (-doubled / d)
