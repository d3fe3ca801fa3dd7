import numpy as np


def sliding_mask(Lq, Lk, window):
    def sees(i, j):
        return 0 <= i - j < window

    rows = range(Lk)[-Lq:]
    return np.array([[sees(i, j) for j in range(Lk)] for i in rows])
