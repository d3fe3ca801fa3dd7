import numpy as np


def positions_from_mask(mask):
    positions = np.zeros(mask.shape, dtype=np.int64)
    positions[mask] = np.arange(mask.sum())
    return positions
