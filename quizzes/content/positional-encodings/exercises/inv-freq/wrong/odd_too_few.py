"""Does: For an odd d you leave out the frequency of the last column, so that there are d // 2 of them.
Should: There should be (d + 1) // 2 frequencies, since the last column has one too.
Step: sinusoidal-wavelengths/code-it
Kind: mistake
Breaks: 4a. d may be odd, and then the last column has a frequency too.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = 2 * np.arange(d // 2)
    return base ** (-doubled / d)
