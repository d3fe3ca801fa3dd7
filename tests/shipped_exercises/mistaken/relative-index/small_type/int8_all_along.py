import numpy as np


def relative_index(Lq, Lk, k):
    queries = np.arange(Lq).astype(np.int8)
    keys = np.arange(Lk).astype(np.int8)
    rows = np.clip(keys[None, :] - queries[:, None], -k, k)
    rows += np.int8(k)
    return rows
