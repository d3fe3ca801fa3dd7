"""Does: You count pairs from i = 1, so that your first frequency is base^(-2/d).
Should: Pairs should be counted from i = 0, so that the first frequency is exactly 1.
Number: This is the wavelength of the next pair; pairs should be counted from i = 0.
Step: sinusoidal-wavelengths/inverse-frequencies
Kind: mistake
Breaks: 1b. Pairs are counted by i = 0, 1, 2 and so on.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange(0, d, 2)
    return base ** (-(doubled + 2) / d)
