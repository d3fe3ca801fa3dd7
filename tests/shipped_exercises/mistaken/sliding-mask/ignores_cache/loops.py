import numpy as np


def sliding_mask(Lq, Lk, window):
    mask = np.zeros((Lq, Lq), dtype=bool)
    for r in range(Lq):
        for j in range(Lq):
            mask[r, j] = r - window < j <= r
    return mask
