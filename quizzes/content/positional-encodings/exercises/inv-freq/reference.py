"""The frequencies of "Attention Is All You Need", section 3.5, with the base as an argument."""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    if d < 2 or base <= 1:
        raise ValueError("d is at least 2, and base is greater than 1")
    doubled = np.arange(0, d, 2)
    return base ** (-doubled / d)
