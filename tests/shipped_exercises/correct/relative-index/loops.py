import numpy as np


def relative_index(Lq, Lk, k):
    rows = [[max(-k, min(k, j - i)) + k for j in range(Lk)] for i in range(Lq)]
    return np.array(rows, dtype=np.int32)
