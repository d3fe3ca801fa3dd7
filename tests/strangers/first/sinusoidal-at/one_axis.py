"""The short form with positions as a column.

Truth: wrong
Slips: the new axis is put in second place, which is right for flat positions only
Names: none
Silent: no
Says: A fair person would say: positions[:, None] adds the axis at the end only if positions has one axis; a (2, 3) array raises or comes out in the wrong shape. Use positions[..., None].
"""
import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    omega = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = positions[:, None].astype(np.float64) * omega
    codes = np.zeros((*positions.shape, d))
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
