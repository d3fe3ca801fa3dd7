import numpy as np


def positions_and_mask(documents):
    n = len(documents)
    starts = [0] * n
    for i in range(1, n):
        starts[i] = starts[i - 1] if documents[i] == documents[i - 1] else i
    positions = np.array([i - starts[i] for i in range(n)])
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        mask[i, starts[i] : i + 1] = True
    documents[:] = np.cumsum(positions == 0)
    return positions, mask
