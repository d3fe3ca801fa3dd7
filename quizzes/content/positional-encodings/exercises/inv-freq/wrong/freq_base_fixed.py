"""Does: You write 10000 into the formula, so that every base gives the same frequencies.
Should: The formula should use base, which is 10000 only when the caller does not say otherwise.
Number: This is with base 10000; it should be the base that is given.
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 3a. base is an argument.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return 10000.0 ** (-doubled / d)
