import numpy as np


def alibi_bias(n_heads, Lq, Lk):
    bias = np.full((n_heads, Lq, Lk), -np.inf)
    for h in range(n_heads):
        for row in range(Lq):
            i = row + Lk - Lq
            for j in range(i + 1):
                bias[h, row, j] = j - i
    return bias
