"""The minus sign of the exponent is missing: that is base^(2i/d), by which positions are divided, and its inverse is asked for.

Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return base ** (doubled / d)
