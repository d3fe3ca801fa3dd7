import numpy as np


def sinusoidal_at(positions, d):
    exponents = np.arange(0, d, 2, dtype=np.float32) / np.float32(d)
    angles = positions.astype(np.float32)[..., None] / np.float32(10000.0) ** exponents
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(*positions.shape, d)
