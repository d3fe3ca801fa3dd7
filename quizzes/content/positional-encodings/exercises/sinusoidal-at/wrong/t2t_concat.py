"""Does: You put all sines first and all cosines after them, with the exponent i/(d/2 - 1), as tensor2tensor and fairseq do.
Should: Here sines and cosines should alternate, and the exponent should be 2i/d.
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
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)
