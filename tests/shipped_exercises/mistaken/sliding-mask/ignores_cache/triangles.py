import numpy as np


def sliding_mask(Lq, Lk, window):
    return np.tri(Lq, dtype=bool) & ~np.tri(Lq, k=-window, dtype=bool)
