"""Does: You put all cosines first and all sines after them, which is another order, as some diffusion models code their timesteps.
Should: Here sines and cosines should alternate: the sine of pair i in column 2i, its cosine in column 2i+1.
Step: sinusoidal-values/the-formula
Kind: convention
Breaks: 2a. The code has the sine in column 2i and the cosine in column 2i+1.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """positions.shape + (d,) float64: sin(p / 10000^(2i/d)) in column 2i, the cosine in 2i+1."""
    exact = np.asarray(positions, dtype=np.float64)
    inv_freq = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = exact[..., None] * inv_freq
    return np.concatenate([np.cos(angles), np.sin(angles)], axis=-1)
