import numpy as np


def sliding_mask(Lq, Lk, window):
    new = np.tri(Lq, dtype=bool) & ~np.tri(Lq, k=-window, dtype=bool)
    return np.hstack([np.ones((Lq, Lk - Lq), dtype=bool), new])
