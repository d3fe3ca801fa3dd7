"""Frequencies in float32, as is usual for a model, and angles in float64.

Truth: wrong
Slips: the frequencies are rounded to float32 before they are multiplied
Names: float32_freq
Silent: yes
Says: A fair person would say: The angles look like float64, but the frequencies were rounded to float32 before, and times 100 000 that error is far too large. Compute the frequencies in float64 too.
"""

import numpy as np


def sinusoidal_at(
    positions: np.ndarray,
    d: int,
) -> np.ndarray:
    """The codes of the given positions."""
    exponent = np.arange(0, d, 2, dtype=np.float32) / d
    inv_freq = (10000.0 ** -exponent).astype(np.float32)
    angles = positions[..., None].astype(np.float64) * inv_freq
    codes = np.empty((*positions.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
