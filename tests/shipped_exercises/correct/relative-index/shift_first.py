import numpy as np


def relative_index(*, Lq, Lk, k):
    shifted = np.subtract.outer(-np.arange(Lq), -np.arange(Lk)) + k
    return np.minimum(np.maximum(shifted, 0), 2 * k)
