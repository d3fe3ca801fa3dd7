"""Unit complex numbers for all angles, with imaginary and real part written next to each other.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. The angles are float64 and the last axis alternates sine and cosine.
"""
import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    p = np.asarray(positions, dtype=np.float64)
    omega = 1e4 ** (-np.arange(0, d, 2) / d)
    # i * exp(-i x) = sin x + i cos x
    z = 1j * np.exp(-1j * np.multiply.outer(p, omega))
    return np.ascontiguousarray(z).view(np.float64).reshape(p.shape + (d,))
