"""The exponent is 4i/d: np.arange(0, d, 2) already is 2i, so multiplying it by 2 again makes every wavelength grow twice as fast.

Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return base ** (-2 * doubled / d)
