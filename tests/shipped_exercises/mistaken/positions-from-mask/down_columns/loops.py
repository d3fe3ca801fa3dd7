import numpy as np


def positions_from_mask(mask):
    positions = np.zeros(mask.shape, dtype=int)
    for t in range(mask.shape[1]):
        seen = 0
        for b in range(len(mask)):
            if mask[b, t]:
                positions[b, t] = seen
                seen += 1
    return positions
