import numpy as np


def sliding_mask(Lq, Lk, window):
    mask = np.zeros((Lq, Lk), dtype=bool)
    for row, end in zip(mask, range(Lk - Lq + 1, Lk + 1), strict=True):
        row[max(end - window, 0) : end] = True
    return mask
