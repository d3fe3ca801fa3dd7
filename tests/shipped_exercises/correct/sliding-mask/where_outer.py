import numpy as np


def sliding_mask(Lq, Lk, window):
    distance = np.subtract.outer(np.arange(Lk)[-Lq:], np.arange(Lk))
    return np.where((distance < 0) | (distance >= window), False, True)
