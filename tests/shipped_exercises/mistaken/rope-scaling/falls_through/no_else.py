import numpy as np


def scaled_inv_freq(head_dim, base, factor, kind):
    positions_by = 1.0
    if kind == "linear":
        positions_by = factor
    base *= factor ** (head_dim / (head_dim - 2))
    return np.array([base ** (-2 * i / head_dim) / positions_by for i in range(head_dim // 2)])
