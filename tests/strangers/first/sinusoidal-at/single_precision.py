"""Vectorised with the positions and frequencies as float32.

Truth: wrong
Slips: the angles are computed in float32
Names: float32_angle, float32_freq
Silent: yes
Says: A fair person would say: In float32 an angle near 100 000 is off by some thousandths, and so are the sines. Convert positions and frequencies to float64 before multiplying.
"""
import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    positions = positions.astype(np.float32)
    inv_freq = (10000.0 ** (-np.arange(0, d, 2) / d)).astype(np.float32)
    angles = positions[..., None] * inv_freq
    codes = np.zeros((*positions.shape, d), dtype=np.float32)
    codes[..., 0::2] = np.sin(angles)
    codes[..., 1::2] = np.cos(angles)
    return codes
