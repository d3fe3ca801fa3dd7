import numpy as np


def sliding_mask(Lq, Lk, window):
    band = sum(np.eye(Lk, k=-back, dtype=int) for back in range(min(window, Lk)))
    return band[Lk - Lq :].astype(bool)
