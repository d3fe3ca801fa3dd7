"""Does: You use np.log10 together with np.exp.
Should: It should be np.log, the natural logarithm, which is the inverse of np.exp.
Step: sinusoidal-wavelengths/code-it
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return np.exp(-np.log10(base) * doubled / d)
