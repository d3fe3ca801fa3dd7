import numpy as np


def sinusoidal_at(positions, d):
    rates = 1 / np.float32(10000.0) ** (np.arange(0, d, 2, dtype=np.float32) / np.float32(d))
    angles = positions.astype(float)[..., None] * rates
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(*positions.shape, d)
