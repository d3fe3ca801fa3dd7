"""Reduces large positions first to keep the angles small.

Truth: wrong
Slips: positions are taken modulo 10000; cosines and sines have changed places
Names: swap
Silent: yes
Says: A fair person would say: The codes do not repeat after 10000 positions, so do not take the remainder. And the sine belongs in the even column, the cosine in the odd one.
"""
import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    p = np.mod(positions.astype(np.float64), 10000)
    omega = 10000.0 ** (-np.arange(0, d, 2) / d)
    x = np.einsum("...,i->...i", p, omega)
    return np.stack([np.cos(x), np.sin(x)], axis=-1).reshape(*p.shape, d)
