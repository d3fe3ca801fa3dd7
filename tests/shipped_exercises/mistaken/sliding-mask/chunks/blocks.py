import numpy as np


def sliding_mask(Lq, Lk, window):
    piece = np.arange(Lk) // window
    return np.tril(piece[:, None] == piece)[Lk - Lq :]
