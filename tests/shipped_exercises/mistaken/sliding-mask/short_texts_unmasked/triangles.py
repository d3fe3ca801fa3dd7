import numpy as np


def sliding_mask(Lq, Lk, window):
    mask = np.tri(Lq, Lk, Lk - Lq, dtype=bool)
    if Lk > window:
        return mask & ~np.tri(Lq, Lk, Lk - Lq - window, dtype=bool)
    return np.full_like(mask, True)
