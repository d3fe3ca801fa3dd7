"""Does: You round the result to float16, which keeps about three digits.
Should: The result should be float32 or float64.
Step: numerics/tables-in-half
Kind: mistake
Breaks: 5b. The result is of dtype float32 or float64.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return (base ** (-doubled / d)).astype(np.float16)
