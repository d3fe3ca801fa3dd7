import numpy as np


def sliding_mask(Lq, Lk, window):
    mask = np.zeros((Lk, Lq), dtype=bool)
    for r in range(Lq):
        i = r + Lk - Lq
        for j in range(Lk):
            mask[j, r] = i - window < j <= i
    return mask
