"""Computes both tables from a constant for the base and returns them as a pair.

Truth: wrong
Slips: the sines come first and the cosines second; the base is always 10000
Names: swapped, base_fixed
Silent: yes
Says: A fair person would say: Two things: the cosines should be returned first, and the frequencies should use the argument base, not the constant 10000.
"""
import numpy as np

THETA = 10000.0


def rope_cos_sin(n: int, head_dim: int, base: float = THETA):
    inv_freq = 1.0 / (THETA ** (np.arange(0, head_dim, 2) / head_dim))
    angles = np.arange(n)[:, np.newaxis] * inv_freq
    sin, cos = np.sin(angles), np.cos(angles)
    return sin, cos
