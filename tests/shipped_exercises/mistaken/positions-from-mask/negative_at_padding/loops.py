import numpy as np


def positions_from_mask(mask):
    out = np.empty(mask.shape, dtype=int)
    for b in range(mask.shape[0]):
        count = -1
        for t in range(mask.shape[1]):
            if mask[b, t]:
                count += 1
            out[b, t] = count
    return out
