"""Multiplies the positions with the frequencies elementwise.

Truth: wrong
Slips: positions and frequencies are multiplied as two flat arrays instead of as an outer product
Names: none
Silent: no
Says: A fair person would say: The positions need a second axis (positions[:, None]) so that each position meets each frequency. As it stands NumPy cannot broadcast n against head_dim // 2 and raises.
"""
import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0):
    positions = np.arange(n)
    freqs = base ** (-np.arange(0, head_dim, 2) / head_dim)
    angles = positions * freqs
    return np.cos(angles), np.sin(angles)
