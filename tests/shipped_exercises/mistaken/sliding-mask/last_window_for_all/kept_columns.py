import numpy as np


def sliding_mask(Lq, Lk, window):
    mask = np.tri(Lq, Lk, Lk - Lq, dtype=bool)
    mask[:, : max(Lk - window, 0)] = False
    return mask
