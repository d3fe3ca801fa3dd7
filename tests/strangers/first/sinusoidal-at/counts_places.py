"""Counts the positions along the last axis and joins sines and cosines.

Truth: wrong
Slips: the place in the array is used instead of the position that stands there; all sines come before all cosines
Names: uses_arange_len, concat
Silent: yes
Says: A fair person would say: You encode 0, 1, 2, ... and never look at the values in positions. Also the sine and the cosine of each pair should be neighbours, not in two halves.
"""
import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    count = np.arange(positions.size, dtype=np.float64).reshape(positions.shape)
    omega = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = count[..., None] * omega
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)
