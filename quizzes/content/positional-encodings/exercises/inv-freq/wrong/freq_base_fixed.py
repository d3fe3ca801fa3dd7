"""The argument base is not used: 10000 is written into the formula, so other bases give the same frequencies.

Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 3. base is an argument, 10000 when the caller does not say otherwise.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return 10000.0 ** (-doubled / d)
