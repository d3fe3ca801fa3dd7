import numpy as np


def slope(head, n_heads):
    power = max(2**e for e in range(12) if 2**e <= n_heads)
    if head < power:
        return 2 ** (-8 * (head + 1) / power)
    return 2 ** (-8 * (2 * (head - power) + 1) / (2 * power))


def alibi_bias(n_heads, Lq, Lk):
    bias = np.full((n_heads, Lq, Lk), -np.inf)
    for h in range(n_heads):
        for row in range(Lq):
            position = Lk - Lq + row
            for j in range(position + 1):
                bias[h, row, j] = -slope(h, n_heads) * (position - j)
    return bias
