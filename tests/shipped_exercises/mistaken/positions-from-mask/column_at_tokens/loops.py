import numpy as np


def positions_from_mask(mask):
    positions = np.zeros(mask.shape, dtype=int)
    for b, row in enumerate(mask):
        for t, here in enumerate(row):
            if here:
                positions[b, t] = t
    return positions
