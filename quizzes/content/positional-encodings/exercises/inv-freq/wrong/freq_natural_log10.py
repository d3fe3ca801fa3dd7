"""Does: You take the logarithm to base 10 (log10) and then use exp, whose base is e.
Should: The logarithm should be the natural one, np.log, which is the inverse of np.exp.
Step: sinusoidal-wavelengths/code-it
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return np.exp(-np.log10(base) * doubled / d)
