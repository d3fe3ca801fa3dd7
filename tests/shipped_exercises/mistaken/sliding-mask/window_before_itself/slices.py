import numpy as np


def sliding_mask(Lq, Lk, window):
    mask = np.zeros((Lq, Lk), dtype=bool)
    for r, i in enumerate(range(Lk - Lq, Lk)):
        mask[r, max(i - window, 0) : i] = True
    return mask
