import numpy as np


def sinusoidal_at(positions, d):
    angles = (positions[..., None] / 10000.0 ** (np.arange(0, d, 2) / d)).astype(np.float32)
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(*positions.shape, d)
