"""Does: You leave out the logarithm of the base: your exp(-2i/d) has base e.
Should: It should be exp(-log(base) * 2i/d), which is base^(-2i/d).
Number: This has e = 2.718 in place of the base.
Step: sinusoidal-wavelengths/code-it
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return np.exp(-doubled / d)
