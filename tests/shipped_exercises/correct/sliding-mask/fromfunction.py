import numpy as np


def sliding_mask(Lq, Lk, window):
    return np.fromfunction(
        lambda r, j: np.isin(r + Lk - Lq - j, range(window)), (Lq, Lk), dtype=int
    )
