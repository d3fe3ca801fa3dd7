import numpy as np


def positions_from_mask(mask):
    positions = np.zeros(mask.shape, dtype=int)
    for b in range(len(mask)):
        seen = mask.shape[1] - mask[b].sum()
        for t in range(mask.shape[1]):
            if mask[b, t]:
                positions[b, t] = seen
                seen += 1
    return positions
