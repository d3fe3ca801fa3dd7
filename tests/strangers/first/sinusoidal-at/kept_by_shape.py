"""Keeps computed codes for arrays that were seen before.

Truth: wrong
Slips: kept codes are looked up by the shape of the positions and d, not by the positions
Names: kept-between-calls
Silent: yes
Says: A fair person would say: Two arrays of the same shape get the same codes from your cache, even if their positions differ. The key must hold the positions, or drop the cache.
"""
import numpy as np


class Encoder:
    def __init__(self):
        self.store = {}

    def __call__(self, positions, d):
        key = (positions.shape, d)
        if key not in self.store:
            angles = np.multiply.outer(
                positions.astype(np.float64), 10000.0 ** (-np.arange(0, d, 2) / d)
            )
            self.store[key] = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(
                *positions.shape, d
            )
        return self.store[key].copy()


_encoder = Encoder()


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    return _encoder(positions, d)
