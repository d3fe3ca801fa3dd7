import numpy as np


def sliding_mask(Lq, Lk, window):
    return np.tri(Lk, Lq, Lq - Lk + window - 1, dtype=bool) & ~np.tri(
        Lk, Lq, Lq - Lk - 1, dtype=bool
    )
