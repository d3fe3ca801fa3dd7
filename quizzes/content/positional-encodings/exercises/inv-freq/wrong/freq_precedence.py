"""Does: You leave out parentheses: in your code base ** k / d is (base ** k) / d.
Should: It should be base ** (k / d).
Step: sinusoidal-values/code-it
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return 1.0 / (base**doubled / d)
