"""Does: You return the wavelengths 2 pi / omega, in positions.
Should: It should be the frequencies omega, in radians per position.
Step: sinusoidal-wavelengths/wavelengths
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return 2 * np.pi * base ** (doubled / d)
