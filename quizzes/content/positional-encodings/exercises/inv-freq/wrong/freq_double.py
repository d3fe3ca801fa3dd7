"""Does: Your exponent is -4i/d: np.arange(0, d, 2) already is 2i, and you multiply it by 2 once more. Your slowest frequency is near 1/base^2 instead of 1/base.
Should: The exponent should be -2i/d.
Number: This has the exponent 4i/d; it should be 2i/d.
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return base ** (-2 * doubled / d)
