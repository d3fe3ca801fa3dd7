import numpy as np


def sliding_mask(Lq, Lk, window):
    mask = np.zeros((Lq, Lk), dtype=bool)
    for r in range(Lq):
        i = r + Lk - Lq
        for j in range(Lk):
            mask[r, j] = j <= i and (j < Lk - Lq or j > i - window)
    return mask
