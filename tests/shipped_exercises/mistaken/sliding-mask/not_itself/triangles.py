import numpy as np


def sliding_mask(Lq, Lk, window):
    return np.tri(Lq, Lk, Lk - Lq - 1, dtype=bool) & ~np.tri(Lq, Lk, Lk - Lq - window, dtype=bool)
