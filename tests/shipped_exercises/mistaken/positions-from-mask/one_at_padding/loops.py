import numpy as np


def positions_from_mask(mask):
    positions = np.ones(mask.shape, dtype=int)
    for b in range(len(mask)):
        seen = 0
        for t in range(mask.shape[1]):
            if mask[b, t]:
                positions[b, t] = seen
                seen += 1
    return positions
