import numpy as np


def positions_from_mask(mask):
    length = mask.shape[1]
    earlier = np.tri(length, length, -1, dtype=int)
    return np.einsum("bk,qk,bq->bq", mask.astype(int), earlier, mask.astype(int))
