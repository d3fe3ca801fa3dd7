import numpy as np


def sliding_mask(Lq, Lk, window):
    return np.tri(Lq, Lk, Lk - Lq, dtype=bool)
