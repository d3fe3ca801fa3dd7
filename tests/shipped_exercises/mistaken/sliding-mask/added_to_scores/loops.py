import numpy as np


def sliding_mask(Lq, Lk, window):
    mask = np.empty((Lq, Lk))
    for r in range(Lq):
        i = r + Lk - Lq
        for j in range(Lk):
            mask[r, j] = 0.0 if i - window < j <= i else -np.inf
    return mask
