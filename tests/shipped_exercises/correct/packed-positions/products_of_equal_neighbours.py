import numpy as np


def positions_and_mask(documents):
    n = len(documents)
    mask = np.eye(n, dtype=bool)
    for i in range(1, n):
        if documents[i] == documents[i - 1]:
            mask[i] |= mask[i - 1]
    return mask.sum(axis=1) - 1, mask
