"""Walks over all places of the array with np.ndindex.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. Slow for large arrays, but every number is right for any shape.
"""
import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    out = np.empty(positions.shape + (d,))
    for where in np.ndindex(*positions.shape):
        p = float(positions[where])
        for i in range(0, d, 2):
            w = np.exp(-i / d * np.log(10000.0))
            out[where + (i,)] = np.sin(p * w)
            out[where + (i + 1,)] = np.cos(p * w)
    return out
