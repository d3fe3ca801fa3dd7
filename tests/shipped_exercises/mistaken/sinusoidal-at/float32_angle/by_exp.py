import numpy as np


def sinusoidal_at(positions, d):
    falls = np.arange(0, d, 2, dtype=np.float32) * np.float32(-np.log(10000.0) / d)
    angles = positions.astype(np.float32)[..., None] * np.exp(falls)
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(*positions.shape, d)
