import numpy as np


def sliding_mask(Lq, Lk, window):
    edges = np.zeros((Lq, Lk + 1), dtype=int)
    for r in range(Lq):
        edges[r, max(r + Lk - Lq - window + 1, 0)] += 1
        edges[r, r + Lk - Lq + 1] -= 1
    return np.cumsum(edges, axis=1)[:, :Lk] == 1
