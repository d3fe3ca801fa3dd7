"""Pairs are counted from 1: they start at i = 0, so the first frequency is exactly 1.

Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 1. Pairs are counted by i = 0, 1, 2 and so on.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return base ** (-(doubled + 2) / d)
