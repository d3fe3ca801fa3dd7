"""Does: Your exponent is i/(d/2 - 1), as in tensor2tensor, so from d = 4 on your last wavelength is exactly 2 pi 10000.
Should: Here the exponent should be 2i/d, as in the paper.
Step: sinusoidal-wavelengths/two-grids
Kind: convention
Breaks: 2b. The frequency of pair i is 10000^(-2i/d).
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.asarray(positions, dtype=np.float64)
    inv_freq = 10000.0 ** (-np.arange(d // 2) / max(d // 2 - 1, 1))
    angles = exact[..., None] * inv_freq
    codes = np.empty((*exact.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
