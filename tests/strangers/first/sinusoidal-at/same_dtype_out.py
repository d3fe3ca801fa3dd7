"""Makes the result in the dtype of the positions.

Truth: wrong
Slips: the result takes the dtype of the positions, so whole-number positions give sines cut to whole numbers
Names: none
Silent: yes
Says: A fair person would say: With integer positions your result is an integer array, and all sines and cosines are cut to -1, 0 or 1. Give the result the dtype float64.
"""
import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    codes = np.empty(positions.shape + (d,), dtype=positions.dtype)
    omega = 10000.0 ** (-2.0 * np.arange(d // 2) / d)
    angles = positions.astype(np.float64)[..., np.newaxis] * omega
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
