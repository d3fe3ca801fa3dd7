import numpy as np


def positions_from_mask(mask):
    before = np.zeros((mask.shape[0], mask.shape[1] + 1), dtype=np.int32)
    np.cumsum(mask, axis=1, out=before[:, 1:])
    positions = before[:, :-1]
    positions[~mask] = 0
    return positions
