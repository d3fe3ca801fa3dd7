"""Does: Your exponent is -i/(P - 1) for the P = (d + 1) // 2 frequencies, so that the last one is exactly 1/base, for an odd d too.
Should: Here it should be the paper's -2i/d.
Step: sinusoidal-wavelengths/two-grids
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange((d + 1) // 2)
    return base ** (-doubled / max((d + 1) // 2 - 1, 1))
